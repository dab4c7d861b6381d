import type { Clock, Ids } from '#core/ports.ts';
import { noteUpdates } from '../ingest/updates.ts';
import type { Tx, WorkBatchTable } from '../store/schema.ts';
import { closeReviews } from './cancel-job.ts';

/** Ends an upload whose workers all stopped reporting: what is not finished FAILED, and says so. */
export async function giveUp(tx: Tx, using: { clock: Clock; ids: Ids }, batch: WorkBatchTable): Promise<void> {
  const now = using.clock.now();
  const why = `The worker stopped without a word ${batch.lost} times while it worked on this upload.`;
  const ended = await tx
    .updateTable('ingestion_jobs')
    .set({ status: 'FAILED', error_message: why, completed_at: now, updated_at: now })
    .where('batch_id', '=', batch.id)
    .where('status', 'not in', ['COMPLETED', 'FAILED'])
    .returning('id')
    .execute();
  const idle = { lease_id: null, worker: null, lease_until: null };
  await tx
    .updateTable('work_batches')
    .set({ ...idle, state: 'done', updated_at: now })
    .where('id', '=', batch.id)
    .execute();
  const metadata = JSON.stringify({
    code: 'worker_died',
    remedy: 'Look at the log of the worker, then upload it again.',
  });
  for (const { id } of ended) {
    const step = { step_type: 'Error' as const, content: why, metadata, timestamp: now, duration_ms: null };
    await tx
      .insertInto('ingestion_steps')
      .values({ ...step, id: using.ids.next(), job_id: id, step_number: 9999 })
      .execute();
  }
  await closeReviews(
    tx,
    ended.map(({ id }) => id),
    null,
    now,
  );
  await noteUpdates(
    tx,
    ended.map(({ id }) => ({ job_id: id })),
  );
}
