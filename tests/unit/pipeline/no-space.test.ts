import 'fake-indexeddb/auto';
import { describe, expect, test, vi } from 'vitest';
import { openBlobStore } from '#adapters/browser/blobs/blob-store.ts';
import { ConversionOutputs } from '#adapters/browser/blobs/conversion-outputs.ts';
import { noSpaceFor } from '#adapters/browser/blobs/storage-failure.ts';
import { freeStorage } from '#adapters/browser/blobs/storage.ts';
import { MemoryBlobStore } from '../../fixtures/memory-blobs.ts';
import { openDatabase } from '#lanes/database.ts';
import { countingIds, makeBatch, makeJob, testClock } from '../../fixtures/job.ts';
import { musicStation } from '../../fixtures/music-station.ts';

const noSpace = (): never => {
  throw new DOMException('no space', 'QuotaExceededError');
};

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

describe('STAGE-81 a full disk does not change where files are stored', () => {
  class FileHandle {
    createSyncAccessHandle(): Promise<never> {
      return Promise.resolve().then(noSpace);
    }
    move(): Promise<void> {
      return Promise.resolve();
    }
  }
  const folder = {
    getFileHandle: async () => new FileHandle(),
    getDirectoryHandle: async () => folder,
    removeEntry: async () => undefined,
  };

  test('the files that are there are found, and what does not fit is said', async () => {
    vi.stubGlobal('FileSystemFileHandle', FileHandle);
    vi.stubGlobal('navigator', { storage: { getDirectory: async () => folder } });
    try {
      const store = await openBlobStore(openDatabase(`test-${crypto.randomUUID()}`));
      expect(store.kind).toBe('opfs-sync');
      await expect(store.put(once('x'))).rejects.toMatchObject({ failure: { code: 'storage_full' } });
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

test('STAGE-82 where not even the rows can be written, what is due is freed first, and the rows say so then', async () => {
  const clock = testClock(1_000_000_000);
  const db = openDatabase(`test-${crypto.randomUUID()}`);
  const blobs = new MemoryBlobStore();
  const { sha256 } = await blobs.put(once('original'));
  const at = clock.now();
  await db.jobs.put(
    makeJob({ id: 'a', sha256, status: 'COMPLETED', phase: 'published', sync: 'published', completed_at: at }),
  );
  await db.batches.put(makeBatch());
  // The rows find room once the file is gone.
  let full = true;
  db.jobs.hook('updating', () => (full ? noSpace() : undefined));
  const remove = blobs.delete.bind(blobs);
  blobs.delete = async (name) => {
    full = false;
    await remove(name);
  };
  const ids = countingIds();
  const store = musicStation(db, { clock, ids }).store();
  expect(await freeStorage({ db, blobs, clock, ids, store }, true)).toBe(8);
  expect(await blobs.size(sha256)).toBeNull();
  expect((await db.jobs.get('a'))?.temp_file_path).toBeNull();
});

describe('STAGE-83 an output that did not become the result goes at once', () => {
  const dated = (blobs: MemoryBlobStore, lastModified: number) => ({
    put: blobs.put.bind(blobs),
    delete: blobs.delete.bind(blobs),
    file: async (sha256: string) => new File([await blobs.file(sha256)], sha256, { lastModified }),
  });

  test('the result stays, the other goes', async () => {
    const blobs = new MemoryBlobStore();
    const outputs = new ConversionOutputs(dated(blobs, 1_000), 1_000);
    const refused = await outputs.put(once('refused'));
    const result = await outputs.put(once('result'));
    await outputs.dropAllBut(result.sha256);
    expect([await blobs.size(refused.sha256), await blobs.size(result.sha256)]).toEqual([null, 6]);
  });

  test('what was stored before the conversion began is somebody’s and stays: the original itself, kept as it is', async () => {
    const blobs = new MemoryBlobStore();
    const outputs = new ConversionOutputs(dated(blobs, 999), 1_000);
    const original = await outputs.put(once('original'));
    await outputs.dropAllBut(null);
    expect(await blobs.size(original.sha256)).toBe(8);
  });
});

test.each([
  ['counts', async () => ({ usage: 1_200_000_000, quota: 2 }), 'wanted; Accession uses 1.2 GB.'],
  ['does not count', async () => ({}), 'wanted.'],
  ['fails itself', async () => Promise.reject(new TypeError('no')), 'wanted.'],
])('STAGE-80, STAGE-110 what is wanted is said by a browser that %s', async (_, estimate, words) => {
  vi.stubGlobal('navigator', { storage: { estimate } });
  try {
    const failure = await noSpaceFor('"a.flac" could not be stored.', 4100, { subject: 'a.flac', then: 'press Retry' });
    expect(failure).toMatchObject({ code: 'storage_full', subject: 'a.flac' });
    expect(failure.message).toBe(
      `"a.flac" could not be stored. There is no space left in this browser: 4.1 kB are ${words}`,
    );
  } finally {
    vi.unstubAllGlobals();
  }
});
