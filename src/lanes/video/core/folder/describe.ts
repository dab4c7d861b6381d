/** What was found of each file, in the words and numbers of the result. */
import type { FolderFile, RecognisedFile } from '../folder-reading.ts';
import { NOTHING_READ } from '../name-reading.ts';
import type { Clue } from './clue.ts';
import { leaderFinder } from './companions.ts';
import { placeKey, type KnownShow, type Place } from './known-show.ts';
import { confidenceOf, reasonsOf, type Found } from './reasons.ts';

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
