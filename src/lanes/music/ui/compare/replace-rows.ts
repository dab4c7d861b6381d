/** What *replace* would put in the place of what. */
import { formerJob } from '#lanes/music/core/publish/format-order.ts';
import { isMusicJob, type MusicJob } from '#lanes/music/core/types.ts';
import type { Track } from '#lanes/music/core/catalog.ts';
import { db, rowsOfAny } from '#ui/client/db.ts';

export interface ReplaceRow {
  job: MusicJob;
  track: Track | null;
  /** The file that the present audio was made of, where this workstation took it in. */
  former: MusicJob | null;
}

/** A row a file, in the order of the tracks. */
export async function replaceRows(job_ids: readonly string[]): Promise<ReplaceRow[]> {
  const jobs = (await db.jobs.bulkGet([...job_ids])).filter(isMusicJob);
  const ids = jobs.flatMap((job) => job.match?.track_id ?? []);
  const [tracks, past] = await Promise.all([db.tracks.bulkGet(ids), rowsOfAny(db.jobs, 'matched_track_id', ids)]);
  const byId = new Map(tracks.flatMap((track) => (track === undefined ? [] : [[track.id, track] as const])));
  const rows = jobs.map((job) => {
    const track = byId.get(job.match?.track_id ?? '') ?? null;
    return { job, track, former: track === null ? null : formerJob(track, past.filter(isMusicJob)) };
  });
  return rows.sort((a, b) => placeOf(a) - placeOf(b));
}

/** Discs of real albums have fewer tracks than this. */
const DISC = 10_000;
const placeOf = ({ track }: ReplaceRow): number => (track === null ? Infinity : track.disc * DISC + track.position);
