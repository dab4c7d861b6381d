import type { Batch, Job } from '#core/job/job.ts';
import { transition, type JobEvent, type StepDraft } from '#core/job/transitions.ts';
import { AccessionError, failure } from '#core/errors.ts';
import type { Clock, Ids } from '#core/ports.ts';
import type { AccessionDb } from '../db.ts';
import { appendSteps } from '../steps.ts';

/** What every part of the pipeline works with. */
export interface PipelineContext {
  db: AccessionDb;
  clock: Clock;
  ids: Ids;
}

/** The tables of a transaction that applies events, and learns from what people answered. */
export function jobTables(db: AccessionDb) {
  return [db.batches, db.jobs, db.steps, db.reviews, db.outbox, db.meta, db.memory, db.samples] as const;
}

/**
 * Applies one event to one job inside the caller's transaction: row and steps together. Answers the new
 * row, or null when the job is gone or the event no longer fits it.
 */
export async function applyEvent(
  context: PipelineContext,
  jobId: string,
  event: JobEvent,
  options: { before?: StepDraft[]; patch?: Partial<Job> } = {},
): Promise<Job | null> {
  const { db, clock, ids } = context;
  const job = await db.jobs.get(jobId);
  if (!job) return null;
  const now = clock.now();
  const next = transition(job, event, now);
  if (!next) return null;
  const row = { ...next.job, ...options.patch };
  await db.jobs.put(row);
  await appendSteps(db, ids, now, jobId, [...(options.before ?? []), ...next.steps]);
  if (job.status === 'CONVERTING' && row.status !== 'CONVERTING' && row.status !== 'COMPLETED')
    await releaseTwins(context, row);
  return row;
}

/**
 * REVIEW-34: in other batches the same content may have ended as a duplicate of this job, because that was on its way.
 * It will not be published after all, so those are matched again.
 */
async function releaseTwins(context: PipelineContext, holder: Job): Promise<void> {
  if (holder.sha256 === null) return;
  const { db } = context;
  const twins = await db.jobs
    .where('sha256')
    .equals(holder.sha256)
    .filter((job) => job.duplicate_of === holder.id && job.batch_id !== holder.batch_id)
    .toArray();
  for (const twin of twins)
    if (await applyEvent(context, twin.id, { type: 'released' }))
      await touchBatch(db, twin.batch_id, { rematch: true });
}

/** Marks that a person did something to the batch, inside the caller's transaction. */
export async function touchBatch(db: AccessionDb, batchId: string, patch: Partial<Batch> = {}): Promise<void> {
  await db.batches
    .where('id')
    .equals(batchId)
    .modify((batch) => {
      batch.revision = (batch.revision ?? 0) + 1;
      Object.assign(batch, patch);
    });
}

/**
 * Throws when another tab has taken the pipeline over since this one got the lock (a frozen tab may wake
 * with a stolen lock). Called first in each transaction of the lock holder.
 */
export async function assertEpoch(db: AccessionDb, epoch: number): Promise<void> {
  const row = await db.meta.get('pipeline');
  if (readEpoch(row?.value) !== epoch) {
    throw new AccessionError(failure('conflict', 'Another tab has taken over the work; this one stops.'));
  }
}

/** The epoch of whoever took the pipeline over last. */
export async function currentEpoch(db: AccessionDb): Promise<number> {
  return readEpoch((await db.meta.get('pipeline'))?.value);
}

/** True for what `assertEpoch` throws: the only error after which the loop must not go on. */
export function isLockLost(error: unknown): boolean {
  return error instanceof AccessionError && error.failure.code === 'conflict';
}

/** Takes the next epoch: from now on writes of earlier holders are refused. */
export async function nextEpoch(db: AccessionDb): Promise<number> {
  return db.transaction('rw', db.meta, async () => {
    const row = await db.meta.get('pipeline');
    const epoch = readEpoch(row?.value) + 1;
    await db.meta.put({ key: 'pipeline', value: { ...asRecord(row?.value), epoch } });
    return epoch;
  });
}

export async function readPaused(db: AccessionDb): Promise<boolean> {
  return asRecord((await db.meta.get('pipeline'))?.value)['paused'] === true;
}

export async function writePaused(db: AccessionDb, paused: boolean): Promise<void> {
  await db.transaction('rw', db.meta, async () => {
    const row = await db.meta.get('pipeline');
    await db.meta.put({ key: 'pipeline', value: { ...asRecord(row?.value), paused } });
  });
}

function readEpoch(value: unknown): number {
  const epoch = asRecord(value)['epoch'];
  return typeof epoch === 'number' ? epoch : 0;
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
