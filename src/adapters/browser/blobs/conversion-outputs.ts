import type { BlobRef } from '#core/ports.ts';
import type { OutputStore } from '../../media/transcode.types.ts';
import type { BrowserBlobStore } from './blob-store.types.ts';

/** Where one conversion stores its outputs: what does not become its result is taken away again. */
export class ConversionOutputs implements OutputStore {
  readonly #blobs: Pick<BrowserBlobStore, 'put' | 'file' | 'delete'>;
  readonly #startedAt: number;
  readonly #stored = new Set<string>();

  /** `now`: milliseconds since the epoch, by the clock that dates the files. */
  constructor(blobs: Pick<BrowserBlobStore, 'put' | 'file' | 'delete'>, now: number) {
    this.#blobs = blobs;
    this.#startedAt = now;
  }

  async put(chunks: AsyncIterable<Uint8Array>): Promise<BlobRef> {
    const ref = await this.#blobs.put(chunks);
    this.#stored.add(ref.sha256);
    return ref;
  }

  file(sha256: string): Promise<Blob> {
    return this.#blobs.file(sha256);
  }

  /** Removes all but `result`. What had been stored before under the same name is somebody's, and stays. */
  async dropAllBut(result: string | null): Promise<void> {
    for (const sha256 of this.#stored) {
      if (sha256 === result) continue;
      const blob = await this.#blobs.file(sha256).catch(() => null);
      // A blob without a date (a row) is left to the collection.
      if (blob instanceof File && blob.lastModified >= this.#startedAt) await this.#blobs.delete(sha256);
    }
  }
}
