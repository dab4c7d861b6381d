import type { AudioFormat } from '#core/job/format-order.ts';
import type { Track } from '#core/music/catalog.ts';
import type { AccessionDb } from '../db.ts';

/**
 * REVIEW-24: what the audio of these tracks was made from, where it was made here; the newest where there were several.
 * `claimed`: jobs of other batches that hold a track, by track.
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
  const makers = (await db.jobs.where('matched_track_id').anyOf(ids).toArray())
    .filter((job) => job.phase === 'published' || claimed.get(job.matched_track_id ?? '') === job.id)
    .sort((a, b) => a.updated_at - b.updated_at);
  return new Map(
    makers.flatMap(({ matched_track_id: id, codec, bitrate, lossless }) =>
      id === null ? [] : [[id, { codec, bitrate, lossless }] as const],
    ),
  );
}
