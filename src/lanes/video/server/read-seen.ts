/** A folder that the server may see, read against its catalog of shows. */
import { failed } from '#core/errors.ts';
import type { TreeEntry } from '#core/plan/file-tree.ts';
import { lastPart } from '#core/plan/plan-path.ts';
import type { FolderFile, FolderReading } from '#lanes/video/core/folder-reading.ts';
import { readFolder, type FolderAnswers } from '#lanes/video/core/folder/read-folder.ts';
import { titlesSaid } from '#lanes/video/core/folder/several-shows.ts';
import type { SeenFolders } from '#server/plans/server-plans.ts';
import type { Reader } from '#server/store/schema.ts';
import { findShows, readShows, type StoredShow } from './shows/read-shows.ts';

/** Shows of the catalog that a folder's names are held against. */
const MOST_SHOWS = 12;

export interface SeenReading {
  /** What names the folder, whichever way its path is written. */
  root: string;
  entries: TreeEntry[];
  files: FolderFile[];
  /** Those that it was read beside. */
  shows: StoredShow[];
  reading: FolderReading;
}

/** Throws AccessionError `not_found` where the folder is not there or may not be seen. */
export async function readSeen(
  { db, folders }: { db: Reader; folders: SeenFolders },
  mediaFolderPath: string,
  answers: FolderAnswers,
): Promise<SeenReading> {
  const { show, numbering } = answers;
  const seen = await folders.see(mediaFolderPath);
  if (seen === null) {
    throw failed('not_found', `The folder "${mediaFolderPath}" is not there, or the server may not see it.`, {
      remedy: 'Name a folder below those in accession.toml, [video] folders.',
    });
  }
  const entries: TreeEntry[] = [];
  for await (const entry of seen.tree.list()) if (entry.kind === 'file') entries.push(entry);
  const files = entries.map(({ path, size }): FolderFile => ({ path, size }));
  const folderName = lastPart(mediaFolderPath);
  // First without a catalog: what the names say the show is, is what the catalog is asked for.
  const alone = readFolder(files, { folderName });
  const said = [alone.show.title, folderName, ...titlesSaid(files)];
  const words = [...new Set(said.filter((text) => text !== null && text !== ''))];
  const heads = await Promise.all(words.map((text) => findShows(db, text ?? '', MOST_SHOWS)));
  const ids = [...new Set([...heads.flat().map(({ id }) => id), ...(show ? [show] : [])])];
  const shows = [...(await readShows(db, ids)).values()];
  const reading =
    shows.length === 0 && numbering === undefined ? alone : readFolder(files, { folderName, shows, answers });
  return { root: seen.root, entries, files, shows, reading };
}
