/** Drops of an earlier start that were noted (drop-notes.ts) and never became rows. */
import * as v from 'valibot';
import { arrivedAs } from '#core/run/stage/rows.ts';
import type { AccessionDb } from './db.ts';
import { DROP_NOTE, type DropLocks } from './drop-notes.ts';

const NoteSchema = v.object({ at: v.number(), names: v.array(v.string()), files: v.number() });

/** What of earlier drops is nowhere. */
export interface LostDrops {
  names: string[];
  /** Files, those without a kept name too. */
  files: number;
}

/** What was noted, is taken in by no page, and is no row; notes of which all is here are forgotten. Null: nothing. */
export async function findLostDrops(db: AccessionDb, locks: DropLocks | undefined): Promise<LostDrops | null> {
  const held = new Set((await locks?.query())?.held?.map(({ name }) => name));
  const lost: LostDrops = { names: [], files: 0 };
  for (const { key, value } of await db.meta.where('key').startsWith(DROP_NOTE).toArray()) {
    if (held.has(key)) continue;
    const note = v.safeParse(NoteSchema, value);
    const here = note.success ? await pathsSince(db, note.output.at) : new Set<string>();
    const names = note.success ? note.output.names.filter((name) => !here.has(name)) : [];
    if (!note.success || names.length === 0) {
      await db.meta.delete(key);
      continue;
    }
    lost.names.push(...names);
    // Of what has no name kept as many as are no row.
    lost.files += Math.max(names.length, note.output.files - here.size);
  }
  return lost.names.length === 0 ? null : lost;
}

/** The person has read it. */
export async function leaveLostDrops(db: AccessionDb, locks: DropLocks | undefined): Promise<void> {
  const held = new Set((await locks?.query())?.held?.map(({ name }) => name));
  const keys = await db.meta.where('key').startsWith(DROP_NOTE).primaryKeys();
  await db.meta.bulkDelete(keys.filter((key) => !held.has(key)));
}

/** Paths of everything that became a row of drops from then on. */
async function pathsSince(db: AccessionDb, at: number): Promise<Set<string>> {
  const batches = await db.batches.where('created_at').aboveOrEqual(at).toArray();
  const jobs = await db.jobs
    .where('batch_id')
    .anyOf(batches.map(({ id }) => id))
    .toArray();
  const others = batches.flatMap(({ archives, companions }) => [...archives, ...companions].map(({ path }) => path));
  // A file out of an archive says that the archive is here.
  const archives = jobs.flatMap(({ archive }) => (archive === undefined ? [] : [archive]));
  return new Set([...jobs.map(arrivedAs), ...others, ...archives]);
}
