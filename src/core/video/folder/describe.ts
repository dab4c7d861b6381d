/** What was found of each file, in the words and numbers of the result. */
import type { FolderFile, RecognisedFile } from '../folder-reading.ts';
import { NOTHING_READ } from '../name-reading.ts';
import type { Clue } from './clue.ts';
import { leaderFinder } from './companions.ts';
import { placeKey, type KnownShow, type Place } from './known-show.ts';
import { isPartWord, partsOf } from './parts.ts';
import { confidenceOf, reasonsOf } from './reasons.ts';
import type { PlacedSpecial } from './specials.ts';
import type { Weighed } from './weigh.ts';

/** By what a video became an episode; `places` null for a day that no catalog has, `surer`: the file that is it by a better name. */
export type Found =
  | { class: 'episode'; by: 'number'; weighed: Weighed; places: Place[]; surer?: string }
  | { class: 'episode'; by: 'date'; day: string; settled: boolean; places: Place[] | null }
  | { class: 'episode'; by: 'special'; how: PlacedSpecial['by']; places: Place[] }
  | { class: 'episode'; by: 'title'; likeness: number; places: Place[] }
  | { class: 'episode'; by: 'doubtful'; places: Place[] }
  /** `unplaced`: a special that the catalog has no place for; `small`: a sample by its size. */
  | { class: 'extra'; unplaced?: boolean; small?: boolean }
  | { class: 'movie' }
  /** `foreign`: named as another show. */
  | { class: 'other'; foreign?: string };

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
