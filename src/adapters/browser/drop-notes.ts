/**
 * What was dropped and is not taken in yet, by name: noted by the page at the moment of the drop, beside the work, so that
 * a browser that is killed before the first row of it is written does not forget it without a word.
 *
 *   drop -> noted -> (taken in) -> forgotten
 *             \-- the browser ends: at the next start each name is a row, or is said
 */
import * as v from 'valibot';
import { arrivedAs } from '#core/run/stage/rows.ts';
import type { AccessionDb } from './db.ts';

/** Rows of `meta`, one a drop. */
const PREFIX = 'drop:';
/** Names that are kept of a drop; the rest is counted. */
const MOST_NAMES = 200;

const NoteSchema = v.object({ at: v.number(), names: v.array(v.string()), files: v.number() });

/** What of earlier drops is nowhere. */
export interface LostDrops {
  names: string[];
  /** Files, those without a kept name too. */
  files: number;
}

/** Held while a page takes a drop in: only what nobody holds is lost. */
type Locks = Pick<LockManager, 'request' | 'query'>;

/** Notes a drop of these paths; the answer forgets it. A note that cannot be written stops nobody. */
export function noteDrop(
  db: AccessionDb,
  drop: { id: string; at: number; paths: readonly string[] },
  locks: Locks | undefined,
): () => Promise<void> {
  const key = PREFIX + drop.id;
  let done = (): void => undefined;
  void locks?.request(key, () => new Promise<void>((resolve) => (done = resolve))).catch(() => undefined);
  const value = { at: drop.at, names: drop.paths.slice(0, MOST_NAMES), files: drop.paths.length };
  const written = db.meta.put({ key, value }).catch(() => undefined);
  return async () => {
    await written;
    await db.meta.delete(key).catch(() => undefined);
    done();
  };
}

/** What was noted, is taken in by no page, and is no row; notes of which all is here are forgotten. Null: nothing. */
export async function findLostDrops(db: AccessionDb, locks: Locks | undefined): Promise<LostDrops | null> {
  const held = new Set((await locks?.query())?.held?.map(({ name }) => name));
  const lost: LostDrops = { names: [], files: 0 };
  for (const { key, value } of await db.meta.where('key').startsWith(PREFIX).toArray()) {
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
export async function leaveLostDrops(db: AccessionDb, locks: Locks | undefined): Promise<void> {
  const held = new Set((await locks?.query())?.held?.map(({ name }) => name));
  const keys = await db.meta.where('key').startsWith(PREFIX).primaryKeys();
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
