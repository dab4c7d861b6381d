/** REVIEW-24: which file the audio that the catalog has for a track was made from. */
import type { Track } from '../catalog.ts';
import type { MusicJob } from '../types.ts';

/**
 * Among these jobs the one that the catalog names by its content, published; where the catalog names none, the one
 * published last. null: the audio was made elsewhere, or it is not known here.
 */
export function formerJob(track: Pick<Track, 'id' | 'original_sha256'>, jobs: readonly MusicJob[]): MusicJob | null {
  const published = jobs
    .filter((job) => job.matched_track_id === track.id && job.phase === 'published')
    .sort((a, b) => (b.completed_at ?? b.updated_at) - (a.completed_at ?? a.updated_at));
  if (track.original_sha256 === undefined) return published[0] ?? null;
  return published.find((job) => job.sha256 === track.original_sha256) ?? null;
}
