import type { Review } from '#core/job/review.ts';
import { pendingReviews } from '../queries.ts';
import { Live } from './live.svelte.ts';

const rows = await db.reviews.bulkGet(all.filter((id) => !closed.has(id)));
  return rows
    .filter((row): row is Review => row !== undefined && row.resolved_at === null)
    .sort((a, b) => a.created_at - b.created_at || a.id.localeCompare(b.id));
}

const rows = new Live(pendingReviews, [] as Review[], 60);

class Reviews {
  readonly pending: Review[] = $derived(rows.current);
  readonly count: number = $derived(this.pending.length);

  get ready(): boolean {
    return rows.ready;
  }
}

export const reviews = new Reviews();
