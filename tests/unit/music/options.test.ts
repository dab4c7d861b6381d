/** What is offered for a file that is not sure, and what each option is worth. */
import { describe, expect, test } from 'vitest';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import type { FileEvidence } from '#lanes/music/core/evidence/evidence.ts';
import { COMPUTER, FIRST, ROAD, SECOND, catalogOf, file, fillers } from './small-catalog.ts';

const index = buildCatalogIndex(catalogOf([ROAD, COMPUTER, FIRST, SECOND, ...fillers(40)]));
const matched = (one: FileEvidence) => matchBatch({ files: [one], context: { type: 'spontaneous' } }, index).files[0];

/** A track of the album by another, whose length is this one's. */
const [TITLE, SECONDS] = ROAD.tracks[3] ?? ['', 0];

describe('MATCH-63 what a doubtful file may be', () => {
  const doubtful = matched(file(`${ROAD.artist} - ${TITLE.slice(0, -1)}x.mp3`, SECONDS + 8));

  test('the track whose name is alike is first and is worth more than nothing, though its length is off', () => {
    expect(doubtful?.options[0]).toMatchObject({ title: TITLE });
    expect(doubtful?.options[0]?.confidence).toBeGreaterThan(0.05);
    expect(doubtful?.options[0]?.reasons.map(({ label }) => label).join(', ')).toMatch(/8(\.\d)? s/);
  });

  test('what has another name and another length is no option', () => {
    for (const { title } of doubtful?.options ?? []) expect(title).toBe(TITLE);
  });

  test.each([
    ['a name that is alike', file(`${TITLE.slice(0, 5)} ${TITLE.slice(5)}.mp3`, SECONDS + 30)],
    ['nothing but a length', file('xq7.flac', SECONDS)],
    ['no length', { ...file(`${TITLE}.mp3`, 0), duration_ms: null }],
  ])('with %s, the options are in the order of their confidence and no more than certain together', (_what, one) => {
    const shares = (matched(one)?.options ?? []).map(({ confidence }) => confidence);
    expect(shares.length).toBeGreaterThan(0);
    expect(shares).toEqual([...shares].sort((a, b) => b - a));
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(1.001);
  });

  test('a length beyond 5 s is offered only where the name speaks for it', () => {
    for (const option of matched(file('xq7.flac', SECONDS))?.options ?? [])
      expect(Math.abs((option.duration_ms ?? 0) / 1000 - SECONDS)).toBeLessThanOrEqual(5);
  });
});
