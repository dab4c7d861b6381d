import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IndexSource } from '#lanes/music/browser/replica/catalog-index.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';
import { readReplicaState } from '#adapters/browser/meta.ts';
import { createReplica, type Pulled, type ReplicaOptions } from '#lanes/music/browser/replica/replica.ts';
import { readIndexState } from '#lanes/music/browser/replica/replica-changes.ts';
import { openKeptFiles } from '#adapters/browser/kept-files.ts';
import { failure } from '#core/errors.ts';
import { CompactBuilder } from '#lanes/music/core/index/build.ts';
import { CATALOG_FORMAT, packCatalog } from '#lanes/music/core/index/compact-catalog.ts';
import { fail, ok } from '#core/result.ts';
import type { Change, Snapshot } from '#lanes/music/core/catalog.ts';
import { loadSnapshot, openDb } from './world.ts';

type Row = Record<string, unknown> & { id: string };
const put = (kind: Change['kind'], record: Row): Change => ({ kind, id: record.id, op: 'put', record });
const gone = (kind: Change['kind'], id: string): Change => ({ kind, id, op: 'delete', record: null });
const artist = (n: number, name = `Artist ${n}`): Change => put('artist', { id: `ar${n}`, name });
const album = (n: number, title = `Album ${n}`, track_count = 2): Change =>
  put('album', {
    ...{ id: `al${n}`, title, artist_id: 'ar1', artist: 'Artist 1', year: n === 2 ? 0 : null },
    ...{ is_compilation: n === 3, discs: 300, track_count },
  });
const track = (n: number, title = `Track ${n}`, rest: object = {}): Change =>
  put('track', {
    ...{ id: `t${n}`, album_id: `al${1 + (n % 3)}`, title, artist_id: 'ar1', artist: 'Artist 1', disc: 0, position: n },
    ...{ duration_ms: n % 4 === 0 ? null : 1000 * n, availability: 'missing', ...rest },
  });
const request = (n: number): Change =>
  put('download_request', {
    ...{ id: `rq${n}`, status: 'pending', album_id: 'al1', track_id: null, requested_by: 'alice', created_at: n },
    fulfilled_at: null,
  });
const START = [artist(1), artist(2), album(1), album(2), album(3), ...[1, 2, 3, 4, 5].map((n) => track(n)), request(1)];

/** A server: its changes so far, and the snapshot of the first `at` of them. */
class Server {
  readonly changes: Change[];
  snapshot: Snapshot | null = null;
  file = new Uint8Array(0);
  asked: string[] = [];
  fetched = 0;

  constructor(changes: readonly Change[]) {
    this.changes = [...changes];
  }

  makeSnapshot(at: number): void {
    const last = new Map<string, Change>();
    for (const change of this.changes.slice(0, at)) last.set(`${change.kind}:${change.id}`, change);
    const records = <T>(kind: Change['kind']): T[] =>
      [...last.values()].filter((one) => one.kind === kind && one.op === 'put').map((one) => one.record as T);
    const builder = new CompactBuilder();
    for (const row of records<Parameters<CompactBuilder['addArtist']>[0]>('artist')) builder.addArtist(row);
    for (const row of records<Parameters<CompactBuilder['addAlbum']>[0]>('album')) builder.addAlbum(row);
    for (const row of records<Parameters<CompactBuilder['addTrack']>[0]>('track')) builder.addTrack(row);
    const about = { catalog_id: 'cat-1', cursor: `cat-1.${at}` };
    const { catalog, strings } = builder.finish({ ...about, requests: records('download_request') });
    const bytes = Buffer.concat(packCatalog(catalog, strings));
    this.file = new Uint8Array(gzipSync(bytes));
    this.snapshot = {
      ...{
        ...about,
        name: `snap-${at}`,
        format: CATALOG_FORMAT,
        tracks: catalog.tracks.id.length,
        bytes: bytes.length,
      },
      ...{ packed_bytes: this.file.length, sha256: createHash('sha256').update(bytes).digest('hex') },
    };
  }

  readonly client: ReplicaOptions['client'] = {
    changes: (cursor, limit) => {
      this.asked.push(cursor ?? 'all');
      const from = cursor === null ? 0 : Number(cursor.split('.')[1]);
      const items = this.changes.slice(from, from + limit);
      const next = from + items.length;
      const page = { items, next_cursor: `cat-1.${next}`, more: next < this.changes.length, catalog_id: 'cat-1' };
      return Promise.resolve(ok({ kind: 'page' as const, page }));
    },
    snapshot: (cursor) => {
      const at = Number(this.snapshot?.cursor.split('.')[1] ?? 0);
      const ahead = cursor === null ? null : Math.max(0, at - Number(cursor.split('.')[1]));
      return Promise.resolve(ok({ snapshot: this.snapshot, ahead }));
    },
    snapshotFile: () => {
      this.fetched += 1;
      return Promise.resolve(ok(new Response(this.file)));
    },
  };
}

async function pull(db: AccessionDb, server: Server, pageSize = 50): Promise<Pulled> {
  const outcome = await createReplica({ db, client: server.client, pageSize, leastStored: 1 }).pull();
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return outcome.value;
}

async function contents(db: AccessionDb): Promise<object> {
  const { version: _, ...tables } = await loadSnapshot(db);
  const { version: __, ...state } = await readReplicaState(db);
  const index = await new IndexSource(db, { leastStored: 1 }).get();
  return { ...tables, state, albums: [1, 2, 3, 4].map((n) => index?.album(`al${n}`)), trackCount: index?.trackCount };
}

const later = fc.oneof(
  fc
    .tuple(fc.nat({ max: 9 }), fc.constantFrom('Other', 'Track 1', '東京'), fc.constantFrom('missing', 'available'))
    .map(([n, title, availability]) => track(n + 1, title, { availability })),
  fc.nat({ max: 9 }).map((n) => gone('track', `t${n + 1}`)),
  fc.tuple(fc.nat({ max: 2 }), fc.nat({ max: 9 })).map(([n, count]) => album(n + 1, `Album ${count}`, count)),
  fc.nat({ max: 3 }).map((n) => artist(n + 1, `Renamed ${n}`)),
  fc.nat({ max: 3 }).map((n) => request(n)),
);

describe('REPLICA-12: the first load from a snapshot', () => {
  it('REPLICA-23 gives what paging everything gives, whatever was changed before and after it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(later, { maxLength: 8 }), fc.array(later, { maxLength: 8 }), async (before, after) => {
        const server = new Server([...START, ...before, ...after]);
        const paged = openDb();
        await pull(paged, server);
        expect(server.fetched).toBe(0);
        server.makeSnapshot(START.length + before.length);
        const db = openDb();
        await pull(db, server);
        expect(server.fetched).toBe(1);
        expect(await contents(db)).toEqual(await contents(paged));
      }),
      { numRuns: 6 },
    );
  });

  it('its index is stored as it came, and the feed is read from its cursor', async () => {
    const server = new Server([...START, track(9)]);
    server.makeSnapshot(START.length);
    const db = openDb();
    expect((await pull(db, server)).applied).toBe(START.length + 1);
    expect(server.asked).toEqual([`cat-1.${START.length}`]);
    const { file } = await readIndexState(db);
    expect(file?.name).toMatch(/^snapshot-/);
    const index = await new IndexSource(db, { leastStored: 1 }).get();
    expect([index?.trackCount, index?.track('t9')?.title]).toEqual([6, 'Track 9']);
    expect((await readIndexState(db)).file).toEqual(file);
    expect((await db.files.toArray()).map((row) => row.name)).toEqual([file?.name]);
  });

  it('REPLICA-13: cut, damaged, foreign, of another format or gone: the feed is read, and nobody is told', async () => {
    const spoil: ((server: Server) => void)[] = [
      (server) => (server.file = server.file.slice(0, server.file.length >> 1)),
      (server) => server.file.fill(7, server.file.length >> 1),
      (server) => server.snapshot && (server.snapshot.bytes -= 8),
      (server) => server.snapshot && (server.snapshot.bytes += 8),
      (server) => server.snapshot && (server.snapshot.sha256 = '0'.repeat(64)),
      (server) => server.snapshot && (server.snapshot.catalog_id = 'cat-2'),
      (server) => server.snapshot && (server.snapshot.cursor = 'cat-1.1'),
      (server) => server.snapshot && (server.snapshot.format = 1),
      (server) => (server.client.snapshot = () => Promise.resolve(fail(failure('not_found', 'no such route')))),
      (server) => (server.client.snapshotFile = () => Promise.resolve(fail(failure('not_found', 'not kept')))),
    ];
    const whole = openDb();
    await pull(whole, new Server(START));
    for (const how of spoil) {
      const server = new Server(START);
      server.makeSnapshot(START.length - 1);
      how(server);
      const db = openDb();
      await pull(db, server);
      expect(server.asked[0]).toBe('all');
      expect(await contents(db)).toEqual(await contents(whole));
    }
  });

  it('REPLICA-12, REPLICA-23: one that broke off in the middle is begun anew; until then the catalog counts as not loaded', async () => {
    const server = new Server(START);
    server.makeSnapshot(START.length);
    const db = openDb();
    const stop = new AbortController();
    const bulkPut = db.albums.bulkPut.bind(db.albums);
    // Stopped when the albums are there, and the tracks are not.
    Object.assign(db.albums, {
      bulkPut: (rows: Parameters<typeof bulkPut>[0]) => {
        stop.abort();
        return bulkPut(rows);
      },
    });
    const client = { ...server.client, changes: () => Promise.resolve(fail(failure('cancelled', 'stopped'))) };
    const outcome = await createReplica({ db, client, leastStored: 1 }).pull(stop.signal);
    expect(outcome.ok).toBe(false);
    expect(await readReplicaState(db)).toMatchObject({ cursor: null, complete: false, albums: 3, tracks: 0 });
    expect(await new IndexSource(db).get()).toBeNull();
    Object.assign(db.albums, { bulkPut });
    await pull(db, server);
    expect(await readReplicaState(db)).toMatchObject({ complete: true, tracks: 5 });
  });

  it('REPLICA-14: a replica that lacks more than half of the catalog takes the snapshot instead of the feed', async () => {
    const server = new Server(START);
    const db = openDb();
    await pull(db, server);
    for (let n = 0; n < 40; n++) server.changes.push(track(100 + n));
    server.makeSnapshot(START.length + 40);
    await pull(db, server, 2);
    expect(server.fetched).toBe(1);
    expect(await readReplicaState(db)).toMatchObject({
      complete: true,
      tracks: 45,
      cursor: `cat-1.${START.length + 40}`,
    });
    const few = openDb();
    await pull(few, server);
    for (let n = 0; n < 14; n++) server.changes.push(track(200 + n));
    await pull(few, server, 2);
    expect(server.fetched).toBe(2);
    await (await openKeptFiles(few, 'index')).keepOnly(() => false);
    expect((await new IndexSource(few).get())?.trackCount).toBe(59);
  });
});
