import { formerJob } from '#core/job/former-job.ts';
import type { AudioFormat } from '#core/job/format-order.ts';
import type { Track } from '#core/music/catalog.ts';
import type { AccessionDb } from '../db.ts';

/**
 * REVIEW-24: what the audio of these tracks was made from, where it was made here and is still what the catalog has.
 * `claimed`: jobs of other batches that hold a track, by track; they count while the catalog has nothing.
 */
export async function presentAudio(
  db: AccessionDb,
  tracks: readonly Track[],
  claimed: ReadonlyMap<string, string>,
): Promise<Map<string, AudioFormat>> {
  const ids = tracks.flatMap((track) =>
    track.availability === 'available' || claimed.has(track.id) ? [track.id] : [],
  );
  if (ids.length === 0) return new Map();
  const jobs = await db.jobs.where('matched_track_id').anyOf(ids).toArray();
  return new Map(
    tracks.flatMap((track) => {
      const holder = claimed.get(track.id);
      const maker = track.availability === 'available' ? formerJob(track, jobs) : jobs.find((job) => job.id === holder);
      if (!maker) return [];
      const { codec, bitrate, lossless } = maker;
      return [[track.id, { codec, bitrate, lossless }] as const];
    }),
  );
}
