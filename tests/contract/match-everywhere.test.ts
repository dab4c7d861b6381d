import { expect, it } from 'vitest';
import { contextOf, evidenceOf } from '#lanes/music/cli/match.ts';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import type { LabelledCase } from '../../scripts/eval/case.types.ts';
import { catalogOf, fillers, ROAD } from '../unit/music/small-catalog.ts';
import { matchedByCli, sameCases } from '../fixtures/match-everywhere.ts';

it('MATCH-35: the CLI in its own process says all that the code in this one says, confidences to the last digit', async () => {
  const { catalog, cases } = sameCases();
  const index = buildCatalogIndex(catalog);
  const here = cases.map((one) =>
    matchBatch({ files: one.files.map(evidenceOf), context: contextOf(one.context) }, index),
  );
  expect(here.flatMap((result) => result.files).length).toBeGreaterThan(50);
  expect(await matchedByCli(catalog, cases)).toEqual(JSON.parse(JSON.stringify(here)));
});

interface Answer {
  files: { track_id: string | null; confidence: number; options: { title: string; confidence: number }[] }[];
}

it('MATCH-63, MATCH-64 by the CLI: a tagged file is as sure beside one whose length is off as it is alone, and the title of that one leads its options', async () => {
  const [[title, seconds] = ['', 0], [other, length] = ['', 0]] = ROAD.tracks;
  const tagged = {
    path: `${ROAD.title}/01 ${title}.flac`,
    file_id: 'tagged',
    duration_ms: seconds * 1000,
    tags: { title, artist: ROAD.artist, album: ROAD.title, track: 1 },
  };
  const off = { path: `${ROAD.title}/${other}.mp3`, file_id: 'off', duration_ms: (length + 11) * 1000, tags: {} };
  const cases = [[tagged], [tagged, off]].map(
    (files, at) =>
      ({
        ...{ case_id: `c${at}`, tier: 'core', cls: 'beside', context: { type: 'spontaneous' }, files, truth: [] },
      }) as LabelledCase,
  );
  const [alone, beside] = (await matchedByCli(catalogOf([ROAD, ...fillers(8)]), cases)) as Answer[];
  expect(beside?.files[0]).toMatchObject({ track_id: alone?.files[0]?.track_id });
  expect(alone?.files[0]?.confidence).toBeGreaterThan(0.95);
  expect(beside?.files[0]?.confidence).toBeGreaterThanOrEqual((alone?.files[0]?.confidence ?? 1) - 0.01);
  const options = beside?.files[1]?.options ?? [];
  expect([beside?.files[1]?.track_id, options[0]?.title]).toEqual([null, other]);
  const shares = options.map(({ confidence }) => confidence);
  expect(shares).toEqual([...shares].sort((a, b) => b - a));
});
