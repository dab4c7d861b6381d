import { expect, it } from 'vitest';
import type { PairEvidence } from '#lanes/music/core/match/match.types.ts';
import { separating } from '#lanes/music/ui/compare/separates.ts';

const pair = (title: number, duration: number, position = 0): PairEvidence => ({
  title_similarity: null,
  off: null,
  position_agrees: null,
  artist_similarity: null,
  artist_conflict: false,
  version_extra: [],
  version_missing: [],
  weights: { title, duration, position, artist: 0, version: 0, total: title + duration + position },
});

it('UI-44 names what speaks more for the one than for the other, the strongest first', () => {
  expect(separating(pair(1, 4), pair(2, 1, 0.05)).map(({ label, tone }) => [label, tone])).toEqual([
    ['length +3.0', 'good'],
    ['title \u22121.0', 'bad'],
  ]);
  expect(separating(pair(1, 1), pair(1, 1))).toEqual([]);
});
