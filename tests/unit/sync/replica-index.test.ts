import { describe, expect, it } from 'vitest';
import { IndexSource } from '#lanes/music/browser/replica/catalog-index.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';
import { createReplica } from '#lanes/music/browser/replica/replica.ts';
import { readIndexState } from '#lanes/music/browser/replica/replica-changes.ts';
import type { KeptFiles } from '#adapters/browser/kept-files.ts';
import { AccessionError, failed } from '#core/errors.ts';
import { ok } from '#core/result.ts';
import type { Change } from '#lanes/music/core/catalog.ts';
import { openDb } from './world.ts';

const put = (kind: Change['kind'], id: string, record: object): Change => ({ kind, id, op: 'put', record });
const gone = (kind: Change['kind'], id: string): Change => ({ kind, id, op: 'delete', record: null });
const artist = (id: string, name: string): Change => put('artist', id, { id, name });
const album = (id: string, title: string): Change =>
  put('album', id, {
    ...{ id, title, artist_id: 'ar1', artist: 'Valvehead', year: 1997 },
    ...{ is_compilation: false, discs: 1, track_count: 2 },
  });
const track = (id: string, title: string, album_id = 'al1', position = 1): Change =>
  put('track', id, {
    ...{ id, album_id, title, artist_id: 'ar1', artist: 'Valvehead', disc: 1, position },
    ...{ duration_ms: 200_000, availability: 'missing' },
  });

class MemoryFiles implements KeptFiles {
  readonly files = new Map<string, Uint8Array<ArrayBuffer>>();
  writes = 0;
  full = false;
  write = (name: string, pieces: readonly Uint8Array[]): Promise<void> => {
    if (this.full) return Promise.reject(failed('storage_full', 'There is no space left.'));
    this.writes += 1;
    const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
    let at = 0;
    for (const piece of pieces) {
      all.set(piece, at);
      at += piece.length;
    }
    this.files.set(name, all);
    return Promise.resolve();
  };
  read = (name: string): Promise<ArrayBuffer | null> => Promise.resolve(this.files.get(name)?.slice().buffer ?? null);
  keepOnly = (keeps: (name: string) => boolean): Promise<void> => {
    for (const other of this.files.keys()) if (!keeps(other)) this.files.delete(other);
    return Promise.resolve();
  };
}

interface World {
  db: AccessionDb;
  files: MemoryFiles;
  changes: Change[];
  pull(): Promise<void>;
  /** The server's catalog becomes another one. */
  replace(changes: Change[]): void;
  source(leastStored?: number): IndexSource;
}

async function setUp(): Promise<World> {
  const db = openDb();
  const files = new MemoryFiles();
  let catalog = 'cat-1';
  const world: World = {
    db,
    files,
    changes: [artist('ar1', 'Valvehead'), album('al1', 'Fine Machine'), track('t1', 'Seatbelt'), track('t2', 'Exit')],
    pull: async () => {
      const outcome = await createReplica({ db, client: { changes: feed }, pageSize: 50 }).pull();
      if (!outcome.ok) throw new AccessionError(outcome.failure);
    },
    replace: (changes) => {
      catalog = 'cat-2';
      world.changes = changes;
    },
    source: (leastStored = 1) => new IndexSource(db, { files, leastStored }),
  };
  const feed: Parameters<typeof createReplica>[0]['client']['changes'] = (cursor, limit) => {
    const [of, at] = cursor === null ? [catalog, 0] : [cursor.split('.')[0] ?? '', Number(cursor.split('.')[1])];
    if (of !== catalog) return Promise.resolve(ok({ kind: 'start_over' as const }));
    const items = world.changes.slice(at, at + limit);
    const next = at + items.length;
    const page = { items, next_cursor: `${catalog}.${next}`, more: next < world.changes.length, catalog_id: catalog };
    return Promise.resolve(ok({ kind: 'page' as const, page }));
  };
  await world.pull();
  return world;
}

const noted = async (db: AccessionDb): Promise<string[]> =>
  (await db.changed.toArray())
    .flatMap(({ artists, albums, tracks, gone }) => [
      ...[...artists.map((row) => row.id), ...gone.artist].map((id) => `artist:${id}`),
      ...[...albums.map((row) => row.id), ...gone.album].map((id) => `album:${id}`),
      ...[...tracks.map((row) => row.id), ...gone.track].map((id) => `track:${id}`),
    ])
    .sort();

describe('the matcher’s index of the replica', () => {
  it('REPLICA-1, REPLICA-16: is built once, stored, and opened from its file by the next start', async () => {
    const { db, files, source } = await setUp();
    expect((await source().get())?.track('t1')?.title).toBe('Seatbelt');
    expect(files.writes).toBe(1);
    expect((await readIndexState(db)).file?.name).toBe([...files.files.keys()][0]);
    expect((await source().get())?.album('al1')?.tracks.map((row) => row.id)).toEqual(['t2', 't1']);
    expect(files.writes).toBe(1);
  });

  it('REPLICA-2: what changed since is laid over, in this session and after a start', async () => {
    const { db, files, changes, pull, source } = await setUp();
    const first = source();
    await first.get();
    changes.push(track('t1', 'Seat Belt'), gone('track', 't2'), track('t3', 'Set Down'), album('al2', 'New'));
    changes.push(track('t4', 'Party', 'al2'), artist('ar1', 'Valve Head'));
    await pull();
    for (const index of [await first.get(), await source().get()]) {
      expect(index?.track('t1')?.title).toBe('Seat Belt');
      expect(index?.track('t2')).toBeNull();
      expect(index?.album('al1')?.tracks.map((row) => row.id)).toEqual(['t1', 't3']);
      expect(index?.album('al2')?.tracks.map((row) => row.id)).toEqual(['t4']);
      expect(index?.trackCount).toBe(3);
    }
    expect(files.writes).toBe(1);
    expect(await noted(db)).toEqual(['album:al2', 'artist:ar1', 'track:t1', 'track:t2', 'track:t3', 'track:t4']);
  });

  it('SYNC-80 the search box finds what changed since, and no more what it was', async () => {
    const { changes, pull, source } = await setUp();
    const index = source();
    expect((await index.search('seatbe', 5)).tracks.map(({ id }) => id)).toEqual(['t1']);
    changes.push(track('t1', 'Zwischenzug'), gone('track', 't2'), artist('ar1', 'Endspiel'));
    await pull();
    for (const now of [index, source()]) {
      expect((await now.search('zwisch', 5)).tracks.map(({ id }) => id)).toEqual(['t1']);
      expect((await now.search('endspeil', 5)).artists.map(({ id }) => id)).toEqual(['ar1']);
      expect((await now.search('seatbelt', 5)).tracks).toEqual([]);
    }
  });

  it('REPLICA-2, REPLICA-17: a track that came before its album is found when the album comes', async () => {
    const { changes, pull, source } = await setUp();
    changes.push(track('t9', 'Early', 'al9'));
    await pull();
    const index = source();
    expect((await index.get())?.track('t9')).toBeNull();
    changes.push(album('al9', 'Late'));
    await pull();
    expect((await index.get())?.track('t9')?.title).toBe('Early');
  });

  it('REPLICA-3, SYNC-82: a file that is gone, cut, damaged or of another format is built anew', async () => {
    const versionAt = (bytes: Uint8Array): number =>
      new TextDecoder('latin1').decode(bytes).indexOf('"version":3') + '"version":'.length;
    const { files, source } = await setUp();
    await source().get();
    const spoil: ((name: string, bytes: Uint8Array<ArrayBuffer>) => unknown)[] = [
      (name) => files.files.delete(name),
      (name, bytes) => files.files.set(name, bytes.slice(0, bytes.length - 100)),
      (_, bytes) => bytes.fill(7, bytes.length >> 1),
      (_, bytes) => bytes.fill(7, 0, 8),
      // As the version before wrote it.
      (_, bytes) => bytes.set(new TextEncoder().encode('2'), versionAt(bytes)),
    ];
    for (const [n, how] of spoil.entries()) {
      for (const [name, bytes] of files.files) how(name, bytes);
      expect((await source().get())?.track('t1')?.title).toBe('Seatbelt');
      expect(files.writes).toBe(n + 2);
      expect(files.files.size).toBe(1);
    }
  });

  it('REPLICA-5, REPLICA-18: after many changes it is built anew and the old file goes', async () => {
    const { db, files, changes, pull, source } = await setUp();
    const index = source();
    await index.get();
    const before = [...files.files.keys()];
    for (let n = 0; n < 1600; n++) changes.push(track(`n${n}`, `Number ${n}`, 'al1', n + 3));
    await pull();
    expect((await index.get())?.trackCount).toBe(1602);
    expect([files.writes, files.files.size, await noted(db)]).toEqual([2, 1, []]);
    expect([...files.files.keys()]).not.toEqual(before);
  });

  it('REPLICA-6: another catalog makes the index of the old one void', async () => {
    const { db, pull, replace, source } = await setUp();
    const index = source();
    await index.get();
    replace([artist('ar1', 'Valvehead'), album('al1', 'Other'), track('t7', 'Only One')]);
    await pull();
    for (const now of [await index.get(), await source().get()]) {
      expect(now?.track('t1')).toBeNull();
      expect(now?.track('t7')?.title).toBe('Only One');
    }
    expect(await noted(db)).toEqual([]);
  });

  it('REPLICA-7, REPLICA-16: without space, or for a small catalog, it serves from memory', async () => {
    const { db, files, changes, pull, source } = await setUp();
    expect((await source(1000).get())?.trackCount).toBe(2);
    files.full = true;
    const index = source();
    expect((await index.get())?.trackCount).toBe(2);
    expect([files.files.size, (await readIndexState(db)).file]).toEqual([0, null]);
    changes.push(track('t3', 'Set Down'));
    await pull();
    expect((await index.get())?.trackCount).toBe(3);
  });

  it('REPLICA-7: without a file system the file is a blob in IndexedDB', async () => {
    const { db } = await setUp();
    const open = (): IndexSource => new IndexSource(db, { leastStored: 1 });
    expect((await open().get())?.trackCount).toBe(2);
    const [stored] = await db.files.toArray();
    expect(stored?.name).toBe((await readIndexState(db)).file?.name);
    expect((await open().get())?.trackCount).toBe(2);
    expect((await db.files.toArray()).map((file) => file.name)).toEqual([stored?.name]);
  });

  it('REPLICA-7, REPLICA-19: tabs that build and compact beside each other all answer from the newest', async () => {
    const { changes, pull, source } = await setUp();
    const tabs = [source(), source(), source(1000)];
    await Promise.all(tabs.map((tab) => tab.get()));
    for (let n = 0; n < 5; n++) {
      changes.push(track(`x${n}`, `Extra ${n}`, 'al1', n + 3));
      await pull();
      const late = source(n % 2 === 0 ? 1 : 1000);
      for (const tab of [...tabs, late]) expect((await tab.get())?.trackCount).toBe(3 + n);
    }
  });

  it('is null until the catalog is complete', async () => {
    const db = openDb();
    expect(await new IndexSource(db, { files: new MemoryFiles() }).get()).toBeNull();
    expect(await new IndexSource(db).search('x', 5)).toEqual({ albums: [], tracks: [], artists: [] });
  });
});
