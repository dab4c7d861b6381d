/** What one video's name and folders say, before the folder as a whole is asked. */
import { readName } from '../names/read-name.ts';
import type { FolderFile, NameReading } from '../folder-reading.ts';
import { datesIn, type DateReading } from './dates.ts';
import type { Column } from './columns.ts';
import { parentOf, stemOf } from '#core/plan/plan-path.ts';
import { numberOf } from '../names/number-words.ts';
import { folderRole, type FolderRole } from './folder-role.ts';

export interface Clue {
  path: string;
  directory: string;
  stem: string;
  /** Bytes; null where not known. */
  size: number | null;
  /** With its folders. */
  reading: NameReading;
  /** The name alone: its folders may have made an extra or a film of it. */
  own: NameReading;
  role: FolderRole;
  /** Null where neither the name nor a folder says one. */
  season: number | null;
  /** `marked`: name and number of the season are together with the episode's (S02E03, 2x03). */
  seasonBy: 'marked' | 'name' | 'folder' | null;
  /** As they are written, ascending: within a season, or counted over all, or a season and an episode in one (203). */
  numbers: number[];
  dates: DateReading[];
  /** Days that the digits could be; they count where the catalog has an episode of one. */
  possible: DateReading[];
  /** It belongs to season 0: an OVA, a special, a recap between two episodes. */
  special: boolean;
  /** The folder's names count here, and not where the name alone would have been read. */
  byColumn: boolean;
  column: Column | null;
}

/** Words of a special that are alone or with a number; "special" alone is a word of titles, too. */
const SPECIAL =
  /(?:^|[\s._\-[(（【])(?:ova|oad|oav|sp|specials?|recap|omake|番外篇?|特别篇|特別[篇編]|総集[編篇]|总集[編篇]|特番|スペシャル|특별편|스페셜|외전|спешл|спецвыпуск)[\s._-]*\d{0,2}(?=$|[\s._\-\])）】：:])/iu;
const SPECIAL_KINDS = /ova|oad|oav|special|\bsp\b|recap|omake|番外|特别|特別|総集|总集|特番/iu;

/** @param folderName the folder's own name, which may say a season for all of its files */
export function readClue(file: FolderFile, column: Column | null, folderName: string): Clue {
  const folders = parentOf(file.path)
    .split('/')
    .filter((one) => one !== '');
  const stem = stemOf(file.path);
  const name = file.path.slice(file.path.lastIndexOf('/') + 1);
  const own = readName(name, { folders: [] });
  const reading = readName(name, { folders: folderName === '' ? folders : [folderName, ...folders] });
  const role = folderRole(folders);
  const dates = daysOf(stem, own);
  const compact = isCompact(stem, own);
  const marked = typeof own.season === 'number' && own.episodes.length > 0 && !compact && hasMark(stem, own.season);
  const named = typeof own.season === 'number' && !compact ? own.season : null;
  const above = role.season ?? seasonAbove(folders, folderName, reading, compact);
  const special = isSpecial(stem, own, role, marked);
  const numbers = numbersOf(own, reading, stem, compact);
  const counted = column !== null && !marked && dates.length === 0 && isBetter(column, numbers);
  return {
    path: file.path,
    directory: parentOf(file.path),
    stem,
    size: file.size ?? null,
    reading,
    own,
    role,
    season: named ?? above,
    seasonBy: marked ? 'marked' : named !== null ? 'name' : above !== null ? 'folder' : null,
    numbers: counted ? [column.number] : numbers,
    dates: marked ? [] : dates,
    possible: marked ? [] : possibleDays(stem, folders),
    special,
    byColumn: counted,
    column,
  };
}

/** So many episodes are in no single file: a title's number was read as the end of a range. */
const LONG_RANGE = 4;

/** Whether the neighbours' count is to be trusted more than the name alone. */
function isBetter({ number, names, numbers: all }: Column, numbers: readonly number[]): boolean {
  if (numbers.length === 0) return true;
  if (numbers.some((one) => !Number.isInteger(one)) || names < 4) return false;
  if (!numbers.includes(number)) return true;
  return numbers.length > LONG_RANGE || numbers.some((one) => one !== number && all.has(one));
}

/** Where the files lie directly below it, the picked folder may be the season's own. */
function seasonAbove(folders: string[], folderName: string, reading: NameReading, compact: boolean): number | null {
  const root = folderRole(folderName === '' ? [] : [folderName]).season;
  if (root !== null) return root;
  return folders.length > 0 && !compact && typeof reading.season === 'number' ? reading.season : null;
}

/** What means season and episode in one number: 203, and nothing that says a season by itself. */
function isCompact(stem: string, own: NameReading): boolean {
  if (typeof own.season !== 'number' || own.season === 0 || own.episodes.length === 0) return false;
  const number = own.season * 100 + (own.episodes[0] ?? 0);
  return new RegExp(`(?<!\\d)0?${number}(?!\\d)`).test(stem) && !hasMark(stem, own.season);
}

/** The season's number is in the name with a letter or a word to it. */
function hasMark(stem: string, season: number): boolean {
  const text = stem.normalize('NFKC');
  return (
    new RegExp(
      `(?:^|[^\\p{L}\\p{N}])(?:s|season|series|saison|staffel|temporada|сезон|t)[\\s._-]*0*${season}(?!\\d)`,
      'iu',
    ).test(text) ||
    new RegExp(`(?<!\\d)0*${season}[\\s._]*[x×х]`, 'iu').test(text) ||
    (/[季期]|シーズン|시즌|сезон|sezon|season|\bs\d|[\s.\-_]e\d/iu.test(text) &&
      !new RegExp(`(?<!\\d)${season}\\d\\d(?!\\d)`).test(text))
  );
}

function numbersOf(own: NameReading, reading: NameReading, stem: string, compact: boolean): number[] {
  const season = own.season;
  if (compact && typeof season === 'number') return own.episodes.map((episode) => season * 100 + episode);
  for (const said of [own.episodes, own.absolute, reading.episodes, reading.absolute])
    if (said.length > 0) return [...said];
  return listed(stem);
}

const EAST_NUMBER = String.raw`(\d{1,4}|[零〇一二三四五六七八九十百]{1,5})`;
const EAST_LIST = new RegExp(`第\\s*${EAST_NUMBER}\\s*[、,，和及&]\\s*第?\\s*${EAST_NUMBER}\\s*[集话話回]`, 'u');

/** `第七、八集`: two episodes that one word counts. */
function listed(stem: string): number[] {
  const found = EAST_LIST.exec(stem.normalize('NFC'));
  return (found?.slice(1) ?? []).map((word) => numberOf(word)).filter((number) => number !== null);
}

/** Two digits thrice, or six in a row, are a day only where the name's reader takes them for one. */
function daysOf(stem: string, own: NameReading): DateReading[] {
  const found = datesIn(stem);
  const said = own.date !== null || own.dates.length > 0;
  const sure = /(?:19|20)\d{2}/.test(stem) && found.some(({ day }) => stem.includes(day.slice(0, 4)));
  return said || (sure && own.episodes.length === 0) ? found : [];
}

/** Also of digits that lack only the year, which their folder has. */
function possibleDays(stem: string, folders: readonly string[]): DateReading[] {
  const year = folders.findLast((folder) => /^(?:19|20)\d{2}$/.test(folder));
  const short = /(?<!\d)(\d{1,2})[.\-_ ](\d{1,2})(?!\d)/.exec(stem);
  const whole = datesIn(stem);
  if (whole.length > 0 || year === undefined || short === null) return whole;
  return [...datesIn(`${year}-${short[1]}-${short[2]}`), ...datesIn(`${short[1]}-${short[2]}-${year}`)];
}

function isSpecial(stem: string, own: NameReading, role: FolderRole, marked: boolean): boolean {
  if (own.season === 0) return true;
  if (marked) return false;
  if ([...own.episodes, ...own.absolute].some((number) => !Number.isInteger(number))) return true;
  if (own.special !== null && SPECIAL_KINDS.test(own.special)) return true;
  return role.specials || SPECIAL.test(stem);
}
