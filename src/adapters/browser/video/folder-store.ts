/** Folders that were opened here, with the browser's handle of each, so that they can be opened again without being looked for. */
import type { Ids } from '#core/ports.ts';
import type { AccessionDb } from '../db.ts';
import type { VideoFolderRow } from './rows.types.ts';

/** The others are forgotten, the longest unused first; folders of open journals never. */
const KEPT = 12;

type Folders = Pick<AccessionDb, 'video_folders' | 'rename_journals' | 'transaction'>;

/** The row of a folder: the one it had before, if it is the same one on the disk. */
export async function keepFolder(
  db: Folders,
  handle: FileSystemDirectoryHandle,
  ids: Ids,
  now: number,
): Promise<VideoFolderRow> {
  const rows = await db.video_folders.orderBy('opened_at').toArray();
  let known: VideoFolderRow | undefined;
  for (const row of rows) if (row.name === handle.name && (await row.handle.isSameEntry(handle))) known = row;
  const row = { id: known?.id ?? ids.next(), name: handle.name, handle, opened_at: now };
  await db.transaction('rw', db.video_folders, db.rename_journals, async () => {
    await db.video_folders.put(row);
    const wanted = new Set((await db.rename_journals.toArray()).map(({ root }) => root));
    const spare = rows.filter(({ id }) => id !== row.id && !wanted.has(id)).slice(0, -(KEPT - 1));
    await db.video_folders.bulkDelete(spare.map(({ id }) => id));
  });
  return row;
}
