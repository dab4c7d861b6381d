import type { Review } from '#core/job/review.ts';
import { pendingReviews } from '../queries.ts';
import { Live } from './live.svelte.ts';

const rows = new Live<Review[]>(pendingReviews, [], 60);

/** The open questions. */
class Reviews {
  readonly pending: Review[] = $derived(rows.current);
  readonly count: number = $derived(this.pending.length);

  get ready(): boolean {
    return rows.ready;
  }
}

export const reviews = new Reviews();
