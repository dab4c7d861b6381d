import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isCode } from '#core/errors.ts';
import type { BlobRef } from '#core/ports.ts';
import { fileSize, readBytes, writeNamed } from './atomic-file.ts';

const NAME = /^[\w-]{1,128}$/;

/**
 * Files that were uploaded to be worked on, each under an id of its own: two uploads of one content share nothing, so
 * that the end of one can never take the other's bytes. Half of a file is called `<id>.part`. The directory is made when
 * it is missing, readable by its owner alone. What each does is said by `Originals` (server/deps.ts).
 */
export async function openDiskOriginals(root: string) {
  await mkdir(root, { recursive: true, mode: 0o700 });

  function pathOf(id: string): string {
    // Ids come from rows and addresses; whatever they say, nothing outside the directory is touched.
    if (!NAME.test(id)) throw new Error('a name of an uploaded file is not an id');
    return join(root, id);
  }

  const remove = (path: string): Promise<void> => rm(path, { force: true });

  return {
    async put(id: string, chunks: AsyncIterable<Uint8Array>): Promise<BlobRef> {
      const path = pathOf(id);
      return writeNamed(`${path}.part`, () => path, chunks);
    },

    size: async (id: string) => fileSize(pathOf(id)),

    read: (id: string, start: number, end: number) => readBytes(pathOf(id), start, end, 256 * 1024),

    delete: async (id: string) => remove(pathOf(id)),

    async *list(): AsyncIterable<{ id: string; touched_at: number }> {
      for (const name of await readdir(root)) {
        const id = name.replace(/\.part$/, '');
        // Another program's, or what is written to see whether the disk works.
        if (!NAME.test(id)) continue;
        try {
          yield { id, touched_at: (await stat(join(root, name))).mtimeMs };
        } catch (error) {
          if (!isCode(error, 'ENOENT')) throw error;
        }
      }
    },

    async discard(id: string): Promise<void> {
      await remove(`${pathOf(id)}.part`);
      await remove(pathOf(id));
    },
  };
}
