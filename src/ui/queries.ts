/** Reads over IndexedDB that more than one page needs. */
import type { Review } from '#core/job/review.ts';
import { db } from './db.ts';

/** Open questions, oldest first. `resolved_at: null` is in no index, so: all keys less the resolved ones. */
export async function pendingReviews(): Promise<Review[]> {
  const [all, resolved] = await Promise.all([
    db.reviews.toCollection().primaryKeys(),
    db.reviews.orderBy('resolved_at').primaryKeys(),
  ]);
  const closed = new Set(resolved);
  const rows = await db.reviews.bulkGet(all.filter((id) => !closed.has(id)));
  return rows
    .filter((row): row is Review => row !== undefined && row.resolved_at === null)
    .sort((a, b) => a.created_at - b.created_at || a.id.localeCompare(b.id));
}
