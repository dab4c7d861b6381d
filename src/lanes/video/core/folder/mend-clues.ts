/** VIDEO-35: seasons and pairs that only the folder shows: a title with a 2 behind it, folders that count, `1.05` everywhere. */
import type { Clue } from './clue.ts';
import type { KnownShow } from './known-show.ts';
import { pieceOf } from './folder-role.ts';
import { numberOf } from '../names/number-words.ts';

/** `1 x 05` and `1.05`, which in other places are a product and a fraction. */
const PAIRS = [/(?<![\d.])(\d{1,2}) ?[x×х] ?(\d{2,3})(?!\d)/iu, /(?<![\d.])(\d{1,2})\.(\d{2})(?![\d.])/u];
const FEWEST = 3;
/** So many of the names without a mark are written like it. */
const MOST = 0.6;
/** Folders of a season's pieces, not of seasons. */
const PIECES = /(?:disc|disk|dvd|cd|bd|vol|volume|part|cour|arc|диск|том)[\s._-]*$/iu;

/** @param titles of the show, as names and catalog write it */
export function mendClues(clues: readonly Clue[], titles: readonly string[], show: KnownShow): Clue[] {
  const folders = countedFolders(clues, show);
  const read = asRanges(
    clues.map((clue) => finalSeason(inPieces(dated(clue, show)), show)),
    show,
  );
  return byPairs(read, show).map((clue) => {
    if (clue.season !== null || clue.numbers.length === 0 || clue.special || clue.role.extras) return clue;
    const season = seasonBehindTitle(clue, titles, show);
    if (season !== null) return { ...clue, season, seasonBy: 'name' };
    const folder = folders.get(clue.directory);
    return folder === undefined ? clue : { ...clue, season: folder, seasonBy: 'folder' };
  });
}

/** Six digits are a day where an episode went out on it; so are day and month in a year's folder. */
function dated(clue: Clue, show: KnownShow): Clue {
  if (clue.dates.length > 0 || !clue.possible.some(({ day }) => show.byDate(day).length > 0)) return clue;
  return { ...clue, dates: clue.possible };
}

/** `Title Part 2 - 01`: the number counts in that part. */
function inPieces(clue: Clue): Clue {
  const piece = clue.own.title === null || clue.seasonBy === 'marked' ? null : pieceOf(clue.own.title);
  return piece === null || clue.role.disc !== null ? clue : { ...clue, role: { ...clue.role, disc: piece } };
}

const FINAL = /(?:final|last)[\s._-]season(?:[\s._-]+0*(\d{1,3}))?(?!\d)/i;

/** The final season is the last that there is; the number behind it is an episode's. */
function finalSeason(clue: Clue, show: KnownShow): Clue {
  const found = clue.seasonBy === 'marked' && !FINAL.test(clue.own.title ?? '') ? null : FINAL.exec(clue.stem);
  const last = show.seasons.at(-1);
  if (found === null || last === undefined || clue.special) return clue;
  const number = found[1] ?? (clue.seasonBy === 'marked' ? undefined : null);
  const numbers = clue.numbers.length > 0 || number === null || number === undefined ? clue.numbers : [Number(number)];
  return { ...clue, season: last, seasonBy: 'name', numbers };
}

/** `04-12`: season 4 or nine episodes; seasons that there are not, or bare numbers beside it, say which. */
function asRanges(clues: readonly Clue[], show: KnownShow): Clue[] {
  const ranges = new Map(clues.flatMap((clue) => rangeOf(clue)));
  const pairs = [...ranges].map(([, { from, to }]) => ({ season: from, episode: to }));
  const bare = clues.some(
    ({ season, numbers, special, role }) => season === null && numbers.length > 0 && !special && !role.extras,
  );
  const impossible = show.counted && pairs.some((pair) => show.at(pair) === null);
  if (pairs.some(({ season, episode }) => season >= episode) || !(bare || impossible)) return [...clues];
  return clues.map((clue) => {
    const range = ranges.get(clue);
    if (range === undefined) return clue;
    const numbers = Array.from({ length: range.to - range.from + 1 }, (_, at) => range.from + at);
    return { ...clue, season: null, seasonBy: null, numbers, byColumn: false };
  });
}

function rangeOf(clue: Clue): [Clue, { from: number; to: number }][] {
  const { own, stem, seasonBy } = clue;
  const [episode] = own.episodes;
  if (seasonBy !== 'name' || typeof own.season !== 'number' || episode === undefined || own.episodes.length > 1)
    return [];
  const dashed = new RegExp(`(?<!\\d)0*${own.season} ?[-~] ?0*${episode}(?!\\d)`).test(stem.normalize('NFKC'));
  return dashed ? [[clue, { from: own.season, to: episode }]] : [];
}

function byPairs(clues: readonly Clue[], show: KnownShow): Clue[] {
  const open = clues.filter((clue) => clue.seasonBy !== 'marked' && clue.dates.length === 0 && !clue.role.extras);
  for (const pattern of PAIRS) {
    const found = new Map(open.flatMap((clue) => pairOf(clue, pattern, show)));
    if (found.size < FEWEST || found.size < open.length * MOST) continue;
    return clues.map((clue) => {
      const pair = found.get(clue);
      return pair === undefined
        ? clue
        : { ...clue, season: pair.season, seasonBy: 'marked', numbers: [pair.episode], byColumn: false };
    });
  }
  return [...clues];
}

function pairOf(clue: Clue, pattern: RegExp, show: KnownShow): [Clue, { season: number; episode: number }][] {
  const found = pattern.exec(clue.stem);
  if (found === null) return [];
  const pair = { season: Number(found[1]), episode: Number(found[2]) };
  return show.counted && show.at(pair) === null ? [] : [[clue, pair]];
}

/** `Title 2` and `Title II` are the second season where the show is `Title` and has one. */
function seasonBehindTitle({ own }: Clue, titles: readonly string[], show: KnownShow): number | null {
  const said = plain(own.title ?? '');
  for (const title of titles.map(plain)) {
    if (title === '' || !said.startsWith(`${title} `)) continue;
    const rest = said.slice(title.length + 1);
    const season = /^(?:\d{1,2}|[ivx]{1,4})$/.test(rest) ? numberOf(rest) : null;
    if (season !== null && season > 1 && show.seasons.includes(season)) return season;
  }
  return null;
}

/** Folders side by side whose names differ in a number, each of which is a season that there is. */
function countedFolders(clues: readonly Clue[], show: KnownShow): Map<string, number> {
  const patterns = new Map<string, Map<string, number>>();
  for (const { directory, role } of clues) {
    const found = /^(.*?)(\d{1,2})(\D*)$/u.exec(directory);
    if (found === null || role.disc !== null || role.extras || PIECES.test(found[1] ?? '')) continue;
    const key = `${found[1]}#${found[3]}`;
    patterns.set(key, (patterns.get(key) ?? new Map<string, number>()).set(directory, Number(found[2])));
  }
  const folders = new Map<string, number>();
  for (const of of patterns.values()) {
    const numbers = [...of.values()];
    const seasons =
      numbers.every((number) => show.seasons.includes(number)) && new Set(numbers).size === numbers.length;
    if (seasons && numbers.length > 1) for (const [directory, number] of of) folders.set(directory, number);
  }
  return folders;
}

/** From here on a number behind a title is a year. */
const YEARS = 1900;

/**
 * VIDEO-35: the show's title with a number behind it is an episode of it, where the name alone could be a film's.
 * @param titles of the show, as names and catalog write it
 */
export function withTailNumber(clue: Clue, titles: readonly string[]): Clue {
  if (clue.numbers.length > 0 || clue.dates.length > 0 || clue.own.type === 'extra' || clue.own.type === 'episode')
    return clue;
  const stem = plain(clue.stem.replace(/^\[[^\]]*\]/, ''));
  for (const title of titles) {
    const start = plain(title);
    if (start === '' || !stem.startsWith(start)) continue;
    const found = /^(\d{1,4})(?:v\d)?(?:$| (?!\d))/.exec(stem.slice(start.length).trimStart());
    const number = Number(found?.[1] ?? Infinity);
    if (number < YEARS) return { ...clue, numbers: [number] };
  }
  return clue;
}

/** Letters and numbers alone, in lower case, a space between words. */
export const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
