import { expect, it } from 'vitest';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import { ROAD, catalogOf, file, fillers, two } from './small-catalog.ts';

const index = buildCatalogIndex(catalogOf([ROAD, ...fillers(8)]));

/** Of an album whose files have a number, a length and a name of their own kind, but no title: how many are approved. */
function approved(nameOf: (n: string) => string): number {
  const files = ROAD.tracks.map(([, seconds], i) =>
    file(`${ROAD.artist} - ${ROAD.title}/${nameOf(two(i + 1))}.mp3`, seconds + 0.1, {
      artist: ROAD.artist,
      album: ROAD.title,
      track: i + 1,
    }),
  );
  return matchBatch({ files, context: { type: 'spontaneous' } }, index).files.filter(
    ({ confidence }) => confidence >= 0.9,
  ).length;
}

it('MATCH-110 what a name says of the version counts beside a title that says nothing', () => {
  expect(approved((n) => `${n} Track ${n}`)).toBe(ROAD.tracks.length);
  for (const words of ['Clean', 'Live', 'Acoustic Version', 'Nightmoth Remix'])
    expect(
      approved((n) => `${n} Track ${n} (${words})`),
      words,
    ).toBe(0);
});
