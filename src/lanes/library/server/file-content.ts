/** A PDF of a folder of the server's library, as it lies there. */
import { constants } from 'node:fs';
import { open, realpath, type FileHandle } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { Reader } from '#server/store/schema.ts';
import type { LibraryFolderTable } from './tables.ts';

/** Null: the folder has no PDF of this path that was read, or it is not there any more. It has to be closed. */
export async function openPdfOf(
  db: Reader,
  { id, path: root }: Pick<LibraryFolderTable, 'id' | 'path'>,
  path: string,
): Promise<{ handle: FileHandle; size: number } | null> {
  const row = await db
    .selectFrom('library_files')
    .select('language')
    .where('folder_id', '=', id)
    .where('path', '=', path)
    .executeTakeFirst();
  if (row?.language !== 'pdf') return null;
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
