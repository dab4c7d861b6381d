import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { syncDirectory } from '#adapters/node/atomic-file.ts';
import { sqliteFile } from '#adapters/node/sqlite-dialect.ts';
import { backup, rootsOf } from '#cli/backup/backup.ts';
import { restore } from '#cli/backup/restore.ts';
import { freeOriginals } from '#server/work/originals.ts';
import { importCatalog } from '#lanes/music/server/catalog/import-catalog.ts';
import { search } from '#lanes/music/server/catalog/read.route.ts';
import { readShow } from '#lanes/video/server/shows/read-shows.ts';
import { MIGRATIONS } from '#server/store/migrate.ts';
import type { Database } from '#server/store/schema.ts';
import { feedCursor, feedPosition, readFeedCursor } from '#server/store/feed.ts';
import { CATALOG_ID, openStore, readMeta, type Store } from '#server/store/store.ts';
import { commitOf, LANES, SMALL_CATALOG, testServer } from '../fixtures/server.ts';
import { onBothStores } from '../fixtures/stores.ts';
import { emptySource, openTestStore, releaseDatabase } from '../fixtures/test-store.ts';
import { curlForm } from '../fixtures/worker.ts';
import { vorbisFile } from '../fixtures/vorbis-file.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'accession-backup-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const at = (name: string): string => join(directory, name);
const rootsIn = (name: string) => rootsOf(at(name), join(at(name), 'ingestion_uploads'));
const named = (id: string) => ({ newId: () => id, clock: { now: () => 5_000 }, sync: syncDirectory, lanes: LANES });
const quiet = { lanes: LANES, say: (): void => undefined, sync: syncDirectory };

const EPISODES = [{ number: 1, title: 'Low Tide', air_date: '2015-03-01', absolute: 12 }];
const SHOW = {
  ...{ id: 'sh_1', title: 'Anchor Street', titles: ['Ankerstraße'], year: 2014 },
  seasons: [{ number: 1, title: null, episodes: EPISODES }],
};

/** A running server with a show and one published track; backs it up. */
async function backedUp(out: string): Promise<{ path: string; sha256: string; bytes: Uint8Array }> {
  const server = await testServer();
  try {
    await server.importCatalog(SMALL_CATALOG);
    await server.api('POST', '/v1/catalog/shows', SHOW);
    const file = vorbisFile({ durationMs: 255_000, bytesPerSecond: 200 });
    await server.upload(file);
    const made = await server.api<{ output_file_path: string }>(
      'POST',
      '/v1/ingestion/commits',
      commitOf(file, 'tr_h1'),
      { 'Idempotency-Key': 'one' },
    );
    expect(made.status).toBe(200);
    const roots = rootsOf(server.data, join(server.data, 'ingestion_uploads'));
    expect((await backup(server.store, roots, out, quiet)).lost).toEqual([]);
    return { path: made.body.output_file_path, sha256: file.sha256, bytes: file.bytes };
  } finally {
    await server.end();
  }
}

async function expectEverything(store: Store, data: string, was: Awaited<ReturnType<typeof backedUp>>): Promise<void> {
  const track = await store.db.selectFrom('tracks').selectAll().where('id', '=', 'tr_h1').executeTakeFirstOrThrow();
  expect(track).toMatchObject({ output_file_path: was.path, audio_sha256: was.sha256, availability: 'available' });
  expect(await readFile(join(data, 'media', was.path))).toEqual(Buffer.from(was.bytes));
  expect((await search(store.db, 'nightswiming', 5)).tracks[0]?.id).toBe('tr_a3');
  expect(await readShow(store.db, 'sh_1')).toEqual({ ...SHOW, version: 1 });
  expect(await store.db.selectFrom('idempotency').select('key').execute()).toContainEqual({ key: 'one' });
}

onBothStores('backup and restore', () => {
  test('STORE-11, STORE-26: a backup of a running server is put back whole, into another store as well, under a new id', async () => {
    const was = await backedUp(at('all.tar'));
    await mkdir(at('same'));
    const store = await openTestStore(at('same'));
    const before = await readMeta(store.db, CATALOG_ID);
    await restore(store, rootsIn('same'), at('same'), at('all.tar'), named('new-id'));
    await expectEverything(store, at('same'), was);
    expect(await readMeta(store.db, CATALOG_ID)).toBe('new-id');
    expect(before).not.toBe('new-id');
    await expect(restore(store, rootsIn('same'), at('same'), at('all.tar'), named('x'))).rejects.toThrow('not empty');
    // The same rows again, in the same bytes.
    await backup(store, rootsIn('same'), at('again.tar'), quiet);
    await expect(backup(store, rootsIn('same'), at('again.tar'), quiet)).rejects.toThrow('there already');
    await store.close();
    await releaseDatabase(at('same'));

    const other = await openStore(sqliteFile(at('other.db')), () => 'other', LANES);
    await restore(other, rootsIn('other'), at('other'), at('again.tar'), named('other-id'));
    await expectEverything(other, at('other'), was);
    await other.close();
  });

  test('OPS-24: an upload that was worked on to its end while the backup was written is not missing in it', async () => {
    const server = await testServer();
    try {
      const form = curlForm([
        { name: 'a.flac', bytes: Buffer.concat([Buffer.from('fLaC\0\0\0\x22'), Buffer.alloc(90)]) },
      ]);
      expect((await server.raw('POST', '/v1/ingestion/upload', form.body, form.headers)).status).toBe(201);
      const roots = rootsOf(server.data, join(server.data, 'ingestion_uploads'));
      const [file] = await server.store.db.selectFrom('work_files').select(['id', 'batch_id']).execute();
      const done: Store = {
        ...server.store,
        snapshot: async (work) => {
          const rows = await server.store.snapshot(work);
          await freeOriginals(server.deps, file?.batch_id ?? '');
          return rows;
        },
      };
      expect(await backup(done, roots, at('freed.tar'), quiet)).toMatchObject({ files: [], lost: [] });
      // What a row still names is missing.
      const again = await server.raw('POST', '/v1/ingestion/upload', form.body, form.headers);
      expect(again.status).toBe(201);
      const [gone] = await server.store.db.selectFrom('work_files').select('id').execute();
      await server.deps.originals.delete(gone?.id ?? '');
      expect((await backup(server.store, roots, at('lost.tar'), quiet)).lost).toMatchObject([{ path: gone?.id }]);
    } finally {
      await server.end();
    }
  });

  test('STORE-12: what is cut off or damaged is refused, and nothing of it stays', async () => {
    const was = await backedUp(at('all.tar'));
    const whole = await readFile(at('all.tar'));
    const needle = Buffer.from(was.bytes.slice(100, 160));
    const damaged = Buffer.from(whole);
    damaged.writeUInt8(damaged.readUInt8(whole.indexOf(needle) + 3) ^ 0xff, whole.indexOf(needle) + 3);
    await writeFile(at('damaged.tar'), damaged);
    await writeFile(at('cut.tar'), whole.subarray(0, whole.length - 4096));
    await mkdir(at('to'));
    const store = await openTestStore(at('to'));
    for (const name of ['damaged.tar', 'cut.tar'])
      await expect(restore(store, rootsIn('to'), at('to'), at(name), named('x'))).rejects.toThrow(/damaged|not whole/);
    expect(await store.db.selectFrom('tracks').selectAll().execute()).toEqual([]);
    await store.close();
    await releaseDatabase(at('to'));
  });

  test('STORE-15: files are put in place outside of the transaction, and what a killed restore left is taken as it is', async () => {
    const was = await backedUp(at('all.tar'));
    await mkdir(at('to'));
    const store = await openTestStore(at('to'));
    const really = store.write;
    let inside = 0;
    const seen: number[] = [];
    Object.assign(store, {
      write: async (work: Parameters<typeof really>[0]) => {
        inside += 1;
        await really(work).finally(() => (inside -= 1));
      },
    });
    const sync = async (folder: string): Promise<void> => {
      seen.push(inside);
      await syncDirectory(folder);
    };
    const media = join(at('to'), 'media', was.path);
    await mkdir(join(media, '..'), { recursive: true });
    await mkdir(join(at('to'), 'restore'));
    await writeFile(media, 'something else');
    await expect(restore(store, rootsIn('to'), at('to'), at('all.tar'), named('x'))).rejects.toThrow('there already');
    await writeFile(media, was.bytes);
    await restore(store, rootsIn('to'), at('to'), at('all.tar'), { ...named('new'), sync });
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.every((count) => count === 0)).toBe(true);
    await expectEverything(store, at('to'), was);
    await store.close();
    await releaseDatabase(at('to'));
  });

  test('STORE-15, STORE-27: a catalog without artists in which somebody did something is not empty', async () => {
    await backedUp(at('all.tar'));
    const server = await testServer();
    try {
      const { body } = await server.api<{ secret: string }>('POST', '/v1/invites', { name: 'Eva', role: 'editor' });
      expect(body.secret).toBeTruthy();
      const roots = rootsOf(server.data, join(server.data, 'ingestion_uploads'));
      const into = restore(server.store, roots, server.data, at('all.tar'), named('x'));
      await expect(into).rejects.toThrow('not empty');
      expect(await server.store.db.selectFrom('invites').select('name').execute()).toEqual([{ name: 'Eva' }]);
    } finally {
      await server.end();
    }
  });
});

onBothStores('migrations', () => {
  test('STORE-13: the first released form with rows becomes the newest, and nothing of it is lost', async () => {
    const source = await emptySource(at('old.db'));
    const unnamed = new Kysely<unknown>({ dialect: source.writer });
    await MIGRATIONS['0001-catalog']?.up(unnamed);
    const old = unnamed.withTables<{ [K in keyof Database]: Database[K] }>();
    await old.schema
      .createTable('kysely_migration')
      .addColumn('name', 'varchar(255)', (c) => c.notNull().primaryKey())
      .addColumn('timestamp', 'varchar(255)', (c) => c.notNull())
      .execute();
    const done = { name: '0001-catalog', timestamp: '2026-11-01T00:00:00.000Z' };
    await old.withTables<{ kysely_migration: typeof done }>().insertInto('kysely_migration').values(done).execute();
    await old.insertInto('feed_counter').values({ id: 1, value: 0 }).execute();
    await old.insertInto('meta').values({ key: CATALOG_ID, value: 'kept' }).execute();
    // Today's import marks what it writes; the first form had no marks.
    const marks = old.schema.createTable('feed_marks').addColumn('seq', 'bigint').addColumn('mark', 'text');
    await marks.execute();
    await old.transaction().execute((tx) => importCatalog(tx, SMALL_CATALOG));
    await old.schema.dropTable('feed_marks').execute();
    await old.destroy();

    const store = await openStore(await emptySource(at('old.db')), () => 'not this');
    expect(await readMeta(store.db, CATALOG_ID)).toBe('kept');
    // FEED-5: a cursor that was given before there were marks goes on, one from here on has a mark.
    const seq = await feedPosition(store.db);
    expect(await readFeedCursor(store.db, 'kept', `kept.${seq}`)).toBe(seq);
    expect(await feedCursor(store.db, 'kept', seq)).toMatch(/^kept\.\d+\.[0-9a-f]{12}$/);
    expect(await store.db.selectFrom('tracks').selectAll().execute()).toHaveLength(6);
    expect((await search(store.db, 'huntr', 5)).tracks[0]?.id).toBe('tr_h1');
    expect(await store.db.selectFrom('ingestion_jobs').selectAll().execute()).toEqual([]);
    await store.close();
  });
});
