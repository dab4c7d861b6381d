/**
 * Parts as answers in the Cache API, where WebLLM looks for them: a key is the name of the cache, a blank, and the
 * address that WebLLM asks for.
 */
import { failed } from '#core/errors.ts';
import { missingBlob, storageFailure } from '../blobs/storage-failure.ts';
import type { PartStore } from '../../models/parts.ts';

const BYTES = 'x-accession-bytes';

export function cachePartStore(): PartStore {
  const find = async (key: string): Promise<Response | undefined> => {
    const { cache, url } = await open(key);
    return cache.match(url);
  };
  return {
    async size(key) {
      const bytes = (await find(key))?.headers.get(BYTES);
      return bytes === null || bytes === undefined ? null : Number(bytes);
    },
    async put(key, chunks, bytes) {
      const { cache, url } = await open(key);
      const source = counted(chunks);
      try {
        await cache.put(url, labelled(source.stream, bytes));
        if (bytes === null) {
          // Small files, whose size nobody lists: kept once more with it.
          const kept = await cache.match(url);
          await cache.put(url, labelled((await kept?.arrayBuffer()) ?? null, source.bytes()));
        }
      } catch (error) {
        await cache.delete(url).catch(() => false);
        // A cache says in its own words that its source failed.
        throw storageFailure(source.failed() ?? error);
      }
    },
    async read(key) {
      const kept = await find(key);
      if (kept === undefined) throw missingBlob(key);
      return kept.blob();
    },
    async remove(key) {
      const { cache, url } = await open(key);
      await cache.delete(url);
    },
  };
}

async function open(key: string): Promise<{ cache: Cache; url: string }> {
  const at = key.indexOf(' ');
  try {
    return { cache: await caches.open(key.slice(0, at)), url: key.slice(at + 1) };
  } catch (error) {
    const words = 'This browser offers no storage that is large enough for models (a private window, perhaps).';
    throw failed('storage_failed', words, { cause: error });
  }
}

function labelled(body: ReadableStream<Uint8Array> | ArrayBuffer | null, bytes: number | null): Response {
  return new Response(body, bytes === null ? {} : { headers: { [BYTES]: String(bytes) } });
}

function counted(chunks: AsyncIterable<Uint8Array>): {
  stream: ReadableStream<Uint8Array>;
  bytes: () => number;
  failed: () => unknown;
} {
  const source = chunks[Symbol.asyncIterator]();
  let bytes = 0;
  let failed: unknown = null;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const next = await source.next();
        if (next.done === true) return controller.close();
        bytes += next.value.length;
        controller.enqueue(next.value);
      } catch (error) {
        failed = error;
        throw error;
      }
    },
    async cancel() {
      await source.return?.();
    },
  });
  return { stream, bytes: () => bytes, failed: () => failed };
}
