/** What can be heard of a job, and what of the catalog beside it. Loaded with the dock. */
import { isMusicJob, isMusicReview, type MusicJob, type MusicReview } from '#lanes/music/core/types.ts';
import type { Track } from '#lanes/music/core/catalog.ts';
import { db } from '#ui/client/db.ts';

export interface Listened {
  job: MusicJob;
  /** The open question that it is part of. */
  review: MusicReview | null;
  /** Tracks that it might be, in the order of the question. */
  candidates: Track[];
}

/** Null when the row is gone, or no music. */
export async function listenTo(jobId: string): Promise<Listened | null> {
  const job = await db.jobs.get(jobId);
  if (!isMusicJob(job)) return null;
  const reviews = await db.reviews.where('job_ids').equals(jobId).toArray();
  const review = reviews.filter(isMusicReview).find((one) => one.resolved_at === null) ?? null;
  const tracks = await db.tracks.bulkGet(candidateIds(job, review));
  return { job, review, candidates: tracks.filter((track) => track !== undefined) };
}

/** Of an open question its options, as far as they name a track for this file; else what it was matched to. */
export function candidateIds(
  job: Pick<MusicJob, 'id' | 'matched_track_id' | 'match'>,
  review: Pick<MusicReview, 'options' | 'files'> | null,
): string[] {
  const asked = (review?.options ?? []).map(
    (option) =>
      option.track?.track_id ?? option.album?.pairs?.find((pair) => pair.file_id === job.id)?.track_id ?? null,
  );
  const proposed = review?.files.find((file) => file.job_id === job.id)?.proposed?.track_id ?? null;
  const matched = job.matched_track_id ?? job.match?.track_id ?? null;
  const all = [proposed, ...asked, matched].filter((id) => id !== null);
  return [...new Set(all)];
}

/** Seconds of the stored file that are this job's: all of it, or one track of an album image. */
export function stretchOf(job: {
  duration_ms: number | null;
  segment?: { start_ms: number; end_ms: number | null };
}): { start: number; end: number | null } | null {
  if (job.segment === undefined) return null;
  const { start_ms, end_ms } = job.segment;
  return { start: start_ms / 1000, end: end_ms === null ? null : end_ms / 1000 };
}
