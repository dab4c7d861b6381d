/** The one way in which a job's row is written: by an event, with the steps that explain it, in one transaction. */
import { failure, type Failure } from '../errors.ts';
import type { Clock, Ids } from '../ports.ts';
import type { JobRows } from '../run/job-store.ts';
import type { JobEvent } from './events.ts';
import type { Batch, Job, LaneTypes, ReasoningStep, StepDraft } from './job.ts';
import { GroupSteps, sameStepsSentence } from './shared-steps.ts';
import { transition } from './transitions.ts';

export interface ApplyContext {
  clock: Clock;
  ids: Ids;
}

/**
 * Applies one event to one job inside the caller's change: row and steps together. `before`: steps that explain what led
 * to the event, `together` those of its whole group. Answers the new row, or null when the job is gone or the event does not fit it (any more).
 */
export async function applyEvent<L extends LaneTypes>(
  rows: JobRows<L>,
  context: ApplyContext,
  jobId: string,
  event: JobEvent<L>,
  before: readonly StepDraft[] = [],
  together: GroupSteps | null = null,
): Promise<Job<L> | null> {
  const job = await rows.job(jobId);
  const next = job && transition(job, event, context.clock.now());
  if (!next) return null;
  await rows.putJob(next.job);
  if (together) await addGroupSteps(rows, context, jobId, together);
  await addSteps(rows, context, jobId, [...before, ...next.steps]);
  const dropped = job.status === 'CONVERTING' && next.job.status !== 'CONVERTING' && next.job.status !== 'COMPLETED';
  if (dropped || next.job.phase === 'failed') await releaseTwins(rows, context, next.job);
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

/** The first job of the group gets the steps, each further one a row that stands for them. */
async function addGroupSteps<L extends LaneTypes>(
  rows: JobRows<L>,
  context: ApplyContext,
  jobId: string,
  group: GroupSteps,
): Promise<void> {
  const { drafts, written } = group;
  const first = (await rows.lastStep(jobId)) + 1;
  // A row in the place of one step would spare nothing.
  if (written === null || written.count < 2) {
    await addSteps(rows, context, jobId, drafts);
    group.written = { job_id: jobId, step_number: first, count: drafts.length };
    return;
  }
  const { clock, ids } = context;
  const row: ReasoningStep = {
    ...{ id: ids.next(), job_id: jobId, step_number: first, timestamp: clock.now(), step_type: 'Context' },
    ...{ content: sameStepsSentence(written.count), metadata: {}, duration_ms: null, same_as: written },
  };
  await rows.putSteps([row]);
}

/**
 * `holder` will not be published after all, so what ended as its duplicate is matched again:
 *
 *   REVIEW-34 the same content in other batches, which was on its way here
 *   REVIEW-45 where it failed, also the files of its own batch: the next best of the track takes its place, and one that
 *             was never stored, because it has the same content, fails with it
 */
async function releaseTwins(rows: JobRows, context: ApplyContext, holder: Job): Promise<void> {
  const { failure: why } = holder;
  const failed = holder.phase === 'failed' && why !== null;
  const near = [
    ...(holder.sha256 === null ? [] : await rows.jobsOfContent(holder.sha256)),
    ...(failed ? await rows.jobsOfBatch(holder.batch_id) : []),
  ].filter((job) => job.duplicate_of === holder.id && (failed || job.batch_id !== holder.batch_id));
  for (const { id, batch_id, original_filename } of new Map(near.map((job) => [job.id, job])).values()) {
    if (await applyEvent(rows, context, id, { type: 'released' })) await touchBatch(rows, batch_id, { rematch: true });
    else if (failed)
      await applyEvent(rows, context, id, { type: 'failed', failure: failedWith(original_filename, holder, why) });
  }
}

/** Why a copy that was never stored fails. */
function failedWith(name: string, holder: Pick<Job, 'original_filename'>, { code, message }: Failure): Failure {
  const said = `"${name}" has the same content as "${holder.original_filename}", which failed: ${message}`;
  const remedy = `What helps "${holder.original_filename}" helps this file: then drop it again.`;
  return { ...failure(code, said, { subject: name, remedy }), retryable: false };
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
