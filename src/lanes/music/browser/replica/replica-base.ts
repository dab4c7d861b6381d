/**
 * The matcher's index of the replica as of some version: opened from its file, or built from the rows and stored.
 *
 *   file named by the meta row --opened--> base
 *      | none, cut, damaged, of another version or another catalog
 *      +--> built from the rows (one tab at a time) --large enough: written, named--> base
 */
import * as v from 'valibot';
import { packCatalog, unpackCatalog } from '#lanes/music/core/index/compact-catalog.ts';
import { openCompactIndex, type CompactIndex } from '#lanes/music/core/index/compact-index.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';
import { readReplicaState } from '#adapters/browser/meta.ts';
import { publishIndex, readIndexState } from './replica-changes.ts';
import type { KeptFiles } from '#adapters/browser/kept-files.ts';
import type { EntityTable } from 'dexie';
import { CompactBuilder, type Built } from '#lanes/music/core/index/build.ts';

/** What a file of the index says about itself. */
interface IndexNote {
  catalog_id: string | null;
  /** Of the replica: what changed afterwards is laid over. */
  version: number;
}

/** Milliseconds of work between two looks at what else is to be done. */
const WORK_MS = 15;
/** Rows that are read at once. */
const BATCH = 2000;

/** Runs work that pauses to its end, and lets messages in every few milliseconds. */
export async function inSlices<T>(steps: Generator<void, T>): Promise<T> {
  let begun = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - begun < WORK_MS) continue;
    await breathe();
    begun = performance.now();
  }
}

/** A turn of the event loop; a timer would be slowed down in the background. */
function breathe(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/**
 * Builds the index from the rows of the replica, a batch at a time. What changes while they are read is listed as
 * changed since the noted version, and laid over: whether a batch has it already does not matter. Null while the
 * replica is not complete: nothing is listed then.
 */
async function buildFromRows(db: AccessionDb): Promise<(Built & { note: IndexNote }) | null> {
  const { catalog_id, version, complete } = await readReplicaState(db);
  if (!complete) return null;
  const note: IndexNote = { catalog_id, version };
  const builder = new CompactBuilder();
  await eachRow(db.artists, (row) => builder.addArtist(row));
  await eachRow(db.albums, (row) => builder.addAlbum(row));
  await eachRow(db.tracks, (row) => builder.addTrack(row));
  return { ...(await inSlices(builder.steps(note))), note };
}

async function eachRow<T extends { id: string }>(table: EntityTable<T, 'id'>, take: (row: T) => void): Promise<void> {
  let last = '';
  for (;;) {
    const rows: T[] = await table.where(':id').above(last).limit(BATCH).toArray();
    await inSlices(
      (function* () {
        for (const [n, row] of rows.entries()) {
          if (n % 100 === 0) yield;
          take(row);
        }
      })(),
    );
    const end = rows.at(-1);
    if (end === undefined) return;
    last = end.id;
  }
}

/** Catalogs of fewer tracks are built at every start: it takes no longer than a few seconds. */
export const LEAST_STORED = 50_000;

/** Tabs build and store the matcher's index one after the other; files that no row names are collected meanwhile. */
export async function underIndexLock<T>(work: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? navigator.locks.request('accession-index', work) : work();
}

export interface Base {
  index: CompactIndex;
  /** Of the replica. */
  version: number;
}

export interface BaseOptions {
  db: AccessionDb;
  files: Promise<KeptFiles>;
  /** Catalogs of fewer tracks are built at every start: it takes no longer than a few seconds. */
  leastStored: number;
}

/** A file that was fetched ready-made knows nothing of this replica's versions. */
const NoteSchema = v.object({ catalog_id: v.nullable(v.string()), version: v.optional(v.number()) });

/** The stored index, or one built now. Null while the replica is not complete. */
export async function openBase(options: BaseOptions): Promise<Base | null> {
  return (await openStored(options)) ?? (await buildBase(options, -1));
}

/** Null where there is none that can be used; damage is no error, the index is built anew. */
async function openStored({ db, files }: BaseOptions): Promise<Base | null> {
  const { file } = await readIndexState(db);
  const buffer = file === null ? null : await (await files).read(file.name);
  if (buffer === null) return null;
  try {
    const index = openCompactIndex(unpackCatalog(buffer));
    const note = v.safeParse(NoteSchema, index.compact.note);
    if (!note.success || file === null || (note.output.version ?? file.version) !== file.version) return null;
    if (note.output.catalog_id !== (await readReplicaState(db)).catalog_id) return null;
    return { index, version: file.version };
  } catch {
    return null;
  }
}

/** Builds the index from the rows; where another tab has just stored one that is later than `after`, takes that. Null as above. */
export async function buildBase(options: BaseOptions, after: number): Promise<Base | null> {
  const build = async (): Promise<Base | null> => {
    const stored = await openStored(options);
    if (stored !== null && stored.version > after) return stored;
    const built = await buildFromRows(options.db);
    if (built === null) return null;
    const { catalog, strings, note } = built;
    const base = { index: openCompactIndex(catalog), version: note.version };
    const name = base.index.trackCount < options.leastStored ? null : `catalog-${note.version}-${crypto.randomUUID()}`;
    const files = await options.files;
    const written = name !== null && (await isWritten(files, name, packCatalog(catalog, strings)));
    const published = await publishIndex(options.db, note.version, written ? name : null);
    // What the row names is kept: if the replica was begun anew meanwhile, that is not this one.
    const kept = published && written ? name : ((await readIndexState(options.db)).file?.name ?? null);
    await files.keepOnly((one) => one === kept);
    return base;
  };
  return underIndexLock(build);
}

/** Without space for the file the index serves from memory, and is built again at the next start. */
export async function isWritten(files: KeptFiles, name: string, pieces: readonly Uint8Array[]): Promise<boolean> {
  try {
    await files.write(name, pieces);
    return true;
  } catch {
    return false;
  }
}
