/**
 * What changed in the replica since the matcher's index was built: each page's records as they were, written with the
 * page that brought them, so that a few reads bring the index up. Before the first complete load nothing is noted,
 * everything is new.
 */
import * as v from 'valibot';
import { ChangedRecords } from '#lanes/music/core/index/overlay-changes.ts';
import type { CompactIndex } from '#lanes/music/core/index/compact-index.ts';
import type { Album, Track } from '#lanes/music/core/catalog.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';
import type { ChangedRow } from '../schema.ts';
import { readReplicaState } from '#adapters/browser/meta.ts';

/** What changed since an index was built, each record as it was after `version` of the replica. */
export class ChangeLog extends ChangedRecords {
  #version: number;

  constructor(version: number) {
    super();
    this.#version = version;
  }

  get version(): number {
    return this.#version;
  }

  /** Takes pages in their order. What is known already, because somebody else read it too, is passed over. */
  add(pages: readonly ChangedRow[], version: number): void {
    for (const page of pages) {
      if (page.version <= this.#version) continue;
      enter(this.artists, page.artists, page.gone.artist);
      enter(this.albums, page.albums, page.gone.album);
      enter(this.tracks, page.tracks, page.gone.track);
    }
    this.#version = Math.max(this.#version, version);
  }
}

function enter<T extends { id: string }>(map: Map<string, T | null>, put: readonly T[], gone: readonly string[]): void {
  for (const row of put) map.set(row.id, row);
  for (const id of gone) map.set(id, null);
}

const IndexStateSchema = v.object({
  /** Changes of this version and before are not listed any more: an index of an earlier one cannot be brought up. */
  pruned: v.number(),
  /** The stored index, and the version of the replica that it holds. */
  file: v.nullable(v.object({ name: v.string(), version: v.number() })),
});

/** Meta row `index`. */
export type IndexState = v.InferOutput<typeof IndexStateSchema>;

export async function readIndexState(db: AccessionDb): Promise<IndexState> {
  const outcome = v.safeParse(IndexStateSchema, (await db.meta.get('index'))?.value);
  return outcome.success ? outcome.output : { pruned: 0, file: null };
}

/** Within the transaction that applies a page. */
export async function noteChanges(
  db: AccessionDb,
  { artists, albums, tracks, gone }: Omit<ChangedRow, 'key' | 'version'>,
  version: number,
): Promise<void> {
  const lists = [artists, albums, tracks, gone.artist, gone.album, gone.track];
  const count = lists.reduce((sum, list) => sum + list.length, 0);
  if (count === 0) return;
  const own = { artist: gone.artist, album: gone.album, track: gone.track };
  await db.changed.put({ key: `page:${version}:${count}`, version, artists, albums, tracks, gone: own });
}

/** Within the transaction that begins the replica anew: no index from before holds. */
export async function forgetIndex(db: AccessionDb, version: number): Promise<void> {
  await db.changed.clear();
  await db.meta.put({ key: 'index', value: { pruned: version, file: null } satisfies IndexState });
}

/**
 * Says that an index of this version was built, and where it is stored. False when the replica was begun anew
 * meanwhile, or a later index is there: nothing was written.
 */
export async function publishIndex(db: AccessionDb, version: number, name: string | null): Promise<boolean> {
  return db.transaction('rw', [db.meta, db.changed], async () => {
    const { pruned } = await readIndexState(db);
    if (version < pruned) return false;
    const file = name === null ? null : { name, version };
    await db.meta.put({ key: 'index', value: { pruned: version, file } satisfies IndexState });
    await db.changed.where('version').belowOrEqual(version).delete();
    return true;
  });
}

/**
 * Reads into the log what came after it. Null when that is no longer known; false when the log would hold more than
 * `most` changes: nothing was read.
 */
export async function readChanges(
  db: AccessionDb,
  base: CompactIndex,
  log: ChangeLog,
  most: number,
): Promise<boolean | null> {
  const tables = [db.meta, db.changed, db.albums, db.tracks];
  return db.transaction('r', tables, async () => {
    if (log.version < (await readIndexState(db)).pruned) return null;
    const { version } = await readReplicaState(db);
    const listed = db.changed.where('version').above(log.version);
    const keys = await listed.primaryKeys();
    if (keys.reduce((sum, key) => sum + countOf(key), log.count) > most) return false;
    // In order of the version: the last word on a record counts. One at a time, each is as long as a page.
    const pages: ChangedRow[] = [];
    for (const key of keys) {
      const page = await db.changed.get(key);
      if (page) pages.push(await withOlder(db, base, page));
    }
    log.add(pages, version);
    return true;
  });
}

/** What an earlier version of the app noted is not read: the index is built anew from the rows. */
const countOf = (key: string): number => (key.startsWith('page:') ? Number(key.split(':')[2]) : Infinity);

/** With what points at a record that is new: it may have come before it, and be in no index yet. */
async function withOlder(db: AccessionDb, { rows }: CompactIndex, page: ChangedRow): Promise<ChangedRow> {
  const albums: Album[] = [...page.albums];
  const tracks: Track[] = [...page.tracks];
  const newArtists = page.artists.map(({ id }) => id).filter((id) => rows.artistRow(id) < 0);
  if (newArtists.length > 0) albums.push(...(await db.albums.where('artist_id').anyOf(newArtists).toArray()));
  const newAlbums = albums.map(({ id }) => id).filter((id) => rows.albumRow(id) < 0);
  if (newAlbums.length > 0) tracks.push(...(await db.tracks.where('album_id').anyOf(newAlbums).toArray()));
  return { ...page, albums, tracks };
}
