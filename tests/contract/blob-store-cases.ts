/**
 * What every BlobStore does (port in src/core/ports.ts). Free of any test runner, so that the same cases run
 * under Vitest (memory, IndexedDB, disk) and inside a browser's worker (OPFS).
 */
import { AccessionError, failed, type FailureCode } from '#core/errors.ts';
import type { BrowserBlobStore } from '#adapters/browser/blobs/blob-store.types.ts';
import type { BlobRef, BlobStore } from '#core/ports.ts';

export interface BlobStoreCase {
  name: string;
  run(store: BlobStore & Pick<BrowserBlobStore, 'keep'>): Promise<void>;
}

/** SHA-256 of `abc` and of nothing, from FIPS 180-2. */
const ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
const NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const UNKNOWN = '0'.repeat(64);

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

async function* chunksOf(...parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

export const blobStoreCases: readonly BlobStoreCase[] = [
  {
    name: 'BLOB-1 names a blob by the SHA-256 of its bytes, however they were cut into chunks',
    async run(store) {
      same(await store.put(chunksOf(bytesOf('a'), bytesOf(''), bytesOf('bc'))), { sha256: ABC, size: 3 });
      same(await store.put(chunksOf(bytesOf('abc'))), { sha256: ABC, size: 3 });
      same(await store.size(ABC), 3);
      same(await listed(store), [{ sha256: ABC, size: 3 }]);
    },
  },
  {
    name: 'BLOB-1 stores nothing at all as well',
    async run(store) {
      same(await store.put(chunksOf()), { sha256: NOTHING, size: 0 });
      same(await store.size(NOTHING), 0);
      same((await bytesIn(store, NOTHING)).length, 0);
    },
  },
  {
    name: 'STAGE-64 what is only kept for a while has a name of its own each time, and goes like any blob',
    async run(store) {
      const kept = await store.keep(chunksOf(bytesOf('a'), bytesOf('bc')));
      const again = await store.keep(chunksOf(bytesOf('abc')));
      if (kept.sha256 === again.sha256 || kept.sha256 === ABC) throw new Error('it is named by its content');
      same(kept.size, 3);
      same(await bytesIn(store, kept.sha256), bytesOf('abc'));
      await store.delete(kept.sha256);
      same(await listed(store), [again]);
    },
  },
  {
    name: 'BLOB-2 gives back the very bytes, whole and in ranges',
    async run(store) {
      const big = new Uint8Array(3_000_001).map((_, i) => (i * 31) % 251);
      const { sha256 } = await store.put(chunksOf(big.slice(0, 1_000_000), big.slice(1_000_000)));
      same(await bytesIn(store, sha256), big);
      same(await bytesIn(store, sha256, 10, 20), big.slice(10, 20));
      same(await bytesIn(store, sha256, 2_999_999), big.slice(2_999_999));
      same(await bytesIn(store, sha256, 1_048_570, 2_097_160), big.slice(1_048_570, 2_097_160));
      same((await bytesIn(store, sha256, 5, 5)).length, 0);
      same(await bytesIn(store, sha256, 3_000_000, 9_000_000), big.slice(3_000_000));
    },
  },
  {
    name: 'BLOB-2 keeps its own copy when the producer uses its buffer again',
    async run(store) {
      async function* reusing(): AsyncGenerator<Uint8Array> {
        const buffer = new Uint8Array(1);
        for (const letter of 'abc') {
          buffer[0] = letter.charCodeAt(0);
          yield buffer;
        }
      }
      same(await store.put(reusing()), { sha256: ABC, size: 3 });
      same(await bytesIn(store, ABC), bytesOf('abc'));
    },
  },
  {
    name: 'BLOB-3 leaves nothing behind when the source fails, and passes its failure on',
    async run(store) {
      async function* breaking(): AsyncGenerator<Uint8Array> {
        yield bytesOf('half of it');
        throw failed('file_unreadable', 'gone');
      }
      await throws(() => store.put(breaking()), 'file_unreadable');
      same(await listed(store), []);
    },
  },
  {
    name: 'BLOB-3 leaves nothing behind when it is cancelled, before or within',
    async run(store) {
      await throws(() => store.put(chunksOf(bytesOf('abc')), { aborted: true }), 'cancelled');
      const cancel = { aborted: false };
      async function* cancelling(): AsyncGenerator<Uint8Array> {
        yield bytesOf('one');
        cancel.aborted = true;
        yield bytesOf('two');
      }
      await throws(() => store.put(cancelling(), cancel), 'cancelled');
      same(await listed(store), []);
    },
  },
  {
    name: 'BLOB-4 says blob_missing, or null for a size, of what is not there',
    async run(store) {
      same(await store.size(UNKNOWN), null);
      await throws(() => bytesIn(store, UNKNOWN), 'blob_missing');
      await store.delete(UNKNOWN);
    },
  },
  {
    name: 'BLOB-5 deletes one blob and no other',
    async run(store) {
      const kept = await store.put(chunksOf(bytesOf('kept')));
      await store.put(chunksOf(bytesOf('abc')));
      await store.delete(ABC);
      same(await store.size(ABC), null);
      same(await listed(store), [kept]);
      same(await bytesIn(store, kept.sha256), bytesOf('kept'));
    },
  },
  {
    name: 'BLOB-6 takes several blobs at once, the same one among them',
    async run(store) {
      const texts = ['one', 'two', 'abc', 'abc'];
      const refs = await Promise.all(texts.map((text) => store.put(chunksOf(bytesOf(text)))));
      same(new Set(refs.map((ref) => ref.sha256)).size, 3);
      same((await listed(store)).length, 3);
      for (const [i, ref] of refs.entries()) same(await bytesIn(store, ref.sha256), bytesOf(texts[i] ?? ''));
    },
  },
];

async function bytesIn(store: BlobStore, sha256: string, start?: number, end?: number): Promise<Uint8Array> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of store.read(sha256, start, end)) parts.push(new Uint8Array(chunk));
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

async function listed(store: BlobStore): Promise<BlobRef[]> {
  const refs: BlobRef[] = [];
  for await (const { sha256, size } of store.list()) refs.push({ sha256, size });
  return refs.sort((a, b) => a.sha256.localeCompare(b.sha256));
}

async function throws(act: () => Promise<unknown>, code: FailureCode): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (error instanceof AccessionError && error.failure.code === code) return;
    throw new Error(`expected ${code}, but it threw ${String(error)}`, { cause: error });
  }
  throw new Error(`expected ${code}, but nothing was thrown`);
}

function same(actual: unknown, expected: unknown): void {
  const [left, right] = [shown(actual), shown(expected)];
  if (left !== right) throw new Error(`expected ${right.slice(0, 200)}, got ${left.slice(0, 200)}`);
}

function shown(value: unknown): string {
  return value instanceof Uint8Array ? `${value.length} bytes: ${value.join(' ')}` : JSON.stringify(value);
}
