/**
 * Who works on an upload. A lease is one row's `lease_id`; it is taken, renewed and given back by updates that name
 * what they expect to find, so that of two workers (on two servers, on either database) one gets it.
 *
 *   ready --claim--> leased --save--> leased --release--> waiting | done
 *     ^                |  '-- given back (DELETE) --> ready, with what was saved last
 *     ^                |  \--renewed again and again
 *     |                +-- silent for LEASE_MS --> the next claim takes it, with what was saved last
 *     +-- an answer or a cancelled job puts a waiting batch back
 */
import type { ExpressionBuilder } from 'kysely';
import type { Clock, Ids } from '#core/ports.ts';
import { may, type Principal } from '../auth/principal.ts';
import { HttpError } from '../http/http-error.ts';
import type { Database, Reader, Tx, WorkBatchTable } from '../store/schema.ts';
import { noteSilence, noteWorker } from './worker-signs.ts';
import type { CommitRequest } from '#core/sync/protocol.ts';

/** A worker renews well within it; what it did since its last save is done again by the next one. Milliseconds. */
export const LEASE_MS = 60_000;
/** An upload on which so many workers fell silent, one after the other, is not tried for ever. */
export const MOST_LOST = 5;

/** Tries of one claim: others may take what was seen. */
const CANDIDATES = 8;

/**
 * An admin's token, and a worker's (the scope Work alone) that an admin made and who still is one, take everybody's
 * uploads; any other token its owner's.
 */
export async function takesAll(db: Reader, principal: Principal): Promise<boolean> {
  if (may(principal, 'Admin')) return true;
  if (!principal.scopes.includes('Work')) return false;
  const owner = db.selectFrom('users').select('role').where('id', '=', principal.user_id);
  return (await owner.where('removed_at', 'is', null).executeTakeFirst())?.role === 'admin';
}

/** Nobody's, or silent for too long; further ahead than a lease can be it was given by a clock that was wrong. */
const isFree = (now: number) => (eb: ExpressionBuilder<Database, 'work_batches'>) =>
  eb.or([eb('lease_until', 'is', null), eb('lease_until', '<', now), eb('lease_until', '>', now + LEASE_MS)]);

/**
 * The worker that had this lease says that it lost what it was at. It counts as silent, as it would in a minute, and the
 * upload is free. Nothing where the lease is over, or not this principal's business.
 */
export async function endSilent(tx: Tx, principal: Principal, leaseId: string): Promise<void> {
  let ended = tx.updateTable('work_batches').set({ lease_until: 0 }).where('lease_id', '=', leaseId);
  if (!(await takesAll(tx, principal))) ended = ended.where('user_id', '=', principal.user_id);
  await ended.execute();
}

/** Gives the upload of this lease back as it was saved last. It counts neither as silent nor as progress. */
export async function giveBack(tx: Tx, leaseId: string): Promise<void> {
  await tx
    .updateTable('work_batches')
    .set({ lease_id: null, lease_until: null, worker: null })
    .where('lease_id', '=', leaseId)
    .execute();
}

/** Leases the oldest upload that wants a worker, or answers null. */
export async function claimNext(
  tx: Tx,
  using: { clock: Clock; ids: Ids },
  principal: Principal,
  worker: string,
): Promise<WorkBatchTable | null> {
  const now = using.clock.now();
  await noteWorker(tx, worker, now);
  let waiting = tx
    .selectFrom('work_batches')
    .select(['id', 'lease_id'])
    .where('state', '=', 'ready')
    .where(isFree(now));
  if (!(await takesAll(tx, principal))) waiting = waiting.where('user_id', '=', principal.user_id);
  const found = await waiting.orderBy('created_at').orderBy('id').limit(CANDIDATES).execute();
  for (const { id, lease_id } of found) {
    const taken = await tx
      .updateTable('work_batches')
      .set((eb) => ({
        lease_id: using.ids.next(),
        worker,
        lease_until: now + LEASE_MS,
        lost: eb
          .case()
          .when('lease_id', 'is not', null)
          .then(eb('lost', '+', 1))
          .else(eb.ref('lost'))
          .end(),
        updated_at: now,
      }))
      .where('id', '=', id)
      .where('state', '=', 'ready')
      .where(isFree(now))
      .returningAll()
      .executeTakeFirst();
    if (!taken) continue;
    if (lease_id !== null) await noteSilence(tx, now);
    return taken;
  }
  return null;
}

/** The batch under this lease. Throws HttpError 409 where the lease is over: somebody else goes on, or nobody needs to. */
export async function leased(db: Reader, leaseId: string): Promise<WorkBatchTable> {
  const row = await db.selectFrom('work_batches').selectAll().where('lease_id', '=', leaseId).executeTakeFirst();
  if (!row) throw leaseOver();
  return row;
}

/** Holds the batch of this lease for the rest of the transaction, so that nothing else changes it. */
export async function holdLease(tx: Tx, leaseId: string, until: number | null): Promise<WorkBatchTable> {
  const row = await tx
    .updateTable('work_batches')
    .set(until === null ? { lease_id: null, lease_until: null, worker: null, lost: 0 } : { lease_until: until })
    .where('lease_id', '=', leaseId)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw leaseOver();
  return row;
}

function leaseOver(): HttpError {
  return new HttpError('conflict', 'This lease is over: another worker goes on, or the upload is done.', {
    details: { lease: 'over' },
  });
}

/** What somebody did to these jobs wants a worker: their uploads are ready again. */
export async function wantWorker(tx: Tx, jobIds: readonly string[], now: number): Promise<void> {
  if (jobIds.length === 0) return;
  const rows = await tx
    .selectFrom('ingestion_jobs')
    .select('batch_id')
    .distinct()
    .where('id', 'in', [...jobIds])
    .where('batch_id', 'is not', null)
    .execute();
  const ids = rows.flatMap((row) => (row.batch_id === null ? [] : [row.batch_id]));
  if (ids.length === 0) return;
  await tx
    .updateTable('work_batches')
    .set({ state: 'ready', updated_at: now })
    .where('id', 'in', ids)
    .where('state', '=', 'waiting')
    .execute();
}

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
    throw new HttpError('forbidden', 'A token of the scope Work publishes jobs of uploads alone, under their lease.', {
      remedy: 'Name the lease of the upload (lease_id), or use a token with the permission EditCatalog.',
    });
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
