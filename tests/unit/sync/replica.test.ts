import { describe, expect, it } from 'vitest';
import { readReplicaState } from '#adapters/browser/meta.ts';
import { createReplica } from '#lanes/music/browser/replica/replica.ts';
import type { ChangesAnswer } from '#lanes/music/http/catalog-client.ts';
import { failure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { Change } from '#lanes/music/core/catalog.ts';
import { loadSnapshot, openDb } from './world.ts';

const artist = (id: string, name = `Artist ${id}`): Change => ({ kind: 'artist', id, op: 'put', record: { id, name } });
const album = (id: string, title = `Album ${id}`): Change => ({
  kind: 'album',
  id,
  op: 'put',
  record: {
    id,
    title,
    artist_id: 'ar1',
    artist: 'Artist',
    year: 1997,
    is_compilation: false,
    discs: 1,
    track_count: 1,
    external_ids: { mbid: 'x' },
  },
});
const track = (id: string, availability = 'missing'): Change => ({
  kind: 'track',
  id,
  op: 'put',
  record: {
    id,
    album_id: 'al1',
    title: `Track ${id}`,
    artist_id: 'ar1',
    artist: 'Artist',
    disc: 1,
    position: 1,
    duration_ms: 1000,
    availability,
  },
});
const request = (id: string): Change => ({
  kind: 'download_request',
  id,
  op: 'put',
  record: {
    id,
    status: 'pending',
    album_id: 'al1',
    track_id: null,
    requested_by: 'alice',
    created_at: 1,
    fulfilled_at: null,
  },
});
const gone = (kind: Change['kind'], id: string): Change => ({ kind, id, op: 'delete', record: null });

/** The feed of a server: all changes so far, cut into pages; a cursor is a number of its catalog. */
class Feed {
  catalog = 'cat-1';
  changes: Change[] = [];
  asked: (string | null)[] = [];
  fault: ((cursor: string | null) => Result<ChangesAnswer> | null) | null = null;

  changesAfter = async (cursor: string | null, limit: number): Promise<Result<ChangesAnswer>> => {
    this.asked.push(cursor);
    const fault = this.fault?.(cursor);
    if (fault) return fault;
    const [of, seq] = cursor === null ? [this.catalog, '0'] : cursor.split('.');
    if (of !== this.catalog || Number(seq) > this.changes.length) return ok({ kind: 'start_over' });
    const from = Number(seq);
    const items = this.changes.slice(from, from + limit);
    const next = from + items.length;
    return ok({
      kind: 'page',
      page: {
        items,
        next_cursor: `${this.catalog}.${next}`,
        more: next < this.changes.length,
        catalog_id: this.catalog,
      },
    });
  };
}

function setUp(pageSize = 2) {
  const db = openDb();
  const feed = new Feed();
  const replica = createReplica({ db, client: { changes: feed.changesAfter }, pageSize });
  return { db, feed, replica };
}

describe('SYNC-16 the replica', () => {
  it('loads page by page and knows when it is complete', async () => {
    const { db, feed, replica } = setUp();
    feed.changes = [artist('ar1'), album('al1'), track('t1'), track('t2'), request('rq1')];
    expect(await replica.pull()).toEqual({ ok: true, value: { applied: 5, restarted: false, skipped: [] } });
    expect(await readReplicaState(db)).toEqual({
      catalog_id: 'cat-1',
      cursor: 'cat-1.5',
      version: 3,
      artists: 1,
      albums: 1,
      tracks: 2,
      complete: true,
    });
    const snapshot = await loadSnapshot(db);
    expect(snapshot.version).toBe(3);
    expect([snapshot.artists.length, snapshot.albums.length, snapshot.tracks.length, snapshot.requests.length]).toEqual(
      [1, 1, 2, 1],
    );
    expect(snapshot.albums[0]?.external_ids).toEqual({ mbid: 'x' });
    expect(Object.keys(snapshot.tracks[0] ?? {})).not.toContain('external_ids');
  });

  it('SYNC-47 applies what changed since, in order, and does not touch its version when nothing did', async () => {
    const { db, feed, replica } = setUp(10);
    feed.changes = [track('t1'), track('t2')];
    await replica.pull();
    feed.changes.push(
      gone('track', 't2'),
      track('t1', 'available'),
      gone('track', 't3'),
      track('t3'),
      track('t4'),
      gone('track', 't4'),
    );
    await replica.pull();
    const tracks = await db.tracks.toArray();
    expect(tracks.map((one) => [one.id, one.availability])).toEqual([
      ['t1', 'available'],
      ['t3', 'missing'],
    ]);
    const before = await readReplicaState(db);
    await replica.pull();
    expect(await readReplicaState(db)).toEqual(before);
    expect(before.version).toBe(2);
  });

  it('keeps what was applied when the connection breaks, is not complete until the end, and goes on from there', async () => {
    const { db, feed, replica } = setUp();
    feed.changes = [track('t1'), track('t2'), track('t3')];
    feed.fault = (cursor) => (cursor === null ? null : fail(failure('offline', 'gone')));
    expect(await replica.pull()).toMatchObject({ ok: false, failure: { code: 'offline' } });
    expect(await readReplicaState(db)).toMatchObject({ cursor: 'cat-1.2', tracks: 2, complete: false });
    feed.fault = null;
    await replica.pull();
    expect(feed.asked).toEqual([null, 'cat-1.2', 'cat-1.2']);
    expect(await readReplicaState(db)).toMatchObject({ cursor: 'cat-1.3', tracks: 3, complete: true });
  });

  it('SYNC-47 stays complete while a long delta is applied', async () => {
    const { db, feed, replica } = setUp();
    feed.changes = [track('t1')];
    await replica.pull();
    feed.changes.push(track('t2'), track('t3'), track('t4'));
    feed.fault = (cursor) => (cursor === 'cat-1.3' ? fail(failure('offline', 'gone')) : null);
    await replica.pull();
    expect(await readReplicaState(db)).toMatchObject({ cursor: 'cat-1.3', complete: true });
  });

  it('a page that another tab has applied in the meantime is not applied twice', async () => {
    const { db, feed, replica } = setUp();
    feed.changes = [track('t1')];
    await replica.pull();
    feed.changes.push(track('t2'));
    const other = createReplica({ db, client: { changes: feed.changesAfter } });
    let raced = false;
    const slow = createReplica({
      db,
      client: {
        changes: async (cursor, limit) => {
          const answer = await feed.changesAfter(cursor, limit);
          if (!raced) {
            raced = true;
            feed.changes.push(track('t2', 'available'));
            await other.pull();
          }
          return answer;
        },
      },
    });
    await slow.pull();
    expect((await db.tracks.get('t2'))?.availability).toBe('available');
    expect(await readReplicaState(db)).toMatchObject({ cursor: 'cat-1.3' });
  });

  it('SYNC-18 a record that cannot be read is left out and named; the others are taken', async () => {
    const { db, feed, replica } = setUp(10);
    feed.changes = [
      track('t1'),
      { kind: 'track', id: 't2', op: 'put', record: { id: 't2' } },
      { kind: 'album', id: 'al9', op: 'put', record: null },
    ];
    expect(await replica.pull()).toEqual({
      ok: true,
      value: { applied: 3, restarted: false, skipped: ['track:t2', 'album:al9'] },
    });
    expect(await db.tracks.count()).toBe(1);
  });

  it('a feed that does not advance is a server error, not an endless loop', async () => {
    const { feed, replica } = setUp();
    feed.changes = [track('t1')];
    await replica.pull();
    feed.fault = (cursor) =>
      ok({ kind: 'page', page: { items: [], next_cursor: cursor ?? '', more: true, catalog_id: 'cat-1' } });
    expect(await replica.pull()).toMatchObject({ ok: false, failure: { code: 'server_error' } });
  });
});

describe('SYNC-17 starting over', () => {
  it('another catalog replaces the copy whole', async () => {
    const { db, feed, replica } = setUp();
    feed.changes = [artist('ar1'), album('al1'), track('t1'), request('rq1')];
    await replica.pull();
    feed.catalog = 'cat-2';
    feed.changes = [track('n1'), track('n2'), track('n3')];
    expect(await replica.pull()).toMatchObject({ ok: true, value: { restarted: true } });
    expect(await readReplicaState(db)).toEqual({
      catalog_id: 'cat-2',
      cursor: 'cat-2.3',
      version: 4,
      artists: 0,
      albums: 0,
      tracks: 3,
      complete: true,
    });
    expect(await db.requests.count()).toBe(0);
  });

  it('a catalog that changes between two pages of one pull is noticed', async () => {
    const { db, feed, replica } = setUp();
    feed.changes = [track('t1'), track('t2'), track('t3')];
    feed.fault = (cursor) => {
      if (cursor !== 'cat-1.2') return null;
      feed.fault = null;
      feed.catalog = 'cat-2';
      feed.changes = [track('n1')];
      // A server that does not check its cursors still says whose catalog it is.
      return ok({
        kind: 'page',
        page: { items: [track('n1')], next_cursor: 'cat-2.1', more: false, catalog_id: 'cat-2' },
      });
    };
    await replica.pull();
    expect((await db.tracks.toArray()).map((one) => one.id)).toEqual(['n1']);
  });

  it('a server put back to an older state does not know the cursor: the copy is made anew', async () => {
    const { db, feed, replica } = setUp(10);
    feed.changes = [track('t1'), track('t2'), track('t3', 'available')];
    await replica.pull();
    feed.changes = [track('t1'), track('t2')];
    expect(await replica.pull()).toMatchObject({ ok: true, value: { restarted: true } });
    expect((await db.tracks.toArray()).map((one) => one.id)).toEqual(['t1', 't2']);
  });

  it('the old copy stays until the first page of the new one is there', async () => {
    const { db, feed, replica } = setUp();
    feed.changes = [track('t1')];
    await replica.pull();
    feed.catalog = 'cat-2';
    feed.fault = (cursor) => (cursor === null ? fail(failure('offline', 'gone')) : null);
    await replica.pull();
    expect(await db.tracks.count()).toBe(1);
    expect(await readReplicaState(db)).toMatchObject({ catalog_id: 'cat-1', complete: true });
  });

  it('a server that refuses even the beginning is a failure', async () => {
    const { feed, replica } = setUp();
    feed.fault = () => ok({ kind: 'start_over' });
    expect(await replica.pull()).toMatchObject({ ok: false, failure: { code: 'server_error' } });
  });
});
