/**
 * What changed in the replica since the matcher's index was built: each record as it is now, written with the page
 * that brought it, so that one read brings the index up. Before the first complete load nothing is noted, everything is new.
 */
import * as v from 'valibot';
import type { CatalogChanges } from '#core/music/compact/overlay-changes.ts';
import type { CompactIndex } from '#core/music/compact/compact-index.ts';
import type { Album, Artist, Track } from '#core/music/catalog.ts';
import type { AccessionDb } from './db.ts';
import { readReplicaState } from './meta.ts';

const IndexStateSchema = v.object({
  /** Changes of this version and before are not listed any more: an index of an earlier one cannot be brought up. */
  pruned: v.number(),
  /** The stored index, and the version of the replica that it holds. */
  file: v.nullable(v.object({ name: v.string(), version: v.number() })),
});

/** What a page put and deleted, each record once. */
interface Noted {
  artists: readonly Artist[];
  albums: readonly Album[];
  tracks: readonly Track[];
  gone: Record<'artist' | 'album' | 'track', readonly string[]>;
}

/** Meta row `index`. */
export type IndexState = v.InferOutput<typeof IndexStateSchema>;

export async function readIndexState(db: AccessionDb): Promise<IndexState> {
  const outcome = v.safeParse(IndexStateSchema, (await db.meta.get('index'))?.value);
  return outcome.success ? outcome.output : { pruned: 0, file: null };
}

/** Within the transaction that applies a page. */
export async function noteChanges(db: AccessionDb, changes: Noted, version: number): Promise<void> {
  const { artists, albums, tracks, gone } = changes;
  await db.changed.bulkPut([
    ...artists.map((record) => ({ key: `artist:${record.id}`, version, kind: 'artist' as const, record })),
    ...albums.map((record) => ({ key: `album:${record.id}`, version, kind: 'album' as const, record })),
    ...tracks.map((record) => ({ key: `track:${record.id}`, version, kind: 'track' as const, record })),
    ...(['artist', 'album', 'track'] as const).flatMap((kind) =>
      gone[kind].map((id) => ({ key: `${kind}:${id}`, version, kind, record: null })),
    ),
  ]);
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
    const changes = {
      artists: [] as Artist[],
      albums: [] as Album[],
      tracks: [] as Track[],
      gone: { artists: [] as string[], albums: [] as string[], tracks: [] as string[] },
    };
    for (const row of await listed.toArray()) {
      if (row.record === null) changes.gone[`${row.kind}s`].push(row.key.slice(row.kind.length + 1));
      else if (row.kind === 'artist') changes.artists.push(row.record);
      else if (row.kind === 'album') changes.albums.push(row.record);
      else changes.tracks.push(row.record);
    }
    await addOlder(db, base, changes);
    return { version, count, changes };
  });
}

/** What points at a new record may have come before it, and stand in no index yet. The first row of an id counts. */
async function addOlder(
  db: AccessionDb,
  { rows }: CompactIndex,
  { artists, albums, tracks }: { artists: Artist[]; albums: Album[]; tracks: Track[] },
): Promise<void> {
  const newArtists = artists.map(({ id }) => id).filter((id) => rows.artistRow(id) < 0);
  if (newArtists.length > 0) albums.push(...(await db.albums.where('artist_id').anyOf(newArtists).toArray()));
  const newAlbums = albums.map(({ id }) => id).filter((id) => rows.albumRow(id) < 0);
  if (newAlbums.length > 0) tracks.push(...(await db.tracks.where('album_id').anyOf(newAlbums).toArray()));
}
