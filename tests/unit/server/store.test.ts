import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keptSecret, writeFileAtomic } from '#adapters/node/atomic-file.ts';
import { openDiskMedia } from '#adapters/node/disk-media-store.ts';
import { UploadNotes } from '#adapters/node/disk-uploads.ts';
import { createArtist } from '#lanes/music/server/catalog/edit-album.ts';
import { feedPosition } from '#server/store/feed.ts';
import { musicChanges } from '../../fixtures/test-store.ts';
import { sqliteFile } from '#adapters/node/sqlite-dialect.ts';
import type { LaneServer } from '#server/lane-server.ts';
import { CATALOG_ID, openStore, readMeta } from '#server/store/store.ts';
import { LANES, openTestStore } from '../../fixtures/server.ts';

let data: string;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'accession-store-'));
});
afterEach(() => rm(data, { recursive: true, force: true }));

describe('the store', () => {
  test('STORE-1: a transaction that throws leaves nothing, also in the feed', async () => {
    const store = await openTestStore(data);
    const ids = { next: () => 'x' };
    await expect(
      store.write(async (tx) => {
        await createArtist(tx, ids, { id: 'ar_1', name: 'One' });
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect(await musicChanges(store.db, 0, 10)).toEqual({ items: [], last: 0, more: false });
    await store.write((tx) => createArtist(tx, ids, { id: 'ar_1', name: 'One' }));
    expect(await feedPosition(store.db)).toBe(1);
    await store.close();
  });

  test('FEED-2: two writers at once lose nothing, and a reader who goes on from where it was sees all', async () => {
    const [here, there] = [await openTestStore(data), await openTestStore(data)];
    expect(await readMeta(here.db, CATALOG_ID)).toBe(await readMeta(there.db, CATALOG_ID));
    const seen = new Set<string>();
    let after = 0;
    const look = async (): Promise<void> => {
      const page = await musicChanges(here.db, after, 100);
      for (const item of page.items) seen.add(item.id);
      after = page.last;
    };
    for (let round = 0; round < 20; round += 1) {
      const write = (store: typeof here, id: string) =>
        store.write((tx) => createArtist(tx, { next: () => id }, { id, name: id }));
      await Promise.all([write(here, `a${round}`), write(there, `b${round}`), look()]);
    }
    await look();
    expect(seen.size).toBe(40);
    await here.close();
    await there.close();
  });

  test('API-113 long statements of many who ask at once have a turn of the event loop each, in their order', async () => {
    const store = await openTestStore(data);
    let turns = 0;
    let over = false;
    const others = (async () => {
      for (; !over; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    })();
    const ended: [name: number, turn: number][] = [];
    const long = async (name: number): Promise<void> => {
      await sql`with recursive count(x) as (select 1 union all select x + 1 from count where x < 200000)
        select max(x) from count`.execute(store.db);
      ended.push([name, turns]);
    };
    await Promise.all([1, 2, 3, 4, 5, 6].map(long));
    over = true;
    await others;
    expect(ended.map(([name]) => name)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(new Set(ended.map(([, turn]) => turn)).size).toBeGreaterThanOrEqual(5);
    await store.close();
  });

  test('STORE-2: reading goes on while a transaction is open, and sees what is committed', async () => {
    const store = await openTestStore(data);
    await store.write(async (tx) => {
      await createArtist(tx, { next: () => 'x' }, { id: 'ar_1', name: 'One' });
      expect(await store.db.selectFrom('artists').selectAll().execute()).toEqual([]);
    });
    expect(await store.db.selectFrom('artists').select('id').execute()).toEqual([{ id: 'ar_1' }]);
    await store.close();
  });
});

describe('files', () => {
  test('OPS-57 tables of a lane come to a database that has newer ones of the server’s own', async () => {
    const open = (lanes: readonly LaneServer[]) => openStore(sqliteFile(join(data, 'late.db')), () => 'late', lanes);
    await (await open([])).close();
    const store = await open(LANES);
    expect(await store.db.selectFrom('work_documents').selectAll().execute()).toEqual([]);
    expect((await store.db.introspection.getTables()).map(({ name }) => name)).toContain('library_folders');
    await store.close();
  });

  test('PLACE-2: placing never writes over anything, and the upload stays until it is removed', async () => {
    const media = await openDiskMedia(data);
    const sha = 'b'.repeat(64);
    await writeFile(join(data, 'uploads', sha), 'new');
    await writeFile(join(data, 'media', 'taken.ogg'), 'old');
    expect(await media.place(sha, 'taken.ogg')).toBe(false);
    expect(await readFile(join(data, 'media', 'taken.ogg'), 'utf8')).toBe('old');
    expect(await media.place(sha, 'a/b/free.ogg')).toBe(true);
    await media.removeUpload(sha);
    expect(await readFile(join(data, 'media', 'a/b/free.ogg'), 'utf8')).toBe('new');
  });

  test('PLACE-1: a path that leaves the directory is refused even here', async () => {
    const media = await openDiskMedia(data);
    await writeFile(join(data, 'secret'), 'x');
    for (const path of ['../secret', '/etc/passwd', 'a/../../secret', '']) {
      await expect(
        Promise.resolve().then(() => media.size(path)),
        path,
      ).rejects.toThrow('left its directory');
    }
  });

  test('SERVE-1: a secret is made once', async () => {
    const path = join(data, 'deep', 'secret');
    expect(await keptSecret(path, () => 'one')).toBe('one');
    expect(await keptSecret(path, () => 'two')).toBe('one');
    await writeFileAtomic(path, 'three\n');
    expect(await keptSecret(path, () => 'four')).toBe('three');
  });

  test('UPLOAD-1: half a note is none', async () => {
    const notes = new UploadNotes(data);
    await writeFile(join(data, 'x.json'), '{"id":"x","si');
    expect(await notes.get('x')).toBeUndefined();
    expect(await notes.list()).toEqual(['x']);
    await notes.delete('x');
    expect(await notes.list()).toEqual([]);
  });
});
