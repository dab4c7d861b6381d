import { expect, it } from 'vitest';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import type { FileEvidence } from '#lanes/music/core/evidence/evidence.ts';
import { COMPUTER, ROAD, catalogOf, file, fillers, lengths, two, type AlbumPlan } from './small-catalog.ts';

const planned = (title: string, artist: string, seed: number, titles: readonly string[]): AlbumPlan => ({
  title,
  artist,
  tracks: lengths(seed, titles.length).map((seconds, i) => [titles[i] ?? '', seconds] as const),
});
const TEMPI = ['I. Allegro', 'II. Andante', 'III. Menuetto', 'IV. Presto'];
const WORKS = planned(
  'Wexdenford Symphonies',
  'Orla Kelmav',
  31,
  [1, 2].flatMap((work) => TEMPI.map((tempo) => `Symphony No. ${work} in C major, Op. ${work + 20}: ${tempo}`)),
);
const NUMBERS = planned(
  'Plain Counting',
  'Rit Zandenfol',
  77,
  Array.from({ length: 9 }, (_, i) => `${i + 1}`),
);
const index = buildCatalogIndex(catalogOf([ROAD, COMPUTER, WORKS, NUMBERS, ...fillers(8)]));

/** Tracks that are committed, by `album title: track title`; files in the order given. */
function committed(files: FileEvidence[]): (string | null)[] {
  const { files: matches } = matchBatch({ files, context: { type: 'spontaneous' } }, index);
  return matches.map((match) =>
    match.track_id !== null && match.confidence > 0.9 ? (index.track(match.track_id)?.title ?? null) : null,
  );
}
const filesAs = (plan: AlbumPlan, path: (title: string, at: number) => string): FileEvidence[] =>
  plan.tracks.map(([title, seconds], i) => file(path(title, i), seconds + 0.2));
const titlesOf = (plan: AlbumPlan): string[] => plan.tracks.map(([title]) => title);

it('MATCH-39: a movement is known by what stands behind the colon of its title', () => {
  const files = filesAs(WORKS, (title, i) => `Wexdenford Symphonies/${two(i + 1)} ${title.replace(/^.*: /, '')}.flac`);
  expect(committed(files)).toEqual(titlesOf(WORKS));
});

it('MATCH-39: a movement of that name from elsewhere is not', () => {
  const files = TEMPI.map((tempo, i) => file(`Other Works/${two(i + 1)} ${tempo}.flac`, 500 + i * 31));
  expect(committed(files)).toEqual([null, null, null, null]);
});

it('MATCH-40: a name cut to eight characters is the beginning of its title', () => {
  const files = filesAs(
    COMPUTER,
    (title, i) => `${two(i + 1)}${title.replaceAll(' ', '').slice(0, 4).toUpperCase()}~1.MP3`,
  );
  expect(committed(files).filter((title, i) => title === titlesOf(COMPUTER)[i]).length).toBeGreaterThanOrEqual(9);
  expect(committed(files).every((title, i) => title === null || title === titlesOf(COMPUTER)[i])).toBe(true);
});

it.each(['Rit Zandenfol - Plain Counting/# - #.mp3', 'Rit Zandenfol-Plain_Counting-WEB-1999/#-rit_zandenfol-#.mp3'])(
  'MATCH-41: titles that are numbers are met by numbers: %s',
  (form) => {
    const files = filesAs(NUMBERS, (title, i) => form.replace('#', two(i + 1)).replace('#', title));
    expect(committed(files)).toEqual(titlesOf(NUMBERS));
  },
);

it('MATCH-42: two whole albums in one folder that names neither are both taken', () => {
  const files = [ROAD, COMPUTER].flatMap((plan) => filesAs(plan, (title, i) => `mix/${two(i + 1)} ${title}.mp3`));
  expect(committed(files)).toEqual([...titlesOf(ROAD), ...titlesOf(COMPUTER)]);
});

it('MATCH-42: a part of an album in a folder that names another is asked about', () => {
  const part = filesAs(COMPUTER, (title, i) => `Some Other Record/${two(i + 1)} ${title}.mp3`).slice(0, 4);
  const strangers = lengths(900, 8).map((seconds, i) =>
    file(`Some Other Record/${two(i + 5)} Zzyx ${i}qq.mp3`, seconds),
  );
  expect(committed([...part, ...strangers]).every((title) => title === null)).toBe(true);
});
