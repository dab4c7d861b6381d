/** Recognising an opened folder, and the person's word about it. */
import type { AccessionDb } from '#adapters/browser/db.ts';
import { showById, showByTitle, shows } from './shows.ts';
import type { FolderReading } from '#lanes/video/core/folder-reading.ts';
import { readFolder, type FolderAnswers, type FolderOptions } from '#lanes/video/core/folder/read-folder.ts';
import { titlesSaid } from '#lanes/video/core/folder/several-shows.ts';
import { headOf, type Show, type ShowHead } from '#lanes/video/core/show-catalog.ts';
import { filesOf, type Folder } from '#adapters/browser/plans/open-folder.ts';
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
export async function readOpened(db: AccessionDb, folder: Folder, given: ReadAnswers): Promise<Read> {
  const { chosen, ...answers } = given;
  const files = filesOf(folder.entries);
  const options: FolderOptions = { folderName: folder.name, answers };
  if (chosen !== undefined) {
    const show = chosen === null ? null : await showById(db, chosen);
    const reading = readFolder(files, { ...options, show });
    return show === null
      ? { reading, show, shows: [], answers }
      : { reading, show, shows: [show], answers: { ...answers, show: show.id } };
  }
  // Its names say what it is called; with a catalog, it is read again beside the shows that are called so.
  const alone = readFolder(files, options);
  const shows = await showsCalled(db, [alone.show.title, folder.name, ...titlesSaid(files)]);
  const reading = shows.length === 0 ? alone : readFolder(files, { ...options, shows });
  return { reading, show: shows.find(({ id }) => id === reading.show.id) ?? null, shows, answers };
}

/** Shows of the catalog that have one of these titles, or nearly; each once. */
async function showsCalled(db: AccessionDb, titles: readonly (string | null)[]): Promise<Show[]> {
  const found = new Map<string, Show>();
  for (const title of new Set(titles))
    if (title !== null) for (const { show } of await showByTitle(db, title, CANDIDATES)) found.set(show.id, show);
  return [...found.values()];
}

export async function listShows(db: AccessionDb, words: string): Promise<ShowHead[]> {
  if (words.trim() === '') return (await shows(db)).slice(0, LISTED);
  return (await showByTitle(db, words, LISTED)).map(({ show }) => headOf(show));
}
