import type { MusicJob } from '../types.ts';
import type { Track } from '../catalog.ts';

/** Which of two files has the better audio, by what its format says. */
export type AudioFormat = Pick<MusicJob, 'codec' | 'bitrate' | 'lossless'>;

/** Share by which a lossy bitrate must be higher to be better: encoders round. */
const CLEARLY = 1.1;

/** REVIEW-4: sorts the better format first: lossless, then bitrate, then size, then the path so that it is stable. */
export function betterFormat(a: MusicJob, b: MusicJob): number {
  return (
    Number(b.lossless ?? false) - Number(a.lossless ?? false) ||
    (b.bitrate ?? 0) - (a.bitrate ?? 0) ||
    b.file_size_bytes - a.file_size_bytes ||
    (a.path < b.path ? -1 : 1)
  );
}

/** Whether `mine` is better than `present`; null where that cannot be known. Equal formats are not better. */
export function isBetter(mine: AudioFormat, present: AudioFormat): boolean | null {
  if (mine.lossless === null || present.lossless === null) return null;
  if (mine.lossless !== present.lossless) return mine.lossless;
  if (mine.lossless) return false;
  if (mine.bitrate === null || present.bitrate === null) return null;
  return mine.bitrate > present.bitrate * CLEARLY;
}

/** `FLAC 912 kbit/s`. */
export function formatName({ codec, bitrate }: AudioFormat): string {
  const parts = [codec ?? 'an unknown format', ...(bitrate === null ? [] : [`${Math.round(bitrate / 1000)} kbit/s`])];
  return parts.join(' ');
}

/** REVIEW-24: which file the audio that the catalog has for a track was made from. */

/**
 * Among these jobs the one that the catalog names by its content, published; where the catalog names none, the one
 * published last. null: the audio was made by another program, or it is not known here.
 */
export function formerJob(track: Pick<Track, 'id' | 'original_sha256'>, jobs: readonly MusicJob[]): MusicJob | null {
  const published = jobs
    .filter((job) => job.matched_track_id === track.id && job.phase === 'published')
    .sort((a, b) => (b.completed_at ?? b.updated_at) - (a.completed_at ?? a.updated_at));
  if (track.original_sha256 === undefined) return published[0] ?? null;
  return published.find((job) => job.sha256 === track.original_sha256) ?? null;
}
