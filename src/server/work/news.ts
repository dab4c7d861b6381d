/** What people and commits did to an upload, as its worker has to learn it. */
import type { WorkNews } from '#core/sync/work-protocol.ts';
import type { Reader } from '../store/schema.ts';

/** Everything the worker may not know; it takes what is new to it. */
export async function readNews(db: Reader, batchId: string): Promise<WorkNews> {
  const jobs = await db
    .selectFrom('ingestion_jobs')
    .select(['id', 'committed', 'cancelled_at', 'matched_track_id', 'output_file_path'])
    .where('batch_id', '=', batchId)
    .where((eb) => eb.or([eb('committed', '=', 1), eb('cancelled_at', 'is not', null)]))
    .execute();
  const published = jobs
    .filter((job) => Number(job.committed) === 1)
    .map((job) => ({ job_id: job.id, track_id: job.matched_track_id, output_file_path: job.output_file_path }));
  const cancelled = jobs.filter((job) => Number(job.committed) !== 1).map((job) => job.id);
  return { published, cancelled, answers: await answersOf(db, batchId) };
}

async function answersOf(db: Reader, batchId: string): Promise<WorkNews['answers']> {
  const rows = await db
    .selectFrom('ingestion_reviews as review')
    .innerJoin('ingestion_jobs as job', 'job.id', 'review.job_id')
    .select(['review.id', 'review.selected_option', 'review.resolved_by_user_id'])
    .where('job.batch_id', '=', batchId)
    .where('review.resolved_at', 'is not', null)
    .where('review.acknowledged', '=', 0)
    .orderBy('review.resolved_at')
    .execute();
  return rows.flatMap(({ id, selected_option, resolved_by_user_id }) =>
    selected_option === null ? [] : [{ review_id: id, selected_option, resolved_by_user_id }],
  );
}

/** In place of the ids of other people's jobs, which are not the uploader's business. */
const SOMEBODY = 'of-somebody-else';

/** Tracks that jobs of other batches and workstations are about to publish. */
export async function heldTracks(
  db: Reader,
  batch: { id: string; user_id: string },
): Promise<{ track_id: string; job_id: string }[]> {
  const rows = await db
    .selectFrom('ingestion_jobs')
    .select(['id', 'matched_track_id', 'user_id'])
    .where('status', '=', 'CONVERTING')
    .where('matched_track_id', 'is not', null)
    .where((eb) => eb.or([eb('batch_id', 'is', null), eb('batch_id', '!=', batch.id)]))
    .execute();
  return rows.flatMap(({ id, matched_track_id, user_id }) =>
    matched_track_id === null
      ? []
      : [{ track_id: matched_track_id, job_id: user_id === batch.user_id ? id : SOMEBODY }],
  );
}
