/** A file below a folder of this machine, to be answered as it lies there. */
import { constants } from 'node:fs';
import { open, realpath, type FileHandle } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';

/** Null: it is not there, is no file, or a link leads out of the folder. It has to be closed. */
export async function openBelow(root: string, path: string): Promise<{ handle: FileHandle; size: number } | null> {
  const file = join(root, path);
  try {
    // No link leads out of the folder, also one that was put there since it was read.
    const [folder, around] = await Promise.all([realpath(root), realpath(dirname(file))]);
    if (around !== folder && !around.startsWith(`${folder}${sep}`)) return null;
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const state = await handle.stat();
    if (state.isFile()) return { handle, size: state.size };
    await handle.close();
    return null;
  } catch {
    return null;
  }
}

/** Closes it at the end, and where nobody reads on. */
export async function* piecesOf(handle: FileHandle, start: number, end: number): AsyncGenerator<Uint8Array> {
  try {
    if (end > start) yield* handle.createReadStream({ start, end: end - 1, autoClose: false });
  } finally {
    await handle.close();
  }
}
