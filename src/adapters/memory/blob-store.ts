import { joinBytes } from '#core/ingest/bytes.ts';
import { AccessionError, failure } from '#core/errors.ts';
import { writeCounted, writeHashed, type Write } from '#core/ingest/write-hashed.ts';
import type { BlobRef, BlobStore, Cancel } from '#core/ports.ts';
import { ownName } from '../blob-name.ts';

const PIECE_BYTES = 1024 * 1024;

/** Blobs in memory: for tests, and for the terminal. `capacity` (bytes) makes it full like a real one. */
export class MemoryBlobStore implements BlobStore {
  readonly kind = 'memory';
  readonly #blobs = new Map<string, Uint8Array<ArrayBuffer>>();
  readonly #capacity: number;
  #used = 0;

  constructor(options: { capacity?: number } = {}) {
    this.#capacity = options.capacity ?? Infinity;
  }

  put(chunks: AsyncIterable<Uint8Array>, cancel?: Cancel): Promise<BlobRef> {
    return this.#store((write) => writeHashed(chunks, write, { cancel }));
  }

  keep(chunks: AsyncIterable<Uint8Array>, cancel?: Cancel): Promise<BlobRef> {
    return this.#store(async (write) => ({ sha256: ownName(), size: await writeCounted(chunks, write, cancel) }));
  }

  async #store(work: (write: Write) => Promise<BlobRef>): Promise<BlobRef> {
    const parts: Uint8Array[] = [];
    const keep = (chunk: Uint8Array, at: number): void => {
      if (this.#used + at + chunk.length > this.#capacity)
        throw new AccessionError(failure('storage_full', 'There is no space left.'));
      // A producer may use its buffer again.
      parts.push(chunk.slice());
    };
    const ref = await work(keep);
    if (!this.#blobs.has(ref.sha256)) {
      this.#blobs.set(ref.sha256, joinBytes(parts));
      this.#used += ref.size;
    }
    return ref;
  }

  async size(sha256: string): Promise<number | null> {
    return this.#blobs.get(sha256)?.length ?? null;
  }

  async *read(sha256: string, start = 0, end?: number): AsyncIterable<Uint8Array> {
    const bytes = this.#bytes(sha256);
    const stop = Math.min(end ?? bytes.length, bytes.length);
    for (let at = start; at < stop; at += PIECE_BYTES) yield bytes.slice(at, Math.min(at + PIECE_BYTES, stop));
  }

  async file(sha256: string): Promise<Blob> {
    return new Blob([this.#bytes(sha256)]);
  }

  async delete(sha256: string): Promise<void> {
    this.#used -= this.#blobs.get(sha256)?.length ?? 0;
    this.#blobs.delete(sha256);
  }

  async *list(): AsyncIterable<BlobRef> {
    for (const [sha256, bytes] of [...this.#blobs]) yield { sha256, size: bytes.length };
  }

  async collectGarbage(referenced: ReadonlySet<string>): Promise<{ files: number; bytes: number }> {
    const collected = { files: 0, bytes: 0 };
    for (const [sha256, bytes] of [...this.#blobs]) {
      if (referenced.has(sha256)) continue;
      await this.delete(sha256);
      collected.files += 1;
      collected.bytes += bytes.length;
    }
    return collected;
  }

  #bytes(sha256: string): Uint8Array<ArrayBuffer> {
    const bytes = this.#blobs.get(sha256);
    if (bytes === undefined) throw new AccessionError(failure('blob_missing', `There is no blob ${sha256}.`));
    return bytes;
  }
}
