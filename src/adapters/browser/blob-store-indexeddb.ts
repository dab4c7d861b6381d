import { writeCounted, writeHashed, type Write } from '#core/ingest/write-hashed.ts';
import type { BlobRef, Cancel } from '#core/ports.ts';
import { ownName } from '../blob-name.ts';
import { blobRange, ownBytes } from './blob-chunks.ts';
import { defaultGrace, type BrowserBlobStore } from './blob-store.types.ts';
import type { AccessionDb } from './db.ts';
import { missingBlob, storageFailure } from './storage-failure.ts';

/** Parts are handed to the browser as Blobs of this size, which it may keep on disk. */
const PART_BYTES = 8 * 1024 * 1024;

/** Blobs as rows of IndexedDB: where there is no OPFS (private windows, some WebKit). A row is whole or not there. */
export class IndexedDbBlobStore implements BrowserBlobStore {
  readonly kind = 'indexeddb';
  readonly #db: AccessionDb;
  readonly #now: () => number;

  constructor(db: AccessionDb, now: () => number = Date.now) {
    this.#db = db;
    this.#now = now;
  }

  put(chunks: AsyncIterable<Uint8Array>, cancel?: Cancel, expected?: number): Promise<BlobRef> {
    return this.#store((write) => writeHashed(chunks, write, { cancel, expected }));
  }

  keep(chunks: AsyncIterable<Uint8Array>, cancel?: Cancel): Promise<BlobRef> {
    return this.#store(async (write) => ({ sha256: ownName(), size: await writeCounted(chunks, write, cancel) }));
  }

  async #store(work: (write: Write) => Promise<BlobRef>): Promise<BlobRef> {
    const parts: Blob[] = [];
    let open: Uint8Array<ArrayBuffer>[] = [];
    let openBytes = 0;
    const close = (): void => {
      parts.push(new Blob(open));
      open = [];
      openBytes = 0;
    };
    try {
      const ref = await work((chunk) => {
        // Copied: a producer may use its buffer again before the part is closed.
        open.push(ownBytes(chunk).slice());
        openBytes += chunk.length;
        if (openBytes >= PART_BYTES) close();
      });
      close();
      await this.#db.blobs.put({ ...ref, blob: new Blob(parts), stored_at: this.#now() });
      return ref;
    } catch (error) {
      throw storageFailure(error);
    }
  }

  async size(sha256: string): Promise<number | null> {
    return (await this.#db.blobs.get(sha256))?.size ?? null;
  }

  async *read(sha256: string, start?: number, end?: number): AsyncIterable<Uint8Array> {
    yield* blobRange(await this.file(sha256), start, end);
  }

  async file(sha256: string): Promise<Blob> {
    const row = await this.#db.blobs.get(sha256);
    if (row === undefined) throw missingBlob(sha256);
    return row.blob;
  }

  async delete(sha256: string): Promise<void> {
    await this.#db.blobs.delete(sha256);
  }

  async *list(): AsyncIterable<BlobRef> {
    for (const sha256 of await this.#db.blobs.toCollection().primaryKeys()) {
      const size = await this.size(sha256);
      if (size !== null) yield { sha256, size };
    }
  }

  async collectGarbage(
    referenced: ReadonlySet<string>,
    grace = defaultGrace(this.#now()),
  ): Promise<{ files: number; bytes: number }> {
    return this.#db.transaction('rw', this.#db.blobs, async () => {
      const collected = { files: 0, bytes: 0 };
      await this.#db.blobs.each((row) => {
        if (referenced.has(row.sha256) || grace.now - row.stored_at < grace.blobMs) return;
        collected.files += 1;
        collected.bytes += row.size;
      });
      await this.#db.blobs
        .filter((row) => !referenced.has(row.sha256) && grace.now - row.stored_at >= grace.blobMs)
        .delete();
      return collected;
    });
  }
}
