/** What the person's model says of the opened folder: asked for by a press, taken over by a press. */
import type { Failure } from '#core/errors.ts';
import { tried } from '#core/result.ts';
import type { Correction } from './corrections.ts';
import { proxy, video, type Advice, type AskProgress, type FolderAdvice, type ReadAnswers } from '../client.ts';
import { answersTo, correctionTo } from './take-advice.ts';

export interface AdviceTaker {
  answer(answers: ReadAnswers): Promise<boolean>;
  correct(path: string, correction: Correction): void;
}

export class ModelAdvice {
  asking = $state(false);
  stopping = $state(false);
  progress = $state.raw<AskProgress | null>(null);
  found = $state.raw<FolderAdvice | null>(null);
  failure = $state.raw<Failure | null>(null);
  taken = $state.raw<readonly Advice[]>([]);
  /** Of the last question: what an earlier one answers is of no interest any more. */
  #turn = 0;

  async ask(): Promise<void> {
    this.clear();
    const turn = ++this.#turn;
    this.asking = true;
    this.stopping = false;
    this.progress = null;
    const heard = proxy((progress: AskProgress) => {
      if (turn === this.#turn) this.progress = progress;
    });
    const result = await tried(() => video().ask(heard));
    if (turn !== this.#turn) return;
    this.asking = false;
    if (!result.ok) this.failure = result.failure;
    else {
      this.failure = result.value.failure;
      // Stopped before anything was said: as if nobody had asked.
      this.found = result.value.stopped && result.value.items.length === 0 ? null : result.value;
    }
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await video().stopAsking();
  }

  /** Lays the advice over the folder, with the answers to questions that it was given upon. */
  async take(advice: Advice, by: AdviceTaker): Promise<void> {
    if (this.found === null) return;
    const { answers, with: also } = answersTo(this.found.items, advice, this.taken);
    if (also.length > 0 && !(await by.answer(answers))) return;
    const place = correctionTo(advice);
    if (place !== null) by.correct(place.path, place.correction);
    this.taken = [...this.taken, ...also, advice];
  }

  /** The folder is another, or was answered otherwise. */
  clear(): void {
    if (this.asking) void video().stopAsking();
    this.#turn += 1;
    this.asking = false;
    this.progress = null;
    this.found = null;
    this.failure = null;
    this.taken = [];
  }
}
