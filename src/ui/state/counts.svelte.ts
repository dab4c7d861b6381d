import { db } from '../db.ts';
import { Live } from './live.svelte.ts';

export const ACTIVE_STATUSES = ['PENDING', 'PROCESSING', 'AWAITING_REVIEW', 'CONVERTING'] as const;

/** Jobs that are not finished. */
export const activeCount = new Live(() => db.jobs.where('status').anyOf(ACTIVE_STATUSES).count(), 0, 150);
