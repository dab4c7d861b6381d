import type { Review } from '#core/job/review.ts';
import { db, inIndex } from '../client/db.ts';
import { laneOf } from '../lanes.ts';
import { askedElsewhere } from '../shell/counts.svelte.ts';
import { Live } from '../parts/live.svelte.ts';
import { byArrival } from '../parts/order.ts';
import { joined } from './joined.ts';

const reviewsInOrder = byArrival<Review>(({ files }) => files[0]?.name ?? '');

/** Open questions. `resolved_at: null` is in no index, so: all keys less the resolved ones. */
async function pendingReviews(): Promise<Review[]> {
  const [all, resolved] = await Promise.all([
    db.reviews.toCollection().primaryKeys(),
    inIndex(db.reviews, 'resolved_at').primaryKeys(),
  ]);
  const closed = new Set(resolved);
  const rows: (Review | undefined)[] = await db.reviews.bulkGet(all.filter((id) => !closed.has(id)));
  return rows.flatMap((row) => (row?.resolved_at === null ? [row] : [])).sort(reviewsInOrder);
}

const rows = new Live<Review[]>(pendingReviews, [], 60, ['reviews']);

/** The open questions. */
class Reviews {
  /** As they are stored: each of one drop. */
  readonly each: Review[] = $derived(rows.current);
  readonly #joined = $derived(joined(this.each, (review) => laneOf(review)?.joins));
  /** As they are asked: those of several drops about one thing as one (UI-342). */
  readonly pending: Review[] = $derived(this.#joined.shown);
  readonly count: number = $derived(this.pending.length);

  /** With those about files on other workstations and on the server. */
  readonly everywhere: number = $derived(this.count + askedElsewhere.current);
  readonly ready: boolean = $derived(rows.ready);

  /** The questions that an answer to this one is for. */
  partsOf(review: Review): readonly Review[] {
    return this.#joined.parts.get(review.id) ?? [review];
  }
}

export const reviews = new Reviews();
