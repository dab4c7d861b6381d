/** Jobs, steps and reviews: rows as the wire has them. Contexts are lower case there and upper case in storage, as the specification writes both. */
import type * as v from 'valibot';
import type { MirroredJob, MirroredReviewSchema, StepSchema } from '#core/sync/protocol.ts';
import type { IngestionJobTable, IngestionReviewTable, IngestionStepTable } from '../store/schema.ts';

export type StepRecord = v.InferOutput<typeof StepSchema>;
export type ReviewRecord = v.InferOutput<typeof MirroredReviewSchema>;

export function toJob(row: IngestionJobTable): MirroredJob & { user_id: string } {
  const { committed: _committed, batch_id, cancelled_at: _cancelled, context_type, ...rest } = row;
  return {
    ...rest,
    ...(batch_id === null ? {} : { on_server: true }),
    context_type: context_type === 'DOWNLOAD_REQUEST' ? 'download_request' : 'spontaneous',
  };
}

/** `batchId`: the upload over HTTP that it belongs to. */
export function jobRow(job: MirroredJob, userId: string, batchId: string | null = null): IngestionJobTable {
  const context_type = job.context_type === 'download_request' ? 'DOWNLOAD_REQUEST' : 'SPONTANEOUS';
  const { parent_job_id = null, on_server: _said, ...rest } = job;
  const own = { parent_job_id, batch_id: batchId, cancelled_at: null, committed: 0 };
  return { ...rest, ...own, context_type, user_id: userId };
}

export function toStep(row: IngestionStepTable): StepRecord {
  const { job_id: _job, metadata, ...rest } = row;
  // Written by `stepRow` alone.
  return { ...rest, metadata: JSON.parse(metadata) as Record<string, unknown> };
}

export function stepRow(step: StepRecord, jobId: string): IngestionStepTable {
  return { ...step, job_id: jobId, metadata: JSON.stringify(step.metadata) };
}

export function toReview(row: IngestionReviewTable, jobIds: string[]): ReviewRecord {
  const { acknowledged: _acknowledged, user_id: _user, options, ...rest } = row;
  // Written by `reviewRow` alone.
  return { ...rest, job_ids: jobIds, options: JSON.parse(options) as ReviewRecord['options'] };
}

export function reviewRow(review: ReviewRecord, userId: string): IngestionReviewTable {
  const { job_ids: _jobs, stands: _stands, options, ...rest } = review;
  return { ...rest, user_id: userId, options: JSON.stringify(options), acknowledged: 1 };
}
