/** A PDF of a folder of the server's library, as it lies there. */
import type { FileHandle } from 'node:fs/promises';
import { openBelow } from '#server/http/folder-file.ts';
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
  return row?.language === 'pdf' ? openBelow(root, path) : null;
}
