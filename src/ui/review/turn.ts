/** Whose turn it is in a list of questions. Pure. */
import type { Review } from '#core/job/review.ts';

type Listed = Pick<Review, 'id' | 'job_ids'>;

/** What a list remembers: a question, or a file that one is about; and the place where the last answer was given. */
export interface Turn {
  wanted: string | null;
  place: number;
}

/** Its index: what is wanted, else what moved up to the place; 0 of an empty list. */
export function turnOf(queue: readonly Listed[], { wanted, place }: Turn): number {
  const found = wanted === null ? -1 : queue.findIndex(({ id, job_ids }) => id === wanted || job_ids.includes(wanted));
  return found >= 0 ? found : Math.max(0, Math.min(place, queue.length - 1));
}

/** Whose turn it is once the question at this index is answered. `apart`: its own files are asked about one by one. */
export function turnAfter(queue: readonly Listed[], at: number, apart = false): Turn {
  const wanted = apart ? (queue[at]?.job_ids[0] ?? null) : (queue[at + 1]?.id ?? null);
  return { wanted, place: at };
}
