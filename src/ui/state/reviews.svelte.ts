import type { Review } from '#core/job/review.ts';
import { db } from '../db.ts';
import { pendingReviews } from '../queries.ts';
import { Live } from './live.svelte.ts';

const rows = new Live<Review[]>(pendingReviews, [], 60, ['reviews']);

const elsewhere = new Live(() => db.remote_reviews.count(), 0, 300, ['remote_reviews']);

/** The open questions. */
class Reviews {
  readonly pending: Review[] = $derived(rows.current);
  readonly count: number = $derived(this.pending.length);

  /** With those about files on other workstations and on the server. */
  readonly everywhere: number = $derived(this.count + elsewhere.current);

  get ready(): boolean {
    return rows.ready;
  }
}

export const reviews = new Reviews();
