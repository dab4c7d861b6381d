/** The one way in which a job's row is written: by an event, with the steps that explain it, in one transaction. */
import type { Clock, Ids } from '../ports.ts';
import type { JobRows } from '../run/job-store.ts';
import type { JobEvent } from './events.ts';
import type { Batch, Job, LaneTypes, StepDraft } from './job.ts';
import { transition } from './transitions.ts';

export interface ApplyContext {
  clock: Clock;
  ids: Ids;
}

/**
 * Applies one event to one job inside the caller's change: row and steps together. `before`: steps that explain what led
 * to the event. Answers the new row, or null when the job is gone or the event does not fit it (any more).
 */
export async function applyEvent<L extends LaneTypes>(
  rows: JobRows<L>,
  context: ApplyContext,
  jobId: string,
  event: JobEvent<L>,
  before: readonly StepDraft[] = [],
): Promise<Job<L> | null> {
  const job = await rows.job(jobId);
  const next = job && transition(job, event, context.clock.now());
  if (!next) return null;
  await rows.putJob(next.job);
  await addSteps(rows, context, jobId, [...before, ...next.steps]);
  if (job.status === 'CONVERTING' && next.job.status !== 'CONVERTING' && next.job.status !== 'COMPLETED')
    await releaseTwins(rows, context, next.job);
  return next.job;
}

/** A new job with its first steps; `event`: what it begins with, where it does not wait to be probed. */
export async function addJob<L extends LaneTypes>(
  rows: JobRows<L>,
  context: ApplyContext,
  job: Job<L>,
  steps: readonly StepDraft[],
  event: JobEvent<L> | null = null,
): Promise<Job<L>> {
  const after = event === null ? null : transition(job, event, context.clock.now());
  const row = after?.job ?? job;
  await rows.putJob(row);
  await addSteps(rows, context, job.id, [...steps, ...(after?.steps ?? [])]);
  return row;
}

/** Appends steps to a job's log with the next numbers, inside the caller's change. */
export async function addSteps(
  rows: Pick<JobRows, 'lastStep' | 'putSteps'>,
  { clock, ids }: ApplyContext,
  jobId: string,
  steps: readonly StepDraft[],
): Promise<void> {
  if (steps.length === 0) return;
  const timestamp = clock.now();
  const last = await rows.lastStep(jobId);
  await rows.putSteps(
    steps.map(({ step_type, content, metadata = {}, duration_ms = null }, at) => {
      const head = { id: ids.next(), job_id: jobId, step_number: last + at + 1, timestamp };
      return { ...head, step_type, content, metadata, duration_ms };
    }),
  );
}

/**
 * REVIEW-34: in other batches the same content may have ended as a duplicate of this job, because that was on its way.
 * It will not be published after all, so those are matched again.
 */
async function releaseTwins(rows: JobRows, context: ApplyContext, { id, sha256, batch_id }: Job): Promise<void> {
  if (sha256 === null) return;
  const twins = (await rows.jobsOfContent(sha256)).filter(
    (job) => job.duplicate_of === id && job.batch_id !== batch_id,
  );
  for (const twin of twins)
    if (await applyEvent(rows, context, twin.id, { type: 'released' }))
      await touchBatch(rows, twin.batch_id, { rematch: true });
}

type BatchRows = Pick<JobRows, 'batch' | 'putBatch'>;

/** Marks that a person did something to the batch: a plan that was computed before is thrown away. */
export async function touchBatch(rows: BatchRows, batchId: string, patch: Partial<Batch> = {}): Promise<void> {
  const batch = await rows.batch(batchId);
  if (batch) await rows.putBatch({ ...batch, revision: (batch.revision ?? 0) + 1, ...patch });
}

/** Changes a batch without counting as something that a person did. */
export async function changeBatch(rows: BatchRows, batchId: string, patch: Partial<Batch>): Promise<void> {
  const batch = await rows.batch(batchId);
  if (batch) await rows.putBatch({ ...batch, ...patch });
}
