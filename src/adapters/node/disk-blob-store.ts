import { randomUUID } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AccessionError, failed } from '#core/errors.ts';
import type { BlobRef, BlobStore, Cancel } from '#core/ports.ts';
import { ownName } from '../blob-name.ts';
import { fileSize, writeNamed } from './atomic-file.ts';

const NAME = /^[0-9a-f]{64}$/;
const PIECE_BYTES = 1024 * 1024;

/**
 * Blobs in a directory, named by their SHA-256: what a headless worker has in hand. What is being written is called `<uuid>.part` and gets its name when it is whole and on the disk.
 */
export class DiskBlobStore implements BlobStore {
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  /** Makes the directory when it is missing, readable by its owner alone. */
  static async open(root: string): Promise<DiskBlobStore> {
    await mkdir(root, { recursive: true, mode: 0o700 });
    return new DiskBlobStore(root);
  }

  put(chunks: AsyncIterable<Uint8Array>, cancel?: Cancel): Promise<BlobRef> {
    return this.#store(chunks, cancel, null);
  }

  /** What is only kept for a while, under a name of its own. */
  keep(chunks: AsyncIterable<Uint8Array>, cancel?: Cancel): Promise<BlobRef> {
    return this.#store(chunks, cancel, ownName());
  }

  /** `own`: its name, where that is not its hash. */
  async #store(chunks: AsyncIterable<Uint8Array>, cancel: Cancel | undefined, own: string | null): Promise<BlobRef> {
    const part = join(this.#root, `${randomUUID()}.part`);
    const { sha256, size } = await writeNamed(part, (hash) => join(this.#root, own ?? hash), chunks, cancel);
    return { sha256: own ?? sha256, size };
  }

  async size(sha256: string): Promise<number | null> {
    return fileSize(this.#path(sha256));
  }

  async *read(sha256: string, start = 0, end?: number): AsyncIterable<Uint8Array> {
    const size = await this.size(sha256);
    if (size === null) throw missing(sha256);
    const stop = Math.min(end ?? size, size);
    if (start >= stop) return;
    yield* createReadStream(this.#path(sha256), {
      start,
      end: stop - 1,
      highWaterMark: PIECE_BYTES,
    });
  }

  /** The blob without reading it. Throws AccessionError `blob_missing`. */
  async file(sha256: string): Promise<Blob> {
    if ((await this.size(sha256)) === null) throw missing(sha256);
    return openAsBlob(this.#path(sha256));
  }

  async delete(sha256: string): Promise<void> {
    await rm(this.#path(sha256), { force: true });
  }

  async *list(): AsyncIterable<BlobRef> {
    for (const name of await readdir(this.#root)) {
      const size = NAME.test(name) ? await this.size(name) : null;
      if (size !== null) yield { sha256: name, size };
    }
  }

  #path(sha256: string): string {
    // Names come from rows; whatever they say, nothing outside the directory is touched.
    if (!NAME.test(sha256)) throw missing(sha256);
    return join(this.#root, sha256);
  }
}

function missing(sha256: string): AccessionError {
  return failed('blob_missing', `There is no blob ${sha256}.`);
}
