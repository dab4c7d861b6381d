import type { CommitRequest } from '#core/sync/protocol.ts';
import { may, type Principal } from '../auth/principal.ts';
import { HttpError } from '../http/http-error.ts';
import type { Tx } from '../store/schema.ts';
import { leaseOver } from './lease.ts';

/**
 * Whose job a commit ends. Throws HttpError 422 `cancelled` where somebody ended the job, and 409 where it belongs to an
 * upload and the sender does not hold its lease (any more): of two workers one publishes, and of another user's job none
 * but its worker says that it is done.
 */
export async function jobOwner(tx: Tx, principal: Principal, body: CommitRequest): Promise<string> {
  const job = await tx
    .selectFrom('ingestion_jobs')
    .select(['user_id', 'batch_id', 'cancelled_at', 'committed'])
    .where('id', '=', body.job_id)
    .executeTakeFirst();
  // A worker's token ends what it has a lease of, and publishes nothing beside it.
  if (!may(principal, 'EditCatalog') && (job?.batch_id ?? null) === null)
    throw new HttpError('forbidden', 'A token of the scope Work publishes jobs of uploads alone, under their lease.');
  if (!job) return principal.user_id;
  if (job.cancelled_at !== null)
    throw new HttpError('cancelled', `"${body.original_filename}" was cancelled; it is not published.`, {
      status: 422,
    });
  if (job.batch_id === null) return principal.user_id;
  // Locked until the commit: a worker that takes the batch over waits, and then learns of it.
  const batch = await tx
    .updateTable('work_batches')
    .set({ lost: 0 })
    .where('id', '=', job.batch_id)
    .where('lease_id', '=', body.lease_id ?? '')
    .returning('id')
    .executeTakeFirst();
  if (!batch) throw leaseOver();
  return job.user_id;
}
