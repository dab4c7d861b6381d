import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { failed, isCode } from '#core/errors.ts';
import { isTooLarge } from '#lanes/library/core/indexing/walk.ts';
import type { FileBytes, FolderEntry, FolderSource } from '#lanes/library/core/indexing/ports.ts';

/** A folder of this machine. Links are named and not followed. */
export function diskFolder(root: string): FolderSource {
  return {
    async list(directory) {
      const entries = await readdir(join(root, directory), { withFileTypes: true });
      const all = await Promise.all(
        entries.map(async (entry): Promise<FolderEntry | null> => {
          const { name } = entry;
          if (entry.isDirectory()) return { name, kind: 'directory', size: 0, modified: 0 };
          if (entry.isSymbolicLink()) return { name, kind: 'link', size: 0, modified: 0 };
          if (!entry.isFile()) return { name, kind: 'other', size: 0, modified: 0 };
          const found = await lstat(join(root, directory, name)).catch(() => null);
          return found === null ? null : { name, kind: 'file', size: found.size, modified: Math.trunc(found.mtimeMs) };
        }),
      );
      return all.filter((entry) => entry !== null);
    },
    async read(path) {
      try {
        // What changes while it is read is read once more.
        return (await readOnce(join(root, path))) ?? (await readOnce(join(root, path))) ?? changing(path);
      } catch (thrown) {
        if (isCode(thrown, 'ENOENT', 'ENOTDIR', 'ELOOP')) return null;
        throw thrown;
      }
    },
  };
}

const changing = (path: string): never => {
  throw failed('file_unreadable', `"${path}" changes while it is read.`, { subject: path });
};

/** Null where its size or time was another afterwards. */
async function readOnce(path: string): Promise<FileBytes | null> {
  // A pipe put in the file's place must not hold up the reading, nor a link be followed.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const before = await handle.stat();
    if (!before.isFile() || isTooLarge(path, before.size))
      throw failed('file_unreadable', 'It is no file, or a larger one than is read.');
    const bytes = await handle.readFile();
    const after = await handle.stat();
    const same = before.size === after.size && before.mtimeMs === after.mtimeMs && bytes.length === after.size;
    // Libraries that read bytes refuse Node's own kind of them.
    const plain = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
    return same ? { bytes: plain, modified: Math.trunc(after.mtimeMs) } : null;
  } finally {
    await handle.close();
  }
}
