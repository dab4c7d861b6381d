/** Writes what whoever works on an upload says of it over what was there: the mirror's and the worker's alike. */
import { chunks } from '../store/chunks.ts';
import type { IngestionJobTable, IngestionReviewTable, Tx } from '../store/schema.ts';
import type { ReviewRecord } from './job-records.ts';

export async function putJob(tx: Tx, row: IngestionJobTable): Promise<void> {
  const { id: _id, ...rest } = row;
  await tx
    .insertInto('ingestion_jobs')
    .values(row)
    .onConflict((c) => c.column('id').doUpdateSet(rest))
    .execute();
}

/** With the jobs that it is about. */
export async function putReview(
  tx: Tx,
  row: IngestionReviewTable,
  about: Pick<ReviewRecord, 'job_id' | 'job_ids'>,
): Promise<void> {
  const { id: review_id, ...rest } = row;
  await tx
    .insertInto('ingestion_reviews')
    .values(row)
    .onConflict((c) => c.column('id').doUpdateSet(rest))
    .execute();
  await tx.deleteFrom('ingestion_review_jobs').where('review_id', '=', review_id).execute();
  const links = jobsAbout(about).map((job_id) => ({ review_id, job_id }));
  for (const part of chunks(links, 2)) await tx.insertInto('ingestion_review_jobs').values(part).execute();
}

/** Every job that a review is about, once. */
export function jobsAbout({ job_id, job_ids }: Pick<ReviewRecord, 'job_id' | 'job_ids'>): string[] {
  return [...new Set([job_id, ...job_ids])];
}
