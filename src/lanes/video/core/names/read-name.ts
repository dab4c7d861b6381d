/** What a file's name or path says of a video, by ranked rules; every answer has its reasons. */
import { type NameReading, NOTHING_READ } from '../folder-reading.ts';
import { extraOfFolder, extraOfName, isAboutAnEpisode, type ExtraMark } from './extras.ts';
import { normalText, splitName, splitPath, withoutTags, type NormalText } from './normal-text.ts';
import { isGenericFolder, plainTitle, readSeasonFolder, titleOfSeasonFolder } from './season-folder.ts';
import { choose, type Chosen, type NameContext } from './choose.ts';
import { isDeviceName, isScrambled } from './device-names.ts';
import { findNoise, maskOf } from './noise.ts';
import { episodeTitleOf, titleOf, titleStart } from './title.ts';
import { findDates, findYear } from './rules/dates.ts';
import { numberOf, NUMBER_WORD } from './number-words.ts';

/** Parts of an episode or film that is split: `Part 2`, `CD1`, `pt1`, `(2)` is none. */
interface PartMark {
  start: number;
  end: number;
  part: number;
  /** A disc or a volume: it counts pieces of a release, not of an episode. */
  kind: 'part' | 'disc' | 'volume';
}

const PART = new RegExp(
  `(?<!\\p{L})(part|pt|parte|partie|teil|часть|cd|disc|disk|dvd|vol|volume|d(?=\\d[ ._]))[\\s._-]{0,2}(\\d{1,2}|${NUMBER_WORD}|[ivx]{1,4})(?:[ ._]?v\\d)?(?:[\\s]?(?:of|-|&)[\\s]?\\d{1,2})?(?![\\p{L}\\p{N}])`,
  'giu',
);

/** All parts, discs and volumes that a name counts, in order. */
function findParts(text: string): PartMark[] {
  const found: PartMark[] = [];
  for (const match of text.matchAll(PART)) {
    const part = numberOf(match[2] ?? '');
    const word = (match[1] ?? '').toLowerCase();
    if (part === null || part === 0 || part > 60) continue;
    const kind = /^(?:cd|dis|dvd|d$)/.test(word) ? 'disc' : word.startsWith('vol') ? 'volume' : 'part';
    found.push({ start: match.index, end: match.index + match[0].length, part, kind });
  }
  return found;
}

/** Reads one name alone: the claims that hold together, the titles between them, and how sure that is. */
interface BaseReading {
  reading: NameReading;
  /** 0..1: of season, episode and date alone; 0 where nothing was said of them. */
  certainty: number;
  /** Whether it carries technical words, as a release does. */
  technical: boolean;
}

const SPECIAL = /(?<![\p{L}\p{N}])(OVA|OAD|ONA|OAV|SP(?=\d|[ ._]?\d{1,2}(?!\p{N}))|Specials?)(?!\p{L})/iu;
const GROUP = /^\s*(?:\d+\s)?[[(][^\])]*\p{L}/u;
/** From here on a claim is no guess: it makes an extra's mark a word of the title. */
const SURE = 0.8;

function readBase(name: NormalText, context: NameContext): BaseReading {
  const { text } = name;
  const plain = text.trim();
  if (isScrambled(plain)) return nothing('The name is scrambled: it says nothing.');
  if (isDeviceName(plain)) return nothing('A camera or a disc gave the name: it says nothing.');
  const noise = findNoise(text);
  const from = titleStart(text, noise);
  const fanRelease = GROUP.test(text) || noise.some(({ kind }) => kind === 'checksum');
  const mask = maskOf(noise, text.length);
  const chosen = choose(name, { mask, dates: findDates(text), from, fanRelease, context });
  const { claims, date } = chosen;
  const extra = extraOfName(plain);
  const marks = [...claims, ...(date === null ? [] : [date])].sort((a, b) => a.start - b.start);
  const until = marks.find(({ start }) => start >= from)?.start ?? text.length;
  const year = findYear(text, noise, from, until);
  const parts = findParts(text);
  const place = extra?.start ?? null;
  const title = titleOf(name, { noise, from, marks, year, extra: place, parts, fanRelease, alone: context.alone });

  const certainty = Math.max(0, ...claims.map(({ strength }) => strength));
  const season = claims.find((claim) => claim.season.length > 0)?.season ?? [];
  const isExtra = extra !== null && outranks(extra, chosen);
  const special = isExtra ? extra.kind : (SPECIAL.exec(text)?.[1] ?? null);
  const reasons = marks.map(({ reason }) => reason);
  if (isExtra) reasons.push(`"${extra.written}" marks bonus material.`);
  const reading: NameReading = {
    type: isExtra
      ? 'extra'
      : typeOf(chosen, { named: title !== null || year !== null, special: special !== null && fanRelease }),
    title,
    season: season.length > 1 ? season : (season[0] ?? null),
    episodes: isExtra ? [] : sorted(claims.flatMap(({ episodes }) => episodes)),
    absolute: isExtra ? [] : sorted(claims.flatMap(({ absolute }) => absolute)),
    year: year?.year ?? (season.length === 1 && (season[0] ?? 0) > 1900 ? (season[0] ?? null) : null),
    date: date?.date ?? null,
    dates: date?.others ?? [],
    part: parts.find(({ kind }) => kind === 'part')?.part ?? null,
    episode_title:
      marks.length === 0 || isExtra ? null : episodeTitleOf(name, noise, Math.max(...marks.map(({ end }) => end))),
    version: claims.find(({ version }) => version !== null)?.version ?? null,
    special,
    confidence: 0,
    reasons,
  };
  reading.confidence = confidenceOf(reading, Math.max(certainty, date?.strength ?? 0));
  if (reasons.length === 0 && reading.type === 'movie')
    reasons.push(year === null ? 'No number of an episode is in it.' : `A year (${year.year}) and no episode: a film.`);
  const technical = noise.some(({ hard, kind }) => hard && kind !== 'version');
  return { reading, certainty: Math.max(certainty, date?.strength ?? 0), technical };
}

/** Whether an extra's mark counts beside what the rules claim. */
function outranks({ rank, start, end }: ExtraMark, { claims }: Chosen): boolean {
  if (rank === 'sure') return true;
  const numbered = claims.filter(({ episodes, absolute }) => episodes.length + absolute.length > 0);
  // What the mark says itself: "Making of Episode 5".
  const isPartOfIt = (claim: Chosen['claims'][number]): boolean => claim.start >= start && claim.end <= end;
  return numbered.every(
    (claim) => isPartOfIt(claim) || (claim.strength < SURE && (rank === 'mark' || claim.start >= start)),
  );
}

function typeOf(
  { claims, date }: Chosen,
  { named, special }: { named: boolean; special: boolean },
): NameReading['type'] {
  if (claims.length > 0 || date !== null) return 'episode';
  if (!named) return 'unknown';
  return special ? 'episode' : 'movie';
}

function confidenceOf({ type, year, episodes, absolute, season, date }: NameReading, certainty: number): number {
  if (type === 'extra') return SURE;
  if (type === 'unknown') return 0.1;
  if (type === 'movie') return year === null ? 0.4 : SURE;
  const numbered = episodes.length + absolute.length > 0 || date !== null || season !== null;
  return numbered ? certainty : 0.3;
}

const sorted = (numbers: readonly number[]): number[] => [...new Set(numbers)].sort((a, b) => a - b);

function nothing(reason: string): BaseReading {
  return { reading: { ...NOTHING_READ, reasons: [reason] }, certainty: 0, technical: false };
}

export interface NameOptions {
  /** Folders around the input, from the outside in; the input's own folders follow them. */
  folders?: readonly string[];
  /** `false`: a slash in the input parts no folders. */
  isPath?: boolean;
}

/** Reads one name or path. Total: any text has a reading, and it takes time in proportion to its length. */
export function readName(input: string, options: NameOptions = {}): NameReading {
  const { folders: own, name } = options.isPath === false ? { folders: [], ...splitName(input) } : splitPath(input);
  const folders = [...(options.folders ?? []), ...own];
  const season = nearestSeason(folders);
  const around = folders.filter((folder, at) => !isGenericFolder(folder) && at !== season?.at);
  const base = readBase(normalText(withoutTags(name)), {
    inSeason: season?.number ?? null,
    folders: around,
    alone: options.folders === undefined && around.length === 0 && season === null,
  });
  return finish(base, { folders, season, around, name });
}

/** What a folder of bonus material does not outrank: `S01E02`, `1x02`. */
const CERTAIN = 0.95;

interface FolderSeason {
  number: number;
  at: number;
}

function nearestSeason(folders: readonly string[]): FolderSeason | null {
  for (let at = folders.length - 1; at >= Math.max(0, folders.length - 3); at--) {
    const folder = folders[at];
    if (folder === undefined) continue;
    const number = readSeasonFolder(folder, {
      parent: folders[at - 1] ?? null,
      mixed: /^\d+$/.test(folder) && at === 0,
    });
    if (number !== null) return { number, at };
  }
  return null;
}

interface Surroundings {
  folders: readonly string[];
  season: FolderSeason | null;
  /** Folders that may name the show. */
  around: readonly string[];
  /** As written. */
  name: string;
}

function finish(base: BaseReading, { folders, season, around, name }: Surroundings): NameReading {
  const nearest = folders.at(-1);
  const extraFolder = nearest === undefined ? null : extraOfFolder(nearest);
  let reading = base.reading;
  const outer = around.at(-1);
  if (outer !== undefined && base.certainty < 0.8) reading = preferFolder(reading, base, readFolderName(outer), season);
  const isBonus = base.certainty < CERTAIN || extraFolder === 'sample' || isAboutAnEpisode(name);
  if (reading.type !== 'extra' && extraFolder !== null && isBonus)
    return {
      ...reading,
      type: 'extra',
      special: extraFolder,
      season: reading.season,
      episodes: [],
      absolute: [],
      confidence: 0.8,
      reasons: [...reading.reasons, `The folder "${nearest ?? ''}" holds bonus material.`],
    };
  if (reading.season === null && season !== null && (reading.episodes.length > 0 || reading.absolute.length > 0)) {
    reading.season = season.number;
    reading.absolute = reading.absolute.filter((number) => !Number.isInteger(number));
    reading.reasons.push(`The folder "${folders[season.at] ?? ''}" says season ${season.number}.`);
    reading.type = 'episode';
  }
  const isNumbered = base.certainty >= 0.8 || reading.title === null;
  if (reading.season === null && outer !== undefined && isNumbered && reading.episodes.length > 0) {
    // "Show Season 2/E01": a release's folder says the season.
    const { season: said, episodes } = readFolderName(outer).reading;
    if (typeof said === 'number' && episodes.length === 0) {
      reading.season = said;
      reading.reasons.push(`The folder "${outer}" says season ${said}.`);
    }
  }
  if (outer !== undefined && base.certainty >= 0.8) reading.title = titleOfRelease(reading, outer);
  if (reading.title === null) titleFromFolders(reading, folders, season, around);
  return reading;
}

/** The nearest folder that names a show; one may say numbers alone ("Show/S02E05/video"). */
function titleFromFolders(
  reading: NameReading,
  folders: readonly string[],
  season: FolderSeason | null,
  around: readonly string[],
): void {
  const behind = season === null ? null : titleOfSeasonFolder(folders[season.at] ?? '');
  const named = behind === null ? around.toReversed() : [behind];
  for (const folder of named) {
    const { title, year } = readFolderName(folder).reading;
    if (title === null) continue;
    reading.title = title;
    reading.year ??= year;
    reading.reasons.push(`The folder names the show "${title}".`);
    return;
  }
}

const readFolderName = (name: string): BaseReading =>
  readBase(normalText(withoutTags(name)), { inSeason: null, folders: [], alone: false });

/** A release's folder has the whole title where its file's name is short or glued: "Night.Porter.S03E03-X/x-np.s03e03". */
function titleOfRelease({ title, season, episodes }: NameReading, folder: string): string | null {
  if (title === null) return title;
  const { reading: said, technical } = readFolderName(folder);
  const sameEpisode = said.season === season && episodes.length > 0 && said.episodes.join() === episodes.join();
  return sameEpisode && technical && said.title !== null ? said.title : title;
}

/** A release's folder tells more than the short or scrambled name of the file in it. */
function preferFolder(
  reading: NameReading,
  base: BaseReading,
  parent: BaseReading,
  season: FolderSeason | null,
): NameReading {
  const said = parent.reading;
  const scrambled = base.reading.type === 'unknown' && base.reading.title === null;
  const numbered = parent.certainty >= (scrambled ? 0.5 : 0.8) && said.episodes.length === 1;
  const dated = said.date !== null && reading.date === null && reading.title !== said.title;
  if ((numbered || dated) && base.certainty < 0.6)
    return { ...said, reasons: [...said.reasons, 'The folder says more than the name of the file.'] };
  if (reading.type !== 'movie' && reading.type !== 'unknown') return reading;
  if (season !== null || base.reading.year !== null || said.title === null) return reading;
  const same = plainTitle(said.title) === plainTitle(reading.title ?? '');
  if (same) return { ...reading, year: said.year };
  if (said.year !== null || (parent.technical && !base.technical))
    return {
      ...reading,
      title: said.title,
      year: said.year,
      type: 'movie',
      reasons: [...reading.reasons, 'The folder names the film.'],
    };
  return reading;
}
