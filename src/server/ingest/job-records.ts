/** Jobs, steps and reviews: rows as the wire has them. Contexts are lower case there and upper case in storage, as the specification writes both. */
import type * as v from 'valibot';
import type { MirroredJob, MirroredReviewSchema, StepSchema } from '#core/sync/protocol.ts';
import type { IngestionJobTable, IngestionReviewTable, IngestionStepTable } from '../store/schema.ts';

export type StepRecord = v.InferOutput<typeof StepSchema>;
export type ReviewRecord = v.InferOutput<typeof MirroredReviewSchema>;

export function toJob(row: IngestionJobTable): MirroredJob & { user_id: string } {
  const { committed: _committed, context_type, ...rest } = row;
  return { ...rest, context_type: context_type === 'DOWNLOAD_REQUEST' ? 'download_request' : 'spontaneous' };
}

export function jobRow(job: MirroredJob, userId: string): IngestionJobTable {
  const context_type = job.context_type === 'download_request' ? 'DOWNLOAD_REQUEST' : 'SPONTANEOUS';
  return { ...job, context_type, user_id: userId, committed: 0 };
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
  const { job_ids: _jobs, options, ...rest } = review;
  return { ...rest, user_id: userId, options: JSON.stringify(options), acknowledged: 1 };
}
