/**
 * Files of an upload in this browser's blob store. No row of a job names them, so each is noted in a row of its own:
 * nobody collects it while it is worked on, and what a killed tab left behind is known at the next start.
 */
import type { BlobRef, Cancel } from '#core/ports.ts';
import type { FileBlobs } from '../../media/loose-file.ts';
import type { BrowserBlobStore } from '../blobs/blob-store.types.ts';
import type { AccessionDb } from '../db.ts';

const PREFIX = 'upload_blob:';

/** Names of the blobs that uploads have here. */
export async function heldBlobs(db: AccessionDb): Promise<Set<string>> {
  const keys = await db.meta.where('key').startsWith(PREFIX).primaryKeys();
  return new Set(keys.map((key) => key.slice(PREFIX.length)));
}

export async function holdBlob(db: AccessionDb, sha256: string): Promise<void> {
  await db.meta.put({ key: `${PREFIX}${sha256}`, value: true });
}

export async function letGo(db: AccessionDb, names: Iterable<string>): Promise<void> {
  await db.meta.bulkDelete([...names].map((name) => `${PREFIX}${name}`));
}

/** The browser's blobs; what is stored through it is held. */
export class HeldBlobs implements FileBlobs {
  readonly #db: AccessionDb;
  readonly #blobs: BrowserBlobStore;

  constructor(db: AccessionDb, blobs: BrowserBlobStore) {
    this.#db = db;
    this.#blobs = blobs;
  }

  async put(chunks: AsyncIterable<Uint8Array>, cancel?: Cancel, expected?: number): Promise<BlobRef> {
    return this.#hold(await this.#blobs.put(chunks, cancel, expected));
  }

  async keep(chunks: AsyncIterable<Uint8Array>, cancel?: Cancel): Promise<BlobRef> {
    return this.#hold(await this.#blobs.keep(chunks, cancel));
  }

  size(sha256: string): Promise<number | null> {
    return this.#blobs.size(sha256);
  }

  read(sha256: string, start?: number, end?: number): AsyncIterable<Uint8Array> {
    return this.#blobs.read(sha256, start, end);
  }

  file(sha256: string): Promise<Blob> {
    return this.#blobs.file(sha256);
  }

  delete(sha256: string): Promise<void> {
    return this.#blobs.delete(sha256);
  }

  list(): AsyncIterable<BlobRef> {
    return this.#blobs.list();
  }

  async #hold(ref: BlobRef): Promise<BlobRef> {
    await holdBlob(this.#db, ref.sha256);
    return ref;
  }
}
