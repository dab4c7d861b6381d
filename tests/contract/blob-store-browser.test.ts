import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import Dexie from 'dexie';
import { describe, expect, test } from 'vitest';
import { IndexedDbBlobStore, keepsBlobs } from '#adapters/browser/blobs/blob-store-indexeddb.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';
import { openDatabase } from '#lanes/database.ts';
import { openKeptFiles } from '#adapters/browser/kept-files.ts';
import { MemoryBlobStore } from '../fixtures/memory-blobs.ts';
import { blobStoreContract } from './blob-store.ts';

Dexie.dependencies.indexedDB = new IDBFactory();
Dexie.dependencies.IDBKeyRange = IDBKeyRange;
let count = 0;
const openDb = (): AccessionDb => openDatabase(`blobs-${++count}`);

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

async function* zeros(bytes: number): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(bytes);
}

blobStoreContract('memory', async () => ({ store: new MemoryBlobStore() }));
blobStoreContract('IndexedDB', async () => {
  const db = openDb();
  return { store: new IndexedDbBlobStore(db), close: () => db.delete() };
});
blobStoreContract('IndexedDB without Blobs', async () => {
  const db = openDb();
  return { store: new IndexedDbBlobStore(db, { keepsBlobs: false }), close: () => db.delete() };
});

describe('IndexedDB that refuses Blobs (BLOB-10)', () => {
  /** As WebKit does in sessions that leave nothing behind. */
  function refusing(): AccessionDb {
    const db = openDb();
    for (const table of [db.blobs, db.files])
      table.hook('creating', (_key, row) => {
        if (row.blob instanceof Blob) throw new DOMException('Error preparing Blob/File data', 'UnknownError');
      });
    return db;
  }

  test('is found out by trying, and the index of the catalog is kept as bytes, too', async () => {
    const db = refusing();
    expect(await keepsBlobs(db)).toBe(false);
    const files = await openKeptFiles(db, 'index');
    await files.write('catalog-1', [new TextEncoder().encode('ca'), new TextEncoder().encode('talog')]);
    expect(new TextDecoder().decode((await files.read('catalog-1')) ?? undefined)).toBe('catalog');
    await db.delete();
  });

  test.each([
    ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15', false],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) AppleWebKit/605.1.15 CriOS/141.0 Mobile/15E148', false],
    ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/141.0 Safari/537.36', true],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', true],
  ])('WebKit is not trusted with them: %s', async (agent, kept) => {
    const db = openDb();
    expect(await keepsBlobs(db, agent)).toBe(kept);
    await db.delete();
  });

  test('a full disk is not taken for that', async () => {
    const db = openDb();
    db.files.hook('creating', () => {
      throw new DOMException('no space', 'QuotaExceededError');
    });
    expect(await keepsBlobs(db)).toBe(true);
    await db.delete();
  });

  test('BLOB-11 leaves no bytes of what failed, was replaced, deleted, or killed an hour ago', async () => {
    const db = refusing();
    let now = 10_000_000;
    const store = new IndexedDbBlobStore(db, { now: () => now, keepsBlobs: false });
    async function* breaking(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(3_000_000);
      throw new Error('the disk was removed');
    }
    await expect(store.put(breaking())).rejects.toMatchObject({ failure: { code: 'storage_failed' } });
    expect(await db.blob_parts.count()).toBe(0);
    const { sha256 } = await store.put(chunksOf('twice'));
    await store.put(chunksOf('twice'));
    expect(await db.blob_parts.count()).toBe(1);
    await db.blob_parts.put({ of: `${now}-killed`, index: 0, bytes: new ArrayBuffer(1) });
    await store.collectGarbage(new Set([sha256]));
    expect(await db.blob_parts.count()).toBe(2);
    now += 4_000_000;
    await store.collectGarbage(new Set([sha256]));
    expect(await db.blob_parts.count()).toBe(1);
    expect(await (await store.file(sha256)).text()).toBe('twice');
    await store.delete(sha256);
    expect(await db.blob_parts.count()).toBe(0);
    await db.delete();
  });

  test('BLOB-11 a blob that is removed while it is read is missing, never short', async () => {
    const db = refusing();
    const store = new IndexedDbBlobStore(db, { keepsBlobs: false });
    const { sha256 } = await store.put(zeros(2_500_000));
    const reading = store.read(sha256)[Symbol.asyncIterator]();
    await reading.next();
    await store.delete(sha256);
    await expect(reading.next()).rejects.toMatchObject({ failure: { code: 'blob_missing' } });
    await db.delete();
  });
});

describe('IndexedDB', () => {
  test('BLOB-7 collects what nobody refers to, but nothing young', async () => {
    const db = openDb();
    let now = 1_000_000;
    const store = new IndexedDbBlobStore(db, { now: () => now });
    const old = await store.put(chunksOf('old'));
    const used = await store.put(chunksOf('used'));
    now += 2_000;
    const young = await store.put(chunksOf('young'));
    const collected = await store.collectGarbage(new Set([used.sha256]), { now, blobMs: 1_000, temporaryMs: 0 });
    expect(collected).toEqual({ files: 1, bytes: 3 });
    expect(await store.size(old.sha256)).toBeNull();
    expect(await store.size(used.sha256)).toBe(4);
    expect(await store.size(young.sha256)).toBe(5);
    expect(await (await store.file(used.sha256)).text()).toBe('used');
    await db.delete();
  });

  test('BLOB-8 a full disk is storage_full, with nothing stored', async () => {
    const db = openDb();
    db.blobs.hook('creating', () => {
      throw new DOMException('no space', 'QuotaExceededError');
    });
    const store = new IndexedDbBlobStore(db);
    await expect(store.put(chunksOf('x'))).rejects.toMatchObject({
      failure: { code: 'storage_full', retryable: true },
    });
    expect(await db.blobs.count()).toBe(0);
    await db.delete();
  });
});

describe('memory', () => {
  test('BLOB-8 is full at its capacity', async () => {
    const store = new MemoryBlobStore({ capacity: 5 });
    await store.put(chunksOf('four'));
    await expect(store.put(chunksOf('more'))).rejects.toMatchObject({ failure: { code: 'storage_full' } });
    expect(await store.collectGarbage(new Set())).toEqual({ files: 1, bytes: 4 });
    await expect(store.put(chunksOf('more'))).resolves.toMatchObject({ size: 4 });
  });
});
