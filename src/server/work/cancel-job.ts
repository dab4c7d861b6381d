import type { Clock, Ids } from '#core/ports.ts';
import { writeAudit } from '../audit/audit.ts';
import { mayKnow, type Principal } from '../auth/principal.ts';
import { HttpError } from '../http/http-error.ts';
import { lastStepNumber } from '../ingest/job-records.ts';
import { noteJobs } from '../ingest/updates.ts';
import { chunks, findRow, idsOf } from '../store/rows.ts';
import type { IngestionJobTable, Tx, WorkBatchTable } from '../store/schema.ts';
import { wantWorker } from './lease.ts';

/** What a job that a person ended says of itself, at the workstation as here. */
export const CANCELLED = 'cancelled';

const ENDED = ['COMPLETED', 'FAILED'] as const;

/**
 * Ends a job as FAILED with "cancelled", an archive's with everything that came out of it. Its worker learns it
 * with its next save or renewal, and nothing of it is published from here on. Throws HttpError 404, and 409 where it is
 * finished. Answers the ids that were ended.
 */
export async function cancelJob(
  tx: Tx,
  using: { clock: Clock; ids: Ids },
  principal: Principal,
  jobId: string,
): Promise<string[]> {
  const job = await findRow(tx, 'ingestion_jobs', jobId);
  if (!job || !mayKnow(principal, job.user_id)) throw new HttpError('not_found', `There is no job "${jobId}".`);
  const now = using.clock.now();
  const cancelled: string[] = [];
  for (const id of await withChildren(tx, job)) {
    // Compared again by the update itself: a commit may have come first.
    const ended = await tx
      .updateTable('ingestion_jobs')
      .set({ status: 'FAILED', error_message: CANCELLED, cancelled_at: now, completed_at: now, updated_at: now })
      .where('id', '=', id)
      .where('status', 'not in', [...ENDED])
      .returning('id')
      .executeTakeFirst();
    if (!ended) continue;
    cancelled.push(id);
    await addStep(tx, using, id, principal.user_id, now);
  }
  if (cancelled.length === 0)
    throw new HttpError('conflict', `"${job.original_filename}" is finished (${job.status}); it cannot be cancelled.`, {
      details: { status: job.status },
    });
  await closeReviews(tx, cancelled, principal.user_id, now);
  await writeAudit(tx, {
    at: now,
    user_id: principal.user_id,
    action: 'job.cancelled',
    entity_id: job.id,
    details: { file: job.original_filename, owner: job.user_id, jobs: cancelled.length },
  });
  await wantWorker(tx, cancelled, now);
  await noteJobs(tx, cancelled);
  return cancelled;
}

async function withChildren(tx: Tx, { id }: IngestionJobTable): Promise<Set<string>> {
  let found = new Set([id]);
  let parents = found;
  while (parents.size > 0) {
    const children = new Set<string>();
    for (const part of chunks([...parents])) {
      const rows = tx.selectFrom('ingestion_jobs').select('id').where('parent_job_id', 'in', part);
      for (const child of await rows.execute()) children.add(child.id);
    }
    parents = children.difference(found);
    found = found.union(parents);
  }
  return found;
}

async function addStep(tx: Tx, { ids }: { ids: Ids }, jobId: string, by: string, now: number): Promise<void> {
  const last = await lastStepNumber(tx, jobId);
  await tx
    .insertInto('ingestion_steps')
    .values({
      id: ids.next(),
      job_id: jobId,
      step_number: last + 1,
      timestamp: now,
      step_type: 'Action',
      content: 'Cancelled by the person',
      metadata: JSON.stringify({ action: 'Cancel', by }),
      duration_ms: null,
      same_as: null,
    })
    .execute();
}

/** Closes the questions that are about nothing but these jobs and others that are over. */
async function closeReviews(tx: Tx, ended: readonly string[], by: string | null, now: number): Promise<void> {
  for (const part of chunks(ended)) {
    const open = await tx
      .selectFrom('ingestion_reviews as review')
      .innerJoin('ingestion_review_jobs as link', 'link.review_id', 'review.id')
      .select('review.id')
      .distinct()
      .where('link.job_id', 'in', part)
      .where('review.resolved_at', 'is', null)
      .execute();
    for (const { id } of open) {
      const alive = await tx
        .selectFrom('ingestion_review_jobs as link')
        .innerJoin('ingestion_jobs as job', 'job.id', 'link.job_id')
        .select('job.id')
        .where('link.review_id', '=', id)
        .where('job.status', 'not in', [...ENDED])
        .executeTakeFirst();
      if (alive) continue;
      const answer = { selected_option: 'cancelled', resolved_by_user_id: by, resolved_at: now, acknowledged: 1 };
      await tx.updateTable('ingestion_reviews').set(answer).where('id', '=', id).execute();
    }
  }
}

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
    const step = {
      step_type: 'Error' as const,
      content: why,
      metadata,
      timestamp: now,
      duration_ms: null,
      same_as: null,
    };
    await tx
      .insertInto('ingestion_steps')
      .values({ ...step, id: using.ids.next(), job_id: id, step_number: 9999 })
      .execute();
  }
  await closeReviews(tx, idsOf(ended), null, now);
  await noteJobs(tx, idsOf(ended));
}
