import { expect, it } from 'vitest';
import { contextOf, evidenceOf } from '#lanes/music/cli/match.ts';
import { matchBatch } from '#lanes/music/core/match/match.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
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
