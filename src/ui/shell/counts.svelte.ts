import { countOfAny, db } from '../client/db.ts';
import { ACTIVE_STATUSES } from '../ingest/job-queries.ts';
import { Live } from '../parts/live.svelte.ts';

/** Whether other workstations or the server work on something of this user's, or ask. */
export const busyElsewhere = new Live(
  async () =>
    (await countOfAny(db.remote_jobs, 'status', ACTIVE_STATUSES)) > 0 || (await db.remote_reviews.count()) > 0,
  false,
  300,
  ['remote_jobs', 'remote_reviews'],
);

/** Open questions about files on other workstations and on the server. */
export const askedElsewhere = new Live(() => db.remote_reviews.count(), 0, 300, ['remote_reviews']);

/** Jobs that are not finished. */
export const activeCount = new Live(() => countOfAny(db.jobs, 'status', ACTIVE_STATUSES), 0, 150, ['jobs']);
