/**
 * What changed in the replica since the matcher's index was built: a name per record, written with the page that
 * brought it. Before the first complete load nothing is noted, everything is new.
 */
import * as v from 'valibot';
import type { CatalogChanges } from '#core/music/compact/overlay-changes.ts';
import type { CompactIndex } from '#core/music/compact/compact-index.ts';
import type { Change } from '#core/sync/protocol.ts';
import type { AccessionDb } from './db.ts';
import { readReplicaState } from './meta.ts';

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
export async function noteChanges(db: AccessionDb, items: readonly Change[], version: number): Promise<void> {
  const names = new Set(items.filter(({ kind }) => kind !== 'download_request').map(({ kind, id }) => `${kind}:${id}`));
  await db.changed.bulkPut([...names].map((key) => ({ key, version })));
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

export interface ReadChanges {
  /** Of the replica. */
  version: number;
  count: number;
  /** Null where there are more than `most`: they were not read. */
  changes: CatalogChanges | null;
}

/** Everything that differs from an index of `since`, as of one moment. Null when that is no longer known. */
export async function readChanges(
  db: AccessionDb,
  base: CompactIndex,
  since: number,
  most: number,
): Promise<ReadChanges | null> {
  return db.transaction('r', [db.meta, db.changed, db.artists, db.albums, db.tracks], async () => {
    if (since < (await readIndexState(db)).pruned) return null;
    const { version } = await readReplicaState(db);
    const listed = db.changed.where('version').above(since);
    const count = await listed.count();
    if (count > most) return { version, count, changes: null };
    const ids = { artist: new Set<string>(), album: new Set<string>(), track: new Set<string>() };
    for (const { key } of await listed.toArray()) {
      const kind = key.slice(0, key.indexOf(':'));
      if (kind === 'artist' || kind === 'album' || kind === 'track') ids[kind].add(key.slice(kind.length + 1));
    }
    await addNew(db, base, ids);
    const [artists, albums, tracks] = await Promise.all([
      db.artists.bulkGet([...ids.artist]),
      db.albums.bulkGet([...ids.album]),
      db.tracks.bulkGet([...ids.track]),
    ]);
    const isThere = <T>(row: T | undefined): row is T => row !== undefined;
    const gone = (all: Set<string>, rows: readonly unknown[]): string[] =>
      [...all].filter((_, at) => rows[at] === undefined);
    const changes = {
      artists: artists.filter(isThere),
      albums: albums.filter(isThere),
      tracks: tracks.filter(isThere),
      gone: { artists: gone(ids.artist, artists), albums: gone(ids.album, albums), tracks: gone(ids.track, tracks) },
    };
    return { version, count, changes };
  });
}

/** What points at a new record may have come before it, and stand in no index yet. */
async function addNew(
  db: AccessionDb,
  base: CompactIndex,
  ids: Record<'artist' | 'album' | 'track', Set<string>>,
): Promise<void> {
  const artists = [...ids.artist].filter((id) => base.rows.artistRow(id) < 0);
  for (const id of await db.albums.where('artist_id').anyOf(artists).primaryKeys()) ids.album.add(id);
  const albums = [...ids.album].filter((id) => base.rows.albumRow(id) < 0);
  for (const id of await db.tracks.where('album_id').anyOf(albums).primaryKeys()) ids.track.add(id);
}
