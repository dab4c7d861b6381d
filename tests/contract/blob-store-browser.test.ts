import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import Dexie from 'dexie';
import { describe, expect, test } from 'vitest';
import { IndexedDbBlobStore } from '#adapters/browser/blob-store-indexeddb.ts';
import { AccessionDb } from '#adapters/browser/db.ts';
import { MemoryBlobStore } from '#adapters/memory/blob-store.ts';
import { blobStoreContract } from './blob-store.ts';

Dexie.dependencies.indexedDB = new IDBFactory();
Dexie.dependencies.IDBKeyRange = IDBKeyRange;
let count = 0;
const openDb = (): AccessionDb => new AccessionDb(`blobs-${++count}`);

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

blobStoreContract('memory', async () => ({ store: new MemoryBlobStore() }));
blobStoreContract('IndexedDB', async () => {
  const db = openDb();
  return { store: new IndexedDbBlobStore(db), close: () => db.delete() };
});

describe('IndexedDB', () => {
  test('BLOB-7 collects what nobody refers to, but nothing young', async () => {
    const db = openDb();
    let now = 1_000_000;
    const store = new IndexedDbBlobStore(db, () => now);
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
