/** Recognising an opened folder, and the person's word about it. */
import type { AccessionDb } from '../db.ts';
import { showById, showByTitle, shows } from '../shows.ts';
import type { Show, ShowHead } from '#core/video/show-catalog.ts';
import type { FolderReading, RecognisedFile } from '#core/video/folder-reading.ts';
import { readFolder, type FolderAnswers, type FolderOptions } from '#core/video/folder/read-folder.ts';
import { headOf } from '#core/video/show-catalog.ts';
import type { Folder } from './open-folder.ts';
import { filesOf } from './open-folder.ts';
import type { ReadAnswers } from './video-api.types.ts';

/** Of the catalog, so many shows may be the folder's. */
const CANDIDATES = 8;
const LISTED = 50;

export interface Read {
  reading: FolderReading;
  /** With its episodes, where the catalog has it. */
  show: Show | null;
  /** Those that it was read beside, and the answers: with them it can be read again. */
  shows: readonly Show[];
  answers: FolderAnswers;
}

/** The folder's files with what the catalog knows, and the person's answers. */
export async function readOpened(db: AccessionDb, folder: Folder, answers: ReadAnswers): Promise<Read> {
  const files = filesOf(folder.entries);
  const said: FolderAnswers = {
    ...(answers.show === undefined ? {} : { show: answers.show }),
    ...(answers.numbering === undefined ? {} : { numbering: answers.numbering }),
  };
  const own: FolderOptions = { folderName: folder.name, answers: said };
  if (answers.chosen !== undefined) {
    const show = answers.chosen === null ? null : await showById(db, answers.chosen);
    const shows = show === null ? [] : [show];
    const chosen = show === null ? said : { ...said, show: show.id };
    return { reading: readFolder(files, { ...own, show }), show, shows, answers: chosen };
  }
  // Its names say what it is called; with a catalog, it is read again beside the shows that are called so.
  const alone = readFolder(files, own);
  const words = [...new Set([alone.show.title, folder.name].filter((text) => text !== null))];
  const found = new Map<string, Show>();
  for (const word of words) for (const { show } of await showByTitle(db, word, CANDIDATES)) found.set(show.id, show);
  if (found.size === 0) return { reading: alone, show: null, shows: [], answers: said };
  const beside = [...found.values()];
  const reading = readFolder(files, { ...own, shows: beside });
  return { reading, show: found.get(reading.show.id ?? '') ?? null, shows: beside, answers: said };
}

export async function listShows(db: AccessionDb, words: string): Promise<ShowHead[]> {
  if (words.trim() === '') return (await shows(db)).slice(0, LISTED);
  return (await showByTitle(db, words, LISTED)).map(({ show }) => headOf(show));
}

/** What the names of the rows say, for the rules of a plan: several episodes in a file, parts of one episode. */
export function sayingsOf(
  rows: readonly RecognisedFile[],
  mediaFolderPath: string,
): (path: string) => { episodes: number[]; part: number | null } | null {
  const byPath = new Map(rows.map((row) => [`${mediaFolderPath}/${row.path}`, row]));
  return (path) => byPath.get(path) ?? null;
}
