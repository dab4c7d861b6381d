import 'fake-indexeddb/auto';
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { IndexSource } from '#lanes/music/browser/replica/catalog-index.ts';
import { openDatabase } from '#lanes/database.ts';
import { createReplica } from '#lanes/music/browser/replica/replica.ts';
import { createCatalogClient } from '#lanes/music/http/catalog-client.ts';
import { readTextIfThere, syncDirectory, writeFileAtomic } from '#adapters/node/atomic-file.ts';
import { CATALOG_FORMAT, unpackCatalog } from '#lanes/music/core/index/compact-catalog.ts';
import { openCompactIndex } from '#lanes/music/core/index/compact-index.ts';
import type { ChangesPage, SnapshotAnswer } from '#lanes/music/core/catalog.ts';
import { openSnapshots, type Snapshots } from '#lanes/music/server/snapshot/snapshots.ts';
import { musicServer } from '#lanes/music/server/lane-server.ts';
import { writeSnapshot } from '#lanes/music/server/snapshot/write-snapshot.ts';
import { countOn } from '#server/store/feed.ts';
import { openSnapshotting, type Snapshotting } from '#server/snapshot/snapshotting.ts';
import { SMALL_CATALOG, testServer, TOKEN, type TestServer } from '../fixtures/server.ts';
import { onBothStores } from '../fixtures/stores.ts';
import { testDatabase } from '../fixtures/test-store.ts';

const durable = { read: readTextIfThere, write: writeFileAtomic, sync: syncDirectory };
let server: TestServer;
afterEach(() => server.end());

let offered: Snapshots;
const start = async (leastTracks = 1, snapshotting: Snapshotting | null = null): Promise<void> => {
  server = await testServer({
    lanes: async ({ store, clock, log, events }, data) => {
      const directory = join(data, 'snapshots');
      const parts = { store, clock, log, events, files: durable, directory };
      offered = await openSnapshots({ ...parts, leastTracks, snapshotting });
      return [musicServer(offered)];
    },
  });
};
const list = async (query = ''): Promise<SnapshotAnswer> =>
  (await server.api<SnapshotAnswer>('GET', `/v1/catalog/snapshot${query}`)).body;
/** Lets the server look, and finish what it begins. */
const made = async (): Promise<NonNullable<SnapshotAnswer['snapshot']>> => {
  await list();
  await offered.settled();
  const { snapshot } = await list();
  if (snapshot === null) throw new Error(server.logged.join('\n'));
  return snapshot;
};

describe('GET /v1/catalog/snapshot', () => {
  test('REPLICA-10, REPLICA-20: the file is the index of the whole catalog, as of a cursor, under a name that never changes', async () => {
    await start(7);
    await server.importCatalog(SMALL_CATALOG);
    await server.api('POST', '/v1/download-requests', { album_id: 'al_tokyo' });
    await server.importCatalog(manyTracks(1));
    const snapshot = await made();
    const answer = await server.raw('GET', `/v1/catalog/snapshot/${snapshot.name}`);
    const packed = Buffer.from(await answer.arrayBuffer());
    expect(answer.headers.get('cache-control')).toContain('immutable');
    expect([packed.length, answer.headers.get('content-length')]).toEqual([
      snapshot.packed_bytes,
      String(snapshot.packed_bytes),
    ]);
    const bytes = gunzipSync(packed);
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(snapshot.sha256);
    const index = openCompactIndex(unpackCatalog(new Uint8Array(bytes).buffer));
    expect([index.trackCount, snapshot.tracks, snapshot.format]).toEqual([7, 7, CATALOG_FORMAT]);
    const feed = await server.api<ChangesPage>('GET', '/v1/catalog/changes?limit=5000');
    for (const { kind, id, record } of feed.body.items) {
      if (kind === 'track') expect(index.track(id)).toEqual(record);
      if (kind === 'album') expect(index.rows.albumAt(index.rows.albumRow(id))).toEqual(record);
      if (kind === 'artist') expect(index.artist(id)).toEqual(record);
      if (kind === 'download_request') expect(index.compact.note).toMatchObject({ requests: [record] });
    }
    expect(snapshot).toMatchObject({ cursor: feed.body.next_cursor, catalog_id: feed.body.catalog_id });
    const again = await server.raw('GET', `/v1/catalog/snapshot/${snapshot.name}`, null, {
      'If-None-Match': answer.headers.get('etag') ?? '',
    });
    expect(again.status).toBe(304);
    for (const name of ['nothing', '..%2Fcatalog.db', 'current.json'])
      expect((await server.raw('GET', `/v1/catalog/snapshot/${name}`)).status).toBe(404);
  });

  test('API-93 the file of a snapshot that was damaged is not sent; the next one is made', async () => {
    await start();
    await server.importCatalog(SMALL_CATALOG);
    const { name } = await made();
    const path = join(server.data, 'snapshots', `${name}.gz`);
    const bytes = await readFile(path);
    expect((await server.raw('GET', `/v1/catalog/snapshot/${name}`)).status).toBe(200);
    bytes.fill(0, 100);
    await writeFile(path, bytes);
    expect((await server.raw('GET', `/v1/catalog/snapshot/${name}`)).status).toBe(404);
    expect((await list()).snapshot).toBeNull();
    server.time.now += 3_600_000;
    expect((await server.raw('GET', `/v1/catalog/snapshot/${(await made()).name}`)).status).toBe(200);
  });

  test('REPLICA-12, REPLICA-21: a workstation that has nothing begins with it, and reads on in the feed', async () => {
    await start();
    await server.importCatalog(SMALL_CATALOG);
    const { cursor } = await made();
    await server.importCatalog(manyTracks(2));
    const client = createCatalogClient({ baseUrl: server.url, token: () => Promise.resolve(TOKEN) });
    const asked: (string | null)[] = [];
    const changes: typeof client.changes = (from, ...rest) => {
      asked.push(from);
      return client.changes(from, ...rest);
    };
    const db = openDatabase(`snapshot-${crypto.randomUUID()}`);
    const outcome = await createReplica({ db, client: { ...client, changes }, leastStored: 1 }).pull();
    expect([outcome.ok, asked]).toEqual([true, [cursor]]);
    const index = await new IndexSource(db, { leastStored: 1 }).get();
    expect([index?.trackCount, index?.track('tr_h2')?.title, await db.tracks.count()]).toEqual([8, 'Jóga', 8]);
    db.close();
  });

  test('REPLICA-11: a small catalog has none, and one is not made again for a few changes or too soon', async () => {
    await start(7);
    await server.importCatalog(SMALL_CATALOG);
    server.time.now += 3_600_000;
    await list();
    await offered.settled();
    expect(await list()).toEqual({ snapshot: null, ahead: null });
    await server.importCatalog(manyTracks(1));
    const first = await made();
    await server.importCatalog(manyTracks(5100));
    expect((await made()).name).toBe(first.name);
    server.time.now += 3_600_000;
    const second = await made();
    expect([second.tracks, second.name === first.name]).toEqual([5106, false]);
    expect(await list(`?cursor=${first.cursor}`)).toMatchObject({ ahead: 5100 });
    // Whoever is still reading the one before it can; what came earlier goes.
    expect((await files()).sort()).toEqual(['current.json', `${first.name}.gz`, `${second.name}.gz`].sort());
  });

  test('REPLICA-11, REPLICA-22: a start takes up what is there, and leaves alone what is cut or of another catalog', async () => {
    await start();
    await server.importCatalog(SMALL_CATALOG);
    const { name } = await made();
    const { store, clock, log, events } = server.deps;
    const directory = join(server.data, 'snapshots');
    const reopened = async (): Promise<string | null> => {
      const snapshots = await openSnapshots({ store, clock, log, events, files: durable, directory });
      await snapshots.close();
      return snapshots.current?.name ?? null;
    };
    expect(await reopened()).toBe(name);
    await writeFile(join(directory, `${name}.gz`), 'cut');
    expect(await reopened()).toBeNull();
    await rm(join(directory, `${name}.gz`));
    expect(await reopened()).toBeNull();
    await writeFile(join(directory, 'current.json'), '{ "name": ');
    expect(await reopened()).toBeNull();
  });

  test('STORE-16: of two processes one makes the snapshot, and neither takes away what the other offers or writes', async () => {
    await start();
    await server.importCatalog(SMALL_CATALOG);
    const first = await made();
    const { store, clock, log, events } = server.deps;
    const directory = join(server.data, 'snapshots');
    const options = { store, clock, log, events, files: durable, directory, leastTracks: 1 };
    const other = await openSnapshots(options);
    await writeFile(join(directory, 'tmp-of-another'), 'under way');
    await server.importCatalog(manyTracks(6000));
    server.time.now += 31 * 60_000;
    const second = await made();
    expect(second.name).not.toBe(first.name);
    // The other one still offers the first, and takes the second up instead of making a third.
    expect(await other.file(other.current?.name ?? '')).not.toBeNull();
    other.check();
    await other.settled();
    expect(other.current?.name).toBe(second.name);
    expect(await files()).toContain('tmp-of-another');
    await other.close();
  });

  test('REPLICA-11, REPLICA-22: a server that stops in the middle leaves nothing behind', async () => {
    await start();
    await server.importCatalog(SMALL_CATALOG);
    await offered.settled();
    await rm(join(server.data, 'snapshots'), { recursive: true });
    const { store, clock, log, events } = server.deps;
    const directory = join(server.data, 'snapshots');
    const snapshots = await openSnapshots({ store, clock, log, events, files: durable, directory, leastTracks: 1 });
    snapshots.check();
    await snapshots.close();
    expect(await files()).toEqual([]);
  });
});

onBothStores('a snapshot by a process of its own', () => {
  test('SYNC-93 it writes the very file that the server would, and asked to end it leaves nothing behind', async () => {
    await start(1_000_000);
    await server.importCatalog(SMALL_CATALOG);
    const databaseUrl = await testDatabase(server.data);
    const directory = join(server.data, 'snapshots');
    const beside = openSnapshotting({ data: server.data, databaseUrl });
    const { signal } = new AbortController();
    const made = await beside({ lane: 'music', directory }, signal);
    expect(made?.written).toEqual(await writeSnapshot(server.store.db, directory, durable, signal));
    expect(await files()).toHaveLength(1);
    const stopped = new AbortController();
    const ended = beside({ lane: 'music', directory: join(directory, 'none') }, stopped.signal);
    stopped.abort();
    await expect(ended).rejects.toThrow(/abort/i);
    await expect(beside({ lane: 'video', directory }, signal)).rejects.toThrow('the lane "video" has no snapshot');
    expect(await files()).toHaveLength(1);
  });
});

test('SYNC-94 while a snapshot is written, the last one is given, and the feed after it has what came since', async () => {
  let isAsked = (): void => undefined;
  const asked = new Promise<void>((resolve) => (isAsked = resolve));
  let goOn = (): void => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  let turns = 0;
  await start(1, async () => {
    turns += 1;
    if (turns === 1) return null;
    isAsked();
    await held;
    return null;
  });
  await server.importCatalog(SMALL_CATALOG);
  const first = await made();
  // As after so many changes that another one is due.
  await server.store.write((tx) => countOn(tx, 'catalog', 6000));
  await server.api('PATCH', '/v1/catalog/tracks/tr_h1', { title: 'Since' });
  server.time.now += 3_600_000;
  await list();
  await asked;
  const given = await list(`?cursor=${first.cursor}`);
  const file = await server.raw('GET', `/v1/catalog/snapshot/${first.name}`);
  const { body } = await server.api<ChangesPage>('GET', `/v1/catalog/changes?cursor=${first.cursor}`);
  goOn();
  await offered.settled();
  expect([given, file.status]).toEqual([{ snapshot: first, ahead: 0 }, 200]);
  expect(body.items).toMatchObject([{ kind: 'track', op: 'put', record: { title: 'Since' } }]);
  expect((await list()).snapshot?.cursor).toBe(body.next_cursor);
});

const files = (): Promise<string[]> => readdir(join(server.data, 'snapshots'));

function manyTracks(count: number): typeof SMALL_CATALOG {
  const [first] = SMALL_CATALOG.tracks;
  if (first === undefined) throw new Error('an empty catalog');
  const more = Array.from({ length: count }, (_, n) => ({
    ...first,
    id: `more_${n}`,
    position: n + 10,
    title: `N ${n}`,
  }));
  return { ...SMALL_CATALOG, tracks: [...SMALL_CATALOG.tracks, ...more] };
}
