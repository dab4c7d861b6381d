/**
 * SYNC-28: a server that was put back to an older copy, or lost its data, has lost results that were published from
 * here. They are noted when the replica had to start over, and when the server says of one that it knows no commit of
 * it; a person is offered to publish them again.
 */
import * as v from 'valibot';
import { isMusicJob, type MusicJob } from '#lanes/music/core/types.ts';
import type { Clock } from '#core/ports.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';

const ROW = 'lost';
const RESTART_ROW = 'restart';

const LostSchema = v.object({
  at: v.number(),
  job_ids: v.array(v.string()),
  /** The server's own word: its track may have other audio by now. */
  said: v.optional(v.array(v.string()), []),
});
type Lost = v.InferOutput<typeof LostSchema>;

/** Before the first page of the new copy: what follows may be cut off in between, and is made up for then. */
export async function noteRestart(db: AccessionDb, clock: Clock): Promise<void> {
  await db.meta.put({ key: RESTART_ROW, value: clock.now() });
}

export async function restartPending(db: AccessionDb): Promise<boolean> {
  return (await db.meta.get(RESTART_ROW)) !== undefined;
}

/** Once the new copy is whole: which results of this workstation it lacks. */
export async function noteLost(db: AccessionDb, clock: Clock): Promise<void> {
  await db.transaction('rw', db.jobs, db.tracks, db.meta, async () => {
    const job_ids = await missing(
      db,
      (await db.jobs.where('status').equals('COMPLETED').toArray()).map((job) => job.id),
    );
    const before = await readLost(db);
    const all = [...new Set([...(before?.job_ids ?? []), ...job_ids])];
    if (all.length > 0) await putLost(db, { at: clock.now(), job_ids: all, said: before?.said ?? [] });
    await db.meta.delete(RESTART_ROW);
  });
}

/**
 * SYNC-55: the server has lost the audio of these tracks. Noted before the copy of the catalog says so: what is listed is
 * what the copy lacks. Answers the jobs of this workstation that published it.
 */
export async function noteLostAudio(db: AccessionDb, clock: Clock, trackIds: readonly string[]): Promise<string[]> {
  const tracks = new Set(trackIds);
  return db.transaction('rw', db.jobs, db.meta, async () => {
    const done = (await db.jobs.where('status').equals('COMPLETED').toArray()).filter(isMusicJob);
    const own = done.filter((job) => job.phase === 'published' && tracks.has(job.matched_track_id ?? ''));
    const ids = own.map(({ id }) => id);
    if (ids.length === 0) return ids;
    const before = await readLost(db);
    const job_ids = [...new Set([...(before?.job_ids ?? []), ...ids])];
    await putLost(db, { at: clock.now(), job_ids, said: before?.said ?? [] });
    return ids;
  });
}

/** FAULT-3: the server knows of no commit of these published jobs. */
export async function noteSaidLost(db: AccessionDb, clock: Clock, jobIds: readonly string[]): Promise<void> {
  await db.transaction('rw', db.jobs, db.meta, async () => {
    const said = (await published(db, jobIds)).map((job) => job.id);
    if (said.length === 0) return;
    const before = await readLost(db);
    const all = [...new Set([...(before?.said ?? []), ...said])];
    await putLost(db, { at: before?.at ?? clock.now(), job_ids: before?.job_ids ?? [], said: all });
  });
}

/** It is published again: the server's word of then is none any more. */
export async function forgetSaidLost(db: AccessionDb, jobIds: readonly string[]): Promise<void> {
  await db.transaction('rw', db.meta, async () => {
    const before = await readLost(db);
    if (before !== null) await putLost(db, { ...before, said: before.said.filter((id) => !jobIds.includes(id)) });
  });
}

const putLost = (db: AccessionDb, value: Lost) => db.meta.put({ key: ROW, value });

async function published(db: AccessionDb, ids: readonly string[]): Promise<MusicJob[]> {
  return (await db.jobs.bulkGet([...ids])).filter(isMusicJob).filter((job) => job.phase === 'published');
}

async function readLost(db: AccessionDb): Promise<Lost | null> {
  const parsed = v.safeParse(LostSchema, (await db.meta.get(ROW))?.value);
  return parsed.success ? parsed.output : null;
}

/** Of these jobs those that were published and whose track has no audio in the catalog. */
async function missing(db: AccessionDb, ids: readonly string[]): Promise<string[]> {
  const jobs = await published(db, ids);
  const tracks = await db.tracks.bulkGet(jobs.map((job) => job.matched_track_id ?? ''));
  return jobs.filter((_, at) => tracks[at]?.availability !== 'available').map((job) => job.id);
}

/** What the catalog lacks still, by what can be done: `here` have their original, `gone` have to be dropped again. */
export async function lostResults(db: AccessionDb): Promise<{ at: number; here: string[]; gone: string[] } | null> {
  const lost = await readLost(db);
  if (lost === null) return null;
  const jobs = await published(db, [...new Set([...(await missing(db, lost.job_ids)), ...lost.said])]);
  const here = jobs.filter((job) => job.temp_file_path !== null).map((job) => job.id);
  const gone = jobs.filter((job) => job.temp_file_path === null).map((job) => job.id);
  return here.length + gone.length === 0 ? null : { at: lost.at, here, gone };
}

/** The person leaves them: they are not spoken of again. */
export async function leaveLost(db: AccessionDb): Promise<void> {
  await db.meta.delete(ROW);
}
