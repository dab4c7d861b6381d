import { writeCounted, writeHashed, type Write } from '#core/ingest/write-hashed.ts';
import type { BlobRef, Cancel } from '#core/ports.ts';
import { ownName } from '../../blob-name.ts';
import { blobRange } from '../../media/blob-pieces.ts';
import { asOneBlob, asParts, dropParts, dropStrayParts, rangeOfParts, wholeBlob } from './blob-rows.ts';
import { defaultGrace, type BrowserBlobStore } from './blob-store.types.ts';
import type { AccessionDb, IndexedDbBlobRow } from '../db.ts';
import { missingBlob, storageFailure } from './storage-failure.ts';

interface Options {
  now?: () => number;
  /** False where the browser refuses Blobs in rows: the bytes are rows of their own then. */
  keepsBlobs?: boolean;
}

/** Blobs as rows of IndexedDB: where there is no OPFS (private windows, some WebKit). A row is whole or not there. */
export class IndexedDbBlobStore implements BrowserBlobStore {
  readonly kind = 'indexeddb';
  readonly #db: AccessionDb;
  readonly #now: () => number;
  readonly #keepsBlobs: boolean;

  constructor(db: AccessionDb, { now = Date.now, keepsBlobs = true }: Options = {}) {
    this.#db = db;
    this.#now = now;
    this.#keepsBlobs = keepsBlobs;
  }

  put(chunks: AsyncIterable<Uint8Array>, cancel?: Cancel, expected?: number): Promise<BlobRef> {
    return this.#store((write) => writeHashed(chunks, write, { cancel, expected }));
  }

  keep(chunks: AsyncIterable<Uint8Array>, cancel?: Cancel): Promise<BlobRef> {
    return this.#store(async (write) => ({ sha256: ownName(), size: await writeCounted(chunks, write, cancel) }));
  }

  async #store(work: (write: Write) => Promise<BlobRef>): Promise<BlobRef> {
    const rows = this.#keepsBlobs ? asOneBlob() : asParts(this.#db, this.#now());
    try {
      const ref = await work((chunk) => rows.write(chunk));
      const place = await rows.end();
      await this.#publish({ ...ref, ...place, stored_at: this.#now() });
      return ref;
    } catch (error) {
      await rows.drop();
      throw storageFailure(error);
    }
  }

  async size(sha256: string): Promise<number | null> {
    return (await this.#db.blobs.get(sha256))?.size ?? null;
  }

  async *read(sha256: string, start = 0, end?: number): AsyncIterable<Uint8Array> {
    const row = await this.#row(sha256);
    if (row.parts === undefined) yield* blobRange(await wholeBlob(this.#db, row), start, end);
    else yield* rangeOfParts(this.#db, row, row.parts, start, end);
  }

  async file(sha256: string): Promise<Blob> {
    return wholeBlob(this.#db, await this.#row(sha256));
  }

  async #row(sha256: string): Promise<IndexedDbBlobRow> {
    const row = await this.#db.blobs.get(sha256);
    if (row === undefined) throw missingBlob(sha256);
    return row;
  }

  delete(sha256: string): Promise<void> {
    const { blobs, blob_parts } = this.#db;
    return this.#db.transaction('rw', blobs, blob_parts, async () => {
      const parts = (await blobs.get(sha256))?.parts;
      await blobs.delete(sha256);
      if (parts !== undefined) await dropParts(this.#db, parts.of);
    });
  }

  /** The very same bytes may be there already, and somebody may be reading their rows: they stay. */
  #publish(row: IndexedDbBlobRow): Promise<void> {
    const { blobs, blob_parts } = this.#db;
    return this.#db.transaction('rw', blobs, blob_parts, async () => {
      const before = await blobs.get(row.sha256);
      await blobs.put(before === undefined ? row : { ...before, stored_at: row.stored_at });
      if (before !== undefined && row.parts !== undefined) await dropParts(this.#db, row.parts.of);
    });
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
    return this.#db.transaction('rw', this.#db.blobs, this.#db.blob_parts, async () => {
      const collected = { files: 0, bytes: 0 };
      await this.#db.blobs.each((row) => {
        if (referenced.has(row.sha256) || grace.now - row.stored_at < grace.blobMs) return;
        collected.files += 1;
        collected.bytes += row.size;
      });
      await this.#db.blobs
        .filter((row) => !referenced.has(row.sha256) && grace.now - row.stored_at >= grace.blobMs)
        .delete();
      await dropStrayParts(this.#db, grace.now - grace.blobMs);
      return collected;
    });
  }
}
