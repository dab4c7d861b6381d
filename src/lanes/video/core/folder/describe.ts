/** What was found of each file, in the words and numbers of the result. */
import { type FolderFile, type RecognisedFile, NOTHING_READ, kindOf } from '../folder-reading.ts';
import type { Clue } from './clue.ts';
import { placeKey, type KnownShow, type Place } from './known-show.ts';
import { confidenceOf, reasonsOf, type Found } from './reasons.ts';
import { readName } from '../names/read-name.ts';
import { parentOf, stemOf } from '#core/plan/plan-path.ts';
import { folderRole } from './folder-role.ts';
import { foldText } from '#core/text/fold.ts';

/** VIDEO-32: subtitles, audio tracks, NFO files and images follow the video whose name they carry. */
type Leader = Pick<RecognisedFile, 'path' | 'season' | 'episodes' | 'reading'>;

/** What a name may go on with behind its video's. */
const SEPARATOR = /^[\s._\-([+【]/u;

/** Finds the video that a file follows; null where it follows none. */
function leaderFinder(videos: readonly Leader[]): (path: string) => string | null {
  const folders = new Map<string, Map<string, string>>();
  for (const { path } of videos) {
    const directory = parentOf(path);
    const stems = folders.get(directory) ?? new Map<string, string>();
    if (!stems.has(foldedCase(stemOf(path)))) stems.set(foldedCase(stemOf(path)), path);
    folders.set(directory, stems);
  }
  return (path) => {
    const kind = kindOf(path);
    if (kind === 'video' || kind === 'other') return null;
    return byName(path, folders) ?? (kind === 'image' ? null : byNumber(path, videos));
  };
}

/** The longest video's name that the file's begins with: in its folder first, then in those above it. */
function byName(path: string, folders: ReadonlyMap<string, ReadonlyMap<string, string>>): string | null {
  const stem = foldedCase(stemOf(path));
  const own = parentOf(path);
  const inner = foldedCase(own.slice(own.lastIndexOf('/') + 1));
  for (let directory: string | null = own, above = false; directory !== null; above = true) {
    const stems = folders.get(directory);
    // `Subs/<name of the video>/2_English.srt`
    const found = stems === undefined ? null : (longest(stem, stems) ?? (above ? longest(inner, stems) : null));
    if (found !== null) return found;
    directory = directory === '' ? null : parentOf(directory);
  }
  return null;
}

const foldedCase = (text: string): string => text.normalize('NFC').toLowerCase();

function longest(name: string, stems: ReadonlyMap<string, string>): string | null {
  for (let end = name.length; end > 0; end--) {
    const found =
      end === name.length || SEPARATOR.test(name.slice(end, end + 1)) ? stems.get(name.slice(0, end)) : undefined;
    if (found !== undefined) return found;
  }
  return null;
}

/** By season and episode, where exactly one video of the same folder, or of those around it, has them. */
function byNumber(path: string, videos: readonly Leader[]): string | null {
  const directory = parentOf(path);
  const folders = directory.split('/').filter((one) => one !== '');
  const name = path.slice(path.lastIndexOf('/') + 1);
  const reading = readName(name, { folders });
  if (reading.type === 'extra' || reading.type === 'movie') return null;
  const role = folderRole(folders);
  const season = typeof reading.season === 'number' ? reading.season : role.season;
  const numbers = reading.episodes.length > 0 ? reading.episodes : reading.absolute;
  if (numbers.length === 0 || role.extras) return null;
  const same = (of: readonly number[]): boolean =>
    of.length === numbers.length && of.every((one, at) => one === numbers[at]);
  const near = videos.filter((video) => isAround(parentOf(video.path), directory));
  const exact = near.filter((video) => (season ?? 1) === video.season && same(video.episodes));
  // A name that says no season can also count as its video does: through all seasons.
  const counted = exact.length > 0 || season !== null ? exact : near.filter((video) => same(countedIn(video)));
  if (counted.length < 2) return counted[0]?.path ?? null;
  return nearest(name, counted);
}

const isAround = (video: string, file: string): boolean =>
  video === file || file.startsWith(video === '' ? '' : `${video}/`) || parentOf(video) === parentOf(file);

function countedIn({ reading }: Leader): readonly number[] {
  return reading.season === null && reading.episodes.length > 0 ? reading.episodes : reading.absolute;
}

/** Several videos have the episode (a second release): the one whose words are the file's; none where that is open. */
function nearest(name: string, videos: readonly Leader[]): string | null {
  const words = new Set(foldText(name).split(' '));
  const scored = videos
    .map(({ path }) => ({
      path,
      shared: foldText(stemOf(path))
        .split(' ')
        .filter((word) => words.has(word)).length,
    }))
    .sort((a, b) => b.shared - a.shared);
  const [first, second] = scored;
  return first === undefined || first.shared === second?.shared ? null : first.path;
}

/** Every file once, in the given order. */
export function describeFiles(
  files: readonly FolderFile[],
  clues: readonly Clue[],
  found: ReadonlyMap<Clue, Found>,
  show: KnownShow,
): RecognisedFile[] {
  const parts = partsOf(found);
  const videos = new Map(
    clues.map((clue) => [clue.path, video(clue, found.get(clue) ?? { class: 'other' }, parts.get(clue) ?? null, show)]),
  );
  const leaderOf = leaderFinder([...videos.values()]);
  return files.map(({ path }) => videos.get(path) ?? beside(path, leaderOf(path), videos));
}

function video(clue: Clue, found: Found, part: number | null, show: KnownShow): RecognisedFile {
  const places = found.class === 'episode' ? inOneSeason(found.places ?? []) : [];
  const first = places[0];
  const title = clue.reading.episode_title;
  const said = title === null || isPartWord(title) ? null : title;
  return {
    path: clue.path,
    class: found.class,
    season: first?.season ?? null,
    episodes: places.map(({ episode }) => episode),
    part,
    title: titleOf(places, show) ?? said,
    belongs_to: null,
    confidence: Math.round(confidenceOf(clue, found, places, show) * 100) / 100,
    reasons: reasonsOf(clue, found, places, show),
    reading: clue.reading,
  };
}

/** A file is of one season: of numbers that cross its end, those of the first are kept. */
function inOneSeason(places: readonly Place[]): Place[] {
  const unique = new Map(places.map((place) => [placeKey(place), place]));
  const season = places[0]?.season;
  return [...unique.values()].filter((place) => place.season === season).sort((a, b) => a.episode - b.episode);
}

function titleOf(places: readonly Place[], show: KnownShow): string | null {
  const titles = places.map((place) => show.at(place)?.title ?? null).filter((title) => title !== null);
  return titles.length === 0 ? null : [...new Set(titles)].join(' + ');
}

function beside(path: string, leader: string | null, videos: ReadonlyMap<string, RecognisedFile>): RecognisedFile {
  return {
    path,
    class: leader === null ? 'other' : 'companion',
    season: null,
    episodes: [],
    part: null,
    title: null,
    belongs_to: leader,
    confidence: leader === null ? 0 : (videos.get(leader)?.confidence ?? 0),
    reasons: [leader === null ? 'It belongs to no video here and stays as it is.' : `It follows "${leader}".`],
    reading: NOTHING_READ,
  };
}

/** VIDEO-34: `a` and `b`, 上 and 下, 前編 and 後編 are parts where two files of one episode differ in them. Each reads a part's number from a name; null where it says none. */
const READERS: readonly ((stem: string) => number | null)[] = [
  (stem) => letterOf(/\d([a-d])(?=$|[^\p{L}\p{N}])/iu.exec(stem)?.[1]),
  (stem) => eastern(/[集话話回編编篇)\]」』\s\d(（]([上中下前後后])(?=$|[^\p{L}]|[編编篇部集])/u.exec(stem)?.[1]),
  (stem) => numberOf(/[\s._-]\(?(\d)\)?$/.exec(stem)?.[1]),
];

const letterOf = (letter: string | undefined): number | null =>
  letter === undefined ? null : letter.toLowerCase().charCodeAt(0) - 'a'.charCodeAt(0) + 1;
const numberOf = (digit: string | undefined): number | null => (digit === undefined ? null : Number(digit));

/** 下 is the third where a 中 is beside it: order is all that counts. */
function eastern(sign: string | undefined): number | null {
  const at = sign === undefined ? -1 : ['上前', '中', '下後后'].findIndex((signs) => signs.includes(sign));
  return at < 0 ? null : at + 1;
}

/** The parts that names say by themselves, and those that only their neighbours make clear. */
function partsOf(found: ReadonlyMap<Clue, Found>): Map<Clue, number> {
  const parts = new Map<Clue, number>();
  const places = new Map<string, Clue[]>();
  for (const [clue, one] of found) {
    if (one.class !== 'episode') continue;
    if (clue.reading.part !== null) parts.set(clue, clue.reading.part);
    const key = `${clue.directory}\n${(one.places ?? []).map(placeKey).join()}`;
    if (one.places !== null && one.places.length > 0) places.set(key, [...(places.get(key) ?? []), clue]);
  }
  for (const clues of places.values()) {
    if (clues.length < 2 || clues.some((clue) => parts.has(clue))) continue;
    for (const read of READERS) {
      const said = clues.map(({ stem }) => read(stem.normalize('NFC')));
      const numbers = said.filter((part) => part !== null);
      if (numbers.length < clues.length || new Set(numbers).size < clues.length) continue;
      const ranks = numbers.toSorted((a, b) => a - b);
      for (const [at, clue] of clues.entries()) parts.set(clue, ranks.indexOf(said[at] ?? 0) + 1);
      break;
    }
  }
  return parts;
}

/** A title that is nothing but the word for a part: `pt1`. */
const isPartWord = (title: string): boolean =>
  /^[\s(]*(?:part|pt|cd|disc|dvd|teil|partie|parte|часть)[\s._-]*\d{1,2}[\s)]*$/iu.test(title);
