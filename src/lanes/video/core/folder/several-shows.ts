/** VIDEO-141: a folder that holds several shows: each file whose name is clear is read with its own. */
import { textKey } from '#core/text/similarity.ts';
import {
  kindOf,
  type FolderFile,
  type FolderReading,
  type NameReading,
  type RecognisedFile,
} from '../folder-reading.ts';
import { readName } from '../names/read-name.ts';
import { isGenericFolder } from '../names/season-folder.ts';
import { searchShows } from '../search-shows.ts';
import type { Show } from '../show-catalog.ts';
import { isOtherShow } from './title-vote.ts';
import { parentOf, stemOf } from '#core/plan/plan-path.ts';
import { titleBeforePart } from './parts.ts';

/** The files of one of several shows. */
export interface ShowPart {
  /** As its names write it; null for files whose names say no show. */
  title: string | null;
  /** Null where no catalog has it. */
  show: Show | null;
  files: FolderFile[];
}

/** The title itself, but for case, marks, an article or a year. */
const SAME_TITLE = 0.95;
/** More titles than these in one folder are looked for in no catalog. */
const MOST_TITLES = 40;

interface Named {
  file: FolderFile;
  title: string;
  year: number | null;
  /** Else only a part is counted, as films have them: a show where the catalog has it. */
  isClear: boolean;
}

/** Videos whose names say a show and an episode, or a part, of it. */
function clearNames(files: readonly FolderFile[]): Named[] {
  return files.flatMap((file): Named[] => {
    if (kindOf(file.path) !== 'video') return [];
    const reading = readIn(file.path);
    if (isClear(reading)) return [{ file, title: reading.title ?? '', year: reading.year, isClear: true }];
    const title = reading.type === 'movie' && reading.year === null ? titleBeforePart(stemOf(file.path)) : null;
    return title === null ? [] : [{ file, title, year: null, isClear: false }];
  });
}

function readIn(path: string): NameReading {
  const folders = parentOf(path).split('/');
  return readName(path.slice(path.lastIndexOf('/') + 1), { folders: folders.filter((one) => one !== '') });
}

const isClear = ({ type, title, episodes, absolute, date }: NameReading): boolean =>
  type === 'episode' && title !== null && (episodes.length > 0 || absolute.length > 0 || date !== null);

/** The titles that the clear names of a folder say, the most frequent first, each once: what a catalog is asked for. */
export function titlesSaid(files: readonly FolderFile[]): string[] {
  const counts = Map.groupBy(clearNames(files), ({ title }) => textKey(title).compact);
  return [...counts.values()]
    .sort((a, b) => b.length - a.length)
    .slice(0, MOST_TITLES)
    .flatMap(([first]) => (first === undefined ? [] : [first.title]));
}

/**
 * The files by show, the largest part first; null where the folder is of one show only. Without a catalog's word two titles
 * are two shows where the folder is one that only stores, where `clashes` (they are the same episodes), or where several
 * files have each and the folder is named as neither.
 */
export function partsByShow(
  files: readonly FolderFile[],
  folderName: string,
  shows: readonly Show[],
  clashes: boolean,
): ShowPart[] | null {
  const parts: ShowPart[] = [];
  const named = clearNames(files);
  const known = new Map<string, Show | null>();
  for (const { title, year } of named) {
    const key = `${title} ${year ?? ''}`;
    if (!known.has(key)) known.set(key, showCalled(title, year, shows));
  }
  for (const { file, title, year, isClear: isSure } of named) {
    const show = known.get(`${title} ${year ?? ''}`) ?? null;
    if (show === null && !isSure) continue;
    const part = parts.find((one) => (show === null ? isSameShow(one, title) : one.show === show));
    if (part === undefined) parts.push({ title, show, files: [file] });
    else part.files.push(file);
  }
  const whole = joined(parts);
  const ofCatalog = whole.filter(({ show }) => show !== null).length;
  if (whole.length < 2) return null;
  if (ofCatalog < 2 && !clashes && !isStore(folderName) && !areApart(whole, folderName)) return null;
  const rest = restOf(files, whole);
  whole.sort((a, b) => b.files.length - a.files.length);
  return rest.length === 0 ? whole : [...whole, { title: null, show: null, files: rest }];
}

/** A single file's title may be misread; of so many each it is a show's. */
const OFTEN = 2;

function areApart(parts: readonly ShowPart[], folderName: string): boolean {
  const folder = textKey(folderName).compact;
  const isNamed = parts.some(({ title }) => title !== null && folder.includes(textKey(title).compact));
  return !isNamed && parts.filter(({ files }) => files.length >= OFTEN).length >= 2;
}

const isStore = (folderName: string): boolean => folderName !== '' && isGenericFolder(folderName);

function showCalled(title: string, year: number | null, shows: readonly Show[]): Show | null {
  const words = year === null ? title : `${title} ${year}`;
  const [first, second] = searchShows(shows, words, 2).filter(({ score }) => score >= SAME_TITLE);
  return first === undefined || (second !== undefined && second.score === first.score) ? null : first.show;
}

function isSameShow(part: ShowPart, title: string): boolean {
  const titles = [part.title ?? '', part.show?.title ?? '', ...(part.show?.titles ?? [])];
  return titles.some(
    (one) => one !== '' && (textKey(one).compact === textKey(title).compact || !isOtherShow(one, title)),
  );
}

/** A title that no catalog has and that is like a show's that one has is that show's. */
function joined(parts: readonly ShowPart[]): ShowPart[] {
  const whole = parts.filter(({ show }) => show !== null).map((part) => ({ ...part, files: [...part.files] }));
  for (const part of parts) {
    if (part.show !== null) continue;
    const same = whole.find((one) => isSameShow(one, part.title ?? ''));
    if (same === undefined) whole.push({ ...part, files: [...part.files] });
    else same.files.push(...part.files);
  }
  return whole;
}

/** Files without a clear name, and those that follow videos, go with the one show of their folder below
 * this one, or with the one that they are named as; what is left has none. */
function restOf(files: readonly FolderFile[], parts: readonly ShowPart[]): FolderFile[] {
  const taken = new Set(parts.flatMap((part) => part.files));
  const rest: FolderFile[] = [];
  for (const file of files) {
    if (taken.has(file)) continue;
    const directory = parentOf(file.path);
    const near = parts.filter((part) => directory !== '' && part.files.some(({ path }) => isNear(path, directory)));
    // What follows a video is named as it is: the name speaks first.
    const called = longest(parts, stemOf(file.path));
    const isVideo = kindOf(file.path) === 'video';
    const [own] = near.length === 1 && (isVideo || called.length === 0) ? near : called;
    if (own !== undefined) own.files.push(file);
    else rest.push(file);
  }
  return rest;
}

/** The parts by whose title the name begins, the one with the longest first. */
function longest(parts: readonly ShowPart[], stem: string): ShowPart[] {
  const said = textKey(stem.replace(/^\[[^\]]*\]/, '')).compact;
  const lengthOf = ({ title, show }: ShowPart): number =>
    Math.max(
      ...[title, show?.title ?? null]
        .map((one) => (one === null ? '' : textKey(one).compact))
        .map((one) => (one !== '' && said.startsWith(one) ? one.length : 0)),
    );
  return parts.filter((part) => lengthOf(part) > 0).sort((a, b) => lengthOf(b) - lengthOf(a));
}

/** In the same folder, or in one beside it within a folder of their own. */
const isNear = (path: string, directory: string): boolean =>
  path.startsWith(`${directory}/`) || (directory.includes('/') && path.startsWith(`${parentOf(directory)}/`));

/** One reading of all: every file once, in the given order. The show of the largest part is the folder's. */
export function mergeParts(
  files: readonly FolderFile[],
  parts: readonly { part: ShowPart; reading: FolderReading }[],
): FolderReading {
  const [main] = parts;
  const answers = new Map<string, RecognisedFile>();
  for (const [at, { part, reading }] of parts.entries())
    for (const file of reading.files)
      answers.set(file.path, part.title === null ? withoutShow(file) : at === 0 ? file : ofShow(file, reading.show));
  const all = parts.map(({ reading }) => reading);
  const questions = all.flatMap((reading) => reading.questions.filter(({ kind }) => kind === 'which-numbering'));
  return {
    show: main?.reading.show ?? { id: null, title: null, year: null },
    files: files.flatMap(({ path }) => answers.get(path) ?? []),
    questions: questions.slice(0, 1),
    gaps: main?.reading.gaps ?? [],
    duplicates: all.flatMap(({ duplicates }) => duplicates),
  };
}

function ofShow(file: RecognisedFile, show: FolderReading['show']): RecognisedFile {
  if (file.class !== 'episode' || show.title === null) return file;
  return { ...file, show, reasons: [...file.reasons, `It is of another show of this folder, "${show.title}".`] };
}

/** Its name says no show, and the folder has several. */
function withoutShow(file: RecognisedFile): RecognisedFile {
  if (file.class !== 'episode') return file;
  const reasons = ['Nothing in the name says which of the shows here it is of.'];
  return { ...file, class: 'other', season: null, episodes: [], confidence: 0, reasons };
}
