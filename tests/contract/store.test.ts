/** What makes a store a store, for node:sqlite and PostgreSQL alike. Two of them on one database stand for two processes. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { postgresSource } from '#adapters/node/postgres-dialect.ts';
import { sqliteFile } from '#adapters/node/sqlite-dialect.ts';
import type { CatalogFile } from '#lanes/music/core/catalog.ts';
import { createArtist } from '#lanes/music/server/catalog/edit-album.ts';
import { importCatalog } from '#lanes/music/server/catalog/import-catalog.ts';
import { search } from '#lanes/music/server/catalog/read.route.ts';
import { databaseFailure } from '#server/store/database-failure.ts';

import type { IngestionJobTable } from '#server/store/schema.ts';
import { appendChanges, feedCursor, readFeedCursor } from '#server/store/feed.ts';
import { CATALOG_ID, openStore, readMeta, writeMeta, type Store } from '#server/store/store.ts';
import { LANES } from '../fixtures/server.ts';
import { onBothStores, onPostgres } from '../fixtures/stores.ts';
import { musicChanges, openTestStore, releaseDatabase, testCluster, testDatabase } from '../fixtures/test-store.ts';

const WRITERS = 5;

let data: string;
const opened: Store[] = [];
const open = async (): Promise<Store> => {
  const store = await openTestStore(data);
  opened.push(store);
  return store;
};

function aDirectoryForEach(): void {
  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), 'accession-store-'));
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
    await releaseDatabase(data);
    await rm(data, { recursive: true, force: true });
  });
}

const artist = (store: Store, id: string, name = id) =>
  store.write((tx) => createArtist(tx, { next: () => id }, { id, name }));

/** What the feed and the artists are made of, as an operator's copy of the database has it. */
const COPIED = ['artists', 'changes', 'feed_counter', 'feed_marks'] as const;
type Copy = Record<(typeof COPIED)[number], object[]>;

async function copied(store: Store): Promise<Copy> {
  const rows = await Promise.all(COPIED.map((table) => store.db.selectFrom(table).selectAll().execute()));
  return Object.fromEntries(COPIED.map((table, at) => [table, rows[at]])) as Copy;
}

async function putBack(store: Store, copy: Copy): Promise<void> {
  await store.write(async (tx) => {
    for (const table of COPIED) {
      await tx.deleteFrom(table).execute();
      await tx
        .insertInto(table)
        .values(copy[table] as never)
        .execute();
    }
  });
}

const artistRow = (id: string) => ({ id, name: id, name_key: id, external_ids: null, version: 1 });

onBothStores('a store', () => {
  aDirectoryForEach();

  test('STORE-4: all or nothing, and others see nothing of it before its end', async () => {
    const [here, there] = [await open(), await open()];
    const failing = here.write(async (tx) => {
      await createArtist(tx, { next: () => 'x' }, { id: 'ar_1', name: 'One' });
      expect(await there.db.selectFrom('artists').selectAll().execute()).toEqual([]);
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await there.db.selectFrom('artists').selectAll().execute()).toEqual([]);
    expect((await musicChanges(there.db, 0, 10)).items).toEqual([]);
  });

  test('STORE-4: what was read within a write is still so when it is written, whoever writes besides', async () => {
    const stores = [await open(), await open()];
    await stores[0]?.write((tx) => writeMeta(tx, 'count', '0'));
    const add = (store: Store) =>
      store.write(async (tx) => {
        const before = Number(await readMeta(tx, 'count'));
        await turn();
        await writeMeta(tx, 'count', String(before + 1));
      });
    await Promise.all(stores.flatMap((store) => Array.from({ length: 10 }, () => add(store))));
    expect(await readMeta(stores[0]?.db ?? fail(), 'count')).toBe('20');
  });

  test('FEED-4: five writers in two processes; a reader who goes on from where it was misses nothing', async () => {
    const stores = [await open(), await open()];
    const reader = stores[0] ?? fail();
    const seen: string[] = [];
    let after = 0;
    const look = async (): Promise<void> => {
      const page = await musicChanges(reader.db, after, 7);
      seen.push(...page.items.map((item) => item.id));
      after = page.last;
      if (page.more) await look();
    };
    let writing = true;
    const reading = (async () => {
      for (; writing; await turn()) await look();
    })();
    const writer = async (at: number): Promise<void> => {
      const store = stores[at % stores.length] ?? fail();
      for (let round = 0; round < 12; round += 1) await artist(store, `w${at}-${round}`);
    };
    await Promise.all(Array.from({ length: WRITERS }, (_, at) => writer(at)));
    writing = false;
    await reading;
    await look();
    expect(seen).toHaveLength(WRITERS * 12);
    expect(new Set(seen).size).toBe(WRITERS * 12);
    expect(after).toBe(WRITERS * 12);
  });

  test('FEED-5: a database that was put back knows no cursor of what it lost, however much was written since', async () => {
    const store = await open();
    const catalogId = (await readMeta(store.db, CATALOG_ID)) ?? '';
    const cursorAt = (seq: number) => feedCursor(store.db, catalogId, seq);
    const read = (cursor: string) => readFeedCursor(store.db, catalogId, cursor);
    await artist(store, 'kept 1');
    await artist(store, 'kept 2');
    const kept = [await cursorAt(0), await cursorAt(1), await cursorAt(2)];
    const copy = await copied(store);
    // A transaction of three changes; a reader may stop in the middle of it.
    await store.write(async (tx) => {
      for (const id of ['lost 1', 'lost 2', 'lost 3']) await tx.insertInto('artists').values(artistRow(id)).execute();
      await appendChanges(
        tx,
        ['lost 1', 'lost 2', 'lost 3'].map((entity_id) => ({ kind: 'artist', entity_id })),
      );
    });
    const lost = [await cursorAt(3), await cursorAt(4), await cursorAt(5)];
    expect(await Promise.all([...kept, ...lost].map(read))).toEqual([0, 1, 2, 3, 4, 5]);

    await putBack(store, copy);
    expect(await Promise.all([...kept, ...lost].map(read))).toEqual([0, 1, 2, null, null, null]);
    // What came since has the same numbers, and more.
    for (let round = 0; round < 6; round += 1) await artist(store, `since ${round}`);
    expect(await Promise.all([...kept, ...lost].map(read))).toEqual([0, 1, 2, null, null, null]);
    expect(await read(await cursorAt(8))).toBe(8);
  });

  test('STORE-5: a snapshot stays at its moment while others write', async () => {
    const [here, there] = [await open(), await open()];
    await artist(here, 'ar_1');
    const counts = await there.snapshot(async (db) => {
      const count = async (): Promise<number> => (await db.selectFrom('artists').select('id').execute()).length;
      const first = await count();
      await artist(here, 'ar_2');
      return [first, await count()];
    });
    expect(counts).toEqual([1, 1]);
    expect(await there.db.selectFrom('artists').select('id').execute()).toHaveLength(2);
  });

  test('STORE-6: texts stand in the order of their bytes, case and accents told apart', async () => {
    const store = await open();
    const keys = [
      'a',
      'B',
      'b',
      'A',
      'ä',
      'z',
      '_',
      '-',
      ' a',
      'aa',
      'a b',
      'é',
      'e\u0301',
      '東',
      '𝄞',
      '\uffee',
      '~',
      '0',
    ];
    await store.write(async (tx) => {
      for (const key of keys) await writeMeta(tx, `k:${key}`, key);
    });
    const all = store.db.selectFrom('meta').select('value').where('key', 'like', 'k:%');
    const sorted = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect((await all.orderBy('key').execute()).map((row) => row.value)).toEqual(sorted);
    const after = await all.where('key', '>', 'k:a').orderBy('key').execute();
    expect(after.map((row) => row.value)).toEqual(sorted.slice(sorted.indexOf('a') + 1));
    expect(await readMeta(store.db, 'k:a')).toBe('a');
    expect(await readMeta(store.db, 'K:a')).toBeNull();
  });

  test('STORE-6: long texts, every script and numbers to their edges come back as they were', async () => {
    const store = await open();
    const text = `${'長い'.repeat(200_000)}\u0001\u2028"'\\%_;--\u{10ffff}`;
    await store.write((tx) => writeMeta(tx, 'text', text));
    expect(await readMeta(store.db, 'text')).toBe(text);
    const job: IngestionJobTable = { ...JOB, file_size_bytes: Number.MAX_SAFE_INTEGER, duration_ms: 0.1 + 0.2 };
    const edges = {
      ...job,
      bitrate: 5e-324,
      match_confidence: -1.7976931348623157e308,
      created_at: -1,
      committed: 2 ** 40,
    };
    await store.write((tx) => tx.insertInto('ingestion_jobs').values(edges).execute());
    expect(await store.db.selectFrom('ingestion_jobs').selectAll().executeTakeFirst()).toMatchObject(edges);
  });

  test('STORE-7: the NUL character is refused, and nothing of its write is kept', async () => {
    const store = await open();
    const writing = store.write(async (tx) => {
      await writeMeta(tx, 'before', 'x');
      await writeMeta(tx, 'nul', 'a\0b');
    });
    await expect(writing).rejects.toMatchObject({ failure: { code: 'invalid' } });
    await expect(readMeta(store.db, 'a\0b')).rejects.toMatchObject({ failure: { code: 'invalid' } });
    expect(await readMeta(store.db, 'before')).toBeNull();
  });

  test('STORE-4: more rows than a statement takes parameters', async () => {
    const store = await open();
    const artists = Array.from({ length: 4100 }, (_, at) => ({ id: `ar_${at}`, name: `Artist ${at}` }));
    const result = await store.write((tx) => importCatalog(tx, { artists, albums: [], tracks: [] }));
    expect(result.artists.created).toBe(4100);
    expect((await musicChanges(store.db, 0, 5000)).items).toHaveLength(4100);
  });
});

onPostgres('a store of many processes', () => {
  aDirectoryForEach();

  test('FIND-4: finds the very same as node:sqlite, in the same order', async () => {
    const [here, lite] = [await open(), await openStore(sqliteFile(join(data, 'lite.db')), () => 'lite')];
    opened.push(lite);
    const file = manyTracks();
    for (const store of [here, lite]) await store.write((tx) => importCatalog(tx, file));
    for (const question of ['night', 'nigt river', 'the', 'o', 'blu moon artist 3', 'ärtist', 'golden', 'zzz', '19']) {
      const [found, expected] = [await search(here.db, question, 20), await search(lite.db, question, 20)];
      expect(found, question).toEqual(expected);
    }
  });

  test('STORE-8: a lock by name holds across processes', async () => {
    const stores = [await open(), await open()];
    let inside = 0;
    let most = 0;
    const work = (store: Store) =>
      store.locks.run('track tr_1', async () => {
        inside += 1;
        most = Math.max(most, inside);
        await turn();
        inside -= 1;
      });
    await Promise.all(stores.flatMap((store) => [work(store), work(store), work(store)]));
    expect(most).toBe(1);
  });

  test('STORE-9: a database that was away: what was under way fails whole, and the next goes through', async () => {
    const store = await open();
    await artist(store, 'ar_1');
    const cut = store.write(async (tx) => {
      await createArtist(tx, { next: () => 'x' }, { id: 'ar_2', name: 'Two' });
      await testCluster().cutConnections();
      await createArtist(tx, { next: () => 'x' }, { id: 'ar_3', name: 'Three' });
    });
    await expect(cut).rejects.toThrow();
    await expect
      .poll(() =>
        artist(store, 'ar_4').then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    const rows = await store.db.selectFrom('artists').select('id').orderBy('id').execute();
    expect(rows).toEqual([{ id: 'ar_1' }, { id: 'ar_4' }]);
    await store.locks.run('again', turn);
  });

  test('STORE-4: a write waits for a long one of its own process, and what waits too long is told that it is busy', async () => {
    const source = postgresSource((await testDatabase(data)) ?? '', { connectMs: 2500 });
    const store = await openStore(source, () => 'id', LANES);
    opened.push(store);
    const long = store.write(async (tx) => {
      await writeMeta(tx, 'first', 'long');
      await wait(2900);
    });
    const behind = store.write((tx) => writeMeta(tx, 'second', 'behind'));
    await Promise.all([long, behind]);
    expect(await readMeta(store.db, 'second')).toBe('behind');
    const queued = new Error('timeout exceeded when trying to connect');
    expect(databaseFailure(queued)).toMatchObject({ kind: 'busy', setup: false });
  });

  test('OPS-22: a database that takes no writes says so, without waiting for whoever writes', async () => {
    const url = new URL((await testDatabase(data)) ?? '');
    const store = await openStore(postgresSource(url.href), () => 'id', LANES);
    opened.push(store);
    await store.write(async (tx) => {
      await writeMeta(tx, 'first', 'long');
      await expect(store.checkWritable()).resolves.toBeUndefined();
    });
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    const readOnly = postgresSource(url.href);
    await expect(readOnly.checkWritable()).rejects.toThrow('takes no writes');
    await readOnly.close();
  });
});

const JOB: IngestionJobTable = {
  id: 'job_1',
  status: 'PENDING',
  user_id: 'u',
  original_filename: 'a.flac',
  file_size_bytes: 1,
  duration_ms: null,
  codec: null,
  bitrate: null,
  context_type: 'SPONTANEOUS',
  context_id: null,
  matched_track_id: null,
  match_confidence: null,
  match_source: null,
  output_file_path: null,
  error_message: null,
  created_at: 1,
  started_at: null,
  completed_at: null,
  updated_at: 1,
  committed: 0,
  parent_job_id: null,
  batch_id: null,
  cancelled_at: null,
  heard_at: null,
};

function manyTracks(): CatalogFile {
  const words = ['Night', 'River', 'Blue', 'Moon', 'Golden', 'Über', 'Straße', 'Ärtist', 'The', 'Of', '東京', 'O'];
  const word = (at: number): string => words[at % words.length] ?? '';
  const artists = Array.from({ length: 12 }, (_, at) => ({ id: `ar_${at}`, name: `Artist ${at} ${word(at * 5)}` }));
  const albums = Array.from({ length: 24 }, (_, at) => ({
    id: `al_${at}`,
    title: `${word(at)} ${word(at * 7 + 3)}`,
    artist_id: `ar_${at % 12}`,
    artist: artists[at % 12]?.name ?? '',
    year: at % 3 === 0 ? null : 1960 + at,
  }));
  const tracks = Array.from({ length: 240 }, (_, at) => ({
    id: `tr_${at}`,
    album_id: `al_${at % 24}`,
    title: `${word(at)} ${word(at * 3 + 1)} ${at % 40}`,
    artist_id: `ar_${(at % 24) % 12}`,
    artist: artists[(at % 24) % 12]?.name ?? '',
    disc: 1,
    position: Math.floor(at / 24) + 1,
    duration_ms: 1000 * at,
  }));
  return { artists, albums, tracks };
}

function fail(): never {
  throw new Error('the test is wrong');
}
