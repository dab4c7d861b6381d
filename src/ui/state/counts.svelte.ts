import { db } from '../db.ts';
import { ACTIVE_STATUSES } from '../queries.ts';
import { Live } from './live.svelte.ts';

/** Jobs that are not finished. */
export const activeCount = new Live(() => db.jobs.where('status').anyOf(ACTIVE_STATUSES).count(), 0, 150);
