import type { Review, ReviewAnswer } from '#core/job/review.ts';
import { tried } from '#core/result.ts';
import { ask, pipeline } from '../client/workers.ts';
import { plural } from '../parts/words.ts';
import { toasts } from '../parts/toasts.svelte.ts';
import { reviews } from './reviews.svelte.ts';

interface Given {
  job_ids: string[];
  words: string;
  toast: number;
  /** It was too late once: when it is again, the answer before it comes up. */
  late?: true;
}

/** Answers on their way, and the last ones given, to take them back. */
class Answers {
  /** Ids of reviews whose answer is being written. */
  busy = $state.raw<ReadonlySet<string>>(new Set());
  #given: Given[] = $state.raw([]);

  get canUndo(): boolean {
    return this.#given.length > 0;
  }

  /** `words` says the answer to the person, as in `Answered: Her Majesty`. */
  async give(review: Review, answer: ReviewAnswer, words: string): Promise<boolean> {
    return this.giveAll([{ review, answer }], words);
  }

  /** Several answers as one: undone together. Stops at the first that fails. */
  async giveAll(answers: readonly { review: Review; answer: ReviewAnswer }[], words: string): Promise<boolean> {
    const job_ids: string[] = [];
    this.busy = new Set([...this.busy, ...answers.map(({ review }) => review.id)]);
    for (const { review, answer } of answers) {
      const taken = await this.#send(review, answer);
      if (taken === null) break;
      job_ids.push(...taken);
    }
    const asked = answers.map(({ review }) => review.id);
    this.busy = new Set([...this.busy].filter((id) => !asked.includes(id)));
    if (job_ids.length === 0) return false;
    const toast = toasts.say(`Answered: ${words}`, { label: 'Undo', run: () => void this.undo() });
    this.#given = [...this.#given.slice(-19), { job_ids, words, toast }];
    return true;
  }

  /** To each question that is asked as this one. Answers their jobs; null when it failed, which was said. */
  async #send(review: Review, answer: ReviewAnswer): Promise<string[] | null> {
    const [first = review, ...others] = reviews.partsOf(review);
    if ((await ask(pipeline().answerReview(first.id, answer))) === null) return null;
    const jobs = [...first.job_ids];
    for (const other of others) {
      const sent = await tried(() => pipeline().answerReview(other.id, answer));
      if (sent.ok) jobs.push(...other.job_ids);
      // What the first answer settled (MATCH-115) asks nothing any more.
      else if (sent.failure.code !== 'conflict' && sent.failure.code !== 'not_found') toasts.fail(sent.failure);
    }
    return jobs;
  }

  /**
   * Takes the last answer back; once it is published that is said, and nothing changes. Answers the ids of its jobs, or
   * null when nothing was taken back; what failed can be tried again.
   */
  async undo(): Promise<string[] | null> {
    const last = this.#given.at(-1);
    if (last === undefined) return null;
    toasts.close(last.toast);
    const done = await ask(pipeline().undo(last.job_ids));
    if (done === null) return null;
    const rest = this.#given.filter((one) => one !== last);
    if (done.undone === 0) {
      this.#given = last.late ? rest : [...rest, { ...last, late: true }];
      toasts.say(`Too late to take back: ${last.words}`);
      return null;
    }
    this.#given = rest;
    toasts.say(`Taken back: ${last.words} (${plural(done.undone, 'file')})`);
    return last.job_ids;
  }
}

export const answers = new Answers();
