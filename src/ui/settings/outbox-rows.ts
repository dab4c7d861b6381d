/** What waits to be published, named by its file. */
import type { OutboxItem } from '#core/sync/outbox-item.ts';
import { db } from '../client/db.ts';

export interface WaitingRow {
  key: string;
  job_id: string;
  name: string;
  state: OutboxItem['state'];
  attempts: number;
  next_at: number;
  created_at: number;
  /** Why it is not there yet; null before the first failure. */
  reason: string | null;
  remedy: string | null;
}

/** Those that need a person first, then by age. */
export async function outboxRows(): Promise<WaitingRow[]> {
  const items = await db.outbox.orderBy('created_at').toArray();
  const parked = (item: OutboxItem): number => (item.state === 'parked' ? 0 : 1);
  return items
    .sort((a, b) => parked(a) - parked(b))
    .map((item) => ({
      key: item.key,
      job_id: item.job_id,
      name: item.body.original_filename,
      state: item.state,
      attempts: item.attempts,
      next_at: item.next_at,
      created_at: item.created_at,
      reason: item.failure?.message ?? null,
      remedy: item.failure?.remedy ?? null,
    }));
}
