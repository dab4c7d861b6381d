import type { Review, ReviewAnswer } from '#core/job/review.ts';
import { ask, pipeline } from '../client/workers.ts';
import { plural } from '../parts/words.ts';
import { toasts } from '../parts/toasts.svelte.ts';

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
      if ((await ask(pipeline().answerReview(review.id, answer))) === null) break;
      job_ids.push(...review.job_ids);
    }
    const asked = answers.map(({ review }) => review.id);
    this.busy = new Set([...this.busy].filter((id) => !asked.includes(id)));
    if (job_ids.length === 0) return false;
    const toast = toasts.say(`Answered: ${words}`, { label: 'Undo', run: () => void this.undo() });
    this.#given = [...this.#given.slice(-19), { job_ids, words, toast }];
    return true;
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
