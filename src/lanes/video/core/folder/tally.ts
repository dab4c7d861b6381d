/** VIDEO-42: what is missing and what is there twice. */
import type { FolderReading, RecognisedFile } from '../folder-reading.ts';
import type { Clue } from './clue.ts';
import type { Found } from './reasons.ts';
import { placeKey, type KnownShow } from './known-show.ts';
import { naturally } from './specials.ts';

/** A video of less than this share of another one of the same episode is a sample of it. */
const SAMPLE_SHARE = 0.12;

/** Where sizes are known: the small ones beside a large one of the same episode. */
export function setSamplesAside(found: ReadonlyMap<Clue, Found>): Map<Clue, Found> {
  const largest = new Map<string, number>();
  const each = [...found].flatMap(([clue, one]) =>
    one.class === 'episode' ? (one.places ?? []).map((place) => ({ key: placeKey(place), size: clue.size })) : [],
  );
  for (const { key, size } of each) if (size !== null) largest.set(key, Math.max(largest.get(key) ?? 0, size));
  const result = new Map(found);
  for (const [clue, one] of found) {
    if (one.class !== 'episode' || clue.size === null || clue.reading.part !== null) continue;
    const size = clue.size;
    const places = one.places ?? [];
    if (places.length > 0 && places.every((place) => size < (largest.get(placeKey(place)) ?? 0) * SAMPLE_SHARE))
      result.set(clue, { class: 'extra', small: true });
  }
  return result;
}

/** Between the first and the last that are there; specials come as they please. */
export function gapsOf(files: readonly RecognisedFile[], show: KnownShow): FolderReading['gaps'] {
  const seasons = new Map<number, Set<number>>();
  for (const { class: kind, season, episodes } of files) {
    if (kind !== 'episode' || season === null || season === 0) continue;
    const there = seasons.get(season) ?? new Set();
    for (const episode of episodes) there.add(episode);
    seasons.set(season, there);
  }
  return [...seasons]
    .sort(([a], [b]) => a - b)
    .flatMap(([season, there]) => {
      const [first, last] = [Math.min(...there), Math.max(...there)];
      const all = show.counted
        ? show.episodes.filter((one) => one.season === season).map(({ episode }) => episode)
        : Array.from({ length: last - first }, (_, at) => first + at);
      return all
        .filter((episode) => episode > first && episode < last && !there.has(episode))
        .map((episode) => ({ season, episode }));
    });
}

/** The better one first: the later version, the higher resolution, the larger file. */
export function duplicatesOf(
  files: readonly RecognisedFile[],
  clues: ReadonlyMap<string, Clue>,
): FolderReading['duplicates'] {
  const places = new Map<string, { season: number; episode: number; files: RecognisedFile[] }>();
  for (const file of files) {
    if (file.class !== 'episode' || file.season === null) continue;
    for (const episode of file.episodes) {
      const key = placeKey({ season: file.season, episode });
      const place = places.get(key) ?? { season: file.season, episode, files: [] };
      place.files.push(file);
      places.set(key, place);
    }
  }
  const rank = ({ path, reading }: RecognisedFile): number[] => {
    const clue = clues.get(path);
    return [reading.version ?? 1, resolutionOf(path), clue?.size ?? 0];
  };
  return [...places.values()]
    .filter(
      ({ files: of }) =>
        of.length > new Set(of.map(({ part }) => part)).size || (of.some(({ part }) => part === null) && of.length > 1),
    )
    .map(({ season, episode, files: of }) => ({
      season,
      episode,
      paths: of.toSorted((a, b) => higher(rank(a), rank(b)) || naturally(a.path, b.path)).map(({ path }) => path),
    }))
    .sort((a, b) => a.season - b.season || a.episode - b.episode);
}

function higher(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : (b[at] ?? 0) - (a[at] ?? 0);
}

/** Lines; 0 where the name says none. */
function resolutionOf(path: string): number {
  const found = /(?<!\d)(?:\d{3,4}x)?(480|540|576|720|1080|1440|2160)(?:[pi]|(?!\d))|(4k|uhd)/i.exec(path);
  return found?.[2] === undefined ? Number(found?.[1] ?? 0) : 2160;
}
