import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isCode } from '#core/errors.ts';
import type { BlobRef } from '#core/ports.ts';
import { writeNamed } from './atomic-file.ts';

const NAME = /^[\w-]{1,128}$/;

/**
 * Files that were uploaded to be worked on, each under an id of its own: two uploads of one content share nothing, so
 * that the end of one can never take the other's bytes. Half of a file is called `<id>.part`.
 */
export class DiskOriginals {
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  /** Makes the directory when it is missing, readable by its owner alone. */
  static async open(root: string): Promise<DiskOriginals> {
    await mkdir(root, { recursive: true, mode: 0o700 });
    return new DiskOriginals(root);
  }

  /** Hashes while it writes. Throws AccessionError `storage_full` or `storage_failed`; leaves nothing behind then. */
  async put(id: string, chunks: AsyncIterable<Uint8Array>): Promise<BlobRef> {
    const path = this.#path(id);
    return writeNamed(`${path}.part`, () => path, chunks);
  }

  /** Bytes [start, end) of a file that is there. */
  read(id: string, start: number, end: number): AsyncIterable<Uint8Array> {
    if (end <= start) return nothing();
    return createReadStream(this.#path(id), { start, end: end - 1, highWaterMark: 256 * 1024 });
  }

  /** No error where there is no such file. */
  async delete(id: string): Promise<void> {
    await rm(this.#path(id), { force: true });
  }

  /** Every file, halves too, with when it last got bytes (milliseconds since the epoch). */
  async *list(): AsyncIterable<{ id: string; touched_at: number }> {
    for (const name of await readdir(this.#root)) {
      const id = name.replace(/\.part$/, '');
      // Another program's, or what is written to see whether the disk works.
      if (!NAME.test(id)) continue;
      try {
        yield { id, touched_at: (await stat(join(this.#root, name))).mtimeMs };
      } catch (error) {
        if (!isCode(error, 'ENOENT')) throw error;
      }
    }
  }

  /** Removes a half that nobody writes any more, or a file that no row names. */
  async discard(id: string): Promise<void> {
    await rm(`${this.#path(id)}.part`, { force: true });
    await this.delete(id);
  }

  #path(id: string): string {
    // Ids come from rows and addresses; whatever they say, nothing outside the directory is touched.
    if (!NAME.test(id)) throw new Error('a name of an uploaded file is not an id');
    return join(this.#root, id);
  }
}

async function* nothing(): AsyncIterable<Uint8Array> {
  yield* [];
}
