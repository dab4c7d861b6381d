/** Jobs, steps and reviews: rows as the wire has them, and records as rows. Contexts are lower case there and upper case in storage, as the specification writes both. */
import type { MirroredJob, MirroredReview, Step } from '#core/sync/protocol.ts';
import { chunks, upsert } from '../store/rows.ts';
import type { IngestionJobTable, IngestionReviewTable, IngestionStepTable, Tx } from '../store/schema.ts';

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

export function toStep(row: IngestionStepTable): Step {
  const { job_id: _job, metadata, ...rest } = row;
  // Written by `stepRow` alone.
  return { ...rest, metadata: JSON.parse(metadata) as Record<string, unknown> };
}

export function stepRow(step: Step, jobId: string): IngestionStepTable {
  return { ...step, job_id: jobId, metadata: JSON.stringify(step.metadata) };
}

export function toReview(row: IngestionReviewTable, jobIds: string[]): MirroredReview {
  const { acknowledged: _acknowledged, user_id: _user, options, ...rest } = row;
  // Written by `reviewRow` alone.
  return { ...rest, job_ids: jobIds, options: JSON.parse(options) as MirroredReview['options'] };
}

export function reviewRow(review: MirroredReview, userId: string): IngestionReviewTable {
  const { job_ids: _jobs, stands: _stands, options, ...rest } = review;
  return { ...rest, user_id: userId, options: JSON.stringify(options), acknowledged: 1 };
}

/** Writes a review, over what was there, with the jobs that it is about. */
export async function putReview(
  tx: Tx,
  row: IngestionReviewTable,
  about: Pick<MirroredReview, 'job_id' | 'job_ids'>,
): Promise<void> {
  const { id: review_id } = row;
  await upsert(tx, 'ingestion_reviews', [row]);
  await tx.deleteFrom('ingestion_review_jobs').where('review_id', '=', review_id).execute();
  const links = jobsAbout(about).map((job_id) => ({ review_id, job_id }));
  for (const part of chunks(links, 2)) await tx.insertInto('ingestion_review_jobs').values(part).execute();
}

/** Every job that a review is about, once. */
export function jobsAbout({ job_id, job_ids }: Pick<MirroredReview, 'job_id' | 'job_ids'>): string[] {
  return [...new Set([job_id, ...job_ids])];
}
