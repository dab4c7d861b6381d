import { randomUUID } from 'node:crypto';
import { createReadStream, openAsBlob } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AccessionError, failed } from '#core/errors.ts';
import type { BlobRef, Cancel } from '#core/ports.ts';
import type { FileBlobs } from '../media/loose-file.ts';
import { ownName } from '../blob-name.ts';
import { notePath } from '../media/blob-paths.ts';
import { fileSize, writeNamed } from './atomic-file.ts';

const NAME = /^[0-9a-f]{64}$/;
const PIECE_BYTES = 1024 * 1024;

/**
 * Blobs in a directory, named by their SHA-256: what a headless worker has in hand. What is being written is called
 * `<uuid>.part` and gets its name when it is whole and on the disk. The directory is made when it is missing, readable by
 * its owner alone.
 */
export async function openDiskBlobs(root: string): Promise<FileBlobs> {
  await mkdir(root, { recursive: true, mode: 0o700 });

  function pathOf(sha256: string): string {
    // Names come from rows; whatever they say, nothing outside the directory is touched.
    if (!NAME.test(sha256)) throw missing(sha256);
    return join(root, sha256);
  }

  const put = (chunks: AsyncIterable<Uint8Array>, cancel?: Cancel, own?: string): Promise<BlobRef> =>
    writeNamed(join(root, `${randomUUID()}.part`), (hash) => join(root, own ?? hash), chunks, cancel);

  const store: FileBlobs = {
    put: (chunks, cancel) => put(chunks, cancel),

    /** What is only kept for a while, under a name of its own. */
    async keep(chunks, cancel) {
      const sha256 = ownName();
      return { ...(await put(chunks, cancel, sha256)), sha256 };
    },

    size: async (sha256) => fileSize(pathOf(sha256)),

    async *read(sha256, start = 0, end) {
      const size = await store.size(sha256);
      if (size === null) throw missing(sha256);
      const stop = Math.min(end ?? size, size);
      if (start >= stop) return;
      yield* createReadStream(pathOf(sha256), { start, end: stop - 1, highWaterMark: PIECE_BYTES });
    },

    /** The blob without reading it. Throws AccessionError `blob_missing`. */
    async file(sha256) {
      if ((await store.size(sha256)) === null) throw missing(sha256);
      return notePath(await openAsBlob(pathOf(sha256)), pathOf(sha256));
    },

    async delete(sha256) {
      await rm(pathOf(sha256), { force: true });
    },

    async *list() {
      for (const name of await readdir(root)) {
        const size = NAME.test(name) ? await store.size(name) : null;
        if (size !== null) yield { sha256: name, size };
      }
    },
  };

  return store;
}

function missing(sha256: string): AccessionError {
  return failed('blob_missing', `There is no blob ${sha256}.`);
}
