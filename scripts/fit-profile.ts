/**
 * Fits the shipped calibration profile: `node scripts/fit-profile.ts CATALOG CASES [--own 2] [--write]`. The file's cases
 * and the project's own of the seeds after `--own` (`npm run eval` reports seed 1) count alike. Prints the weights;
 * `--write` puts them into src/lanes/music/core/calibration/profile.ts. What they are worth: `npm run eval`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { CatalogFile } from '#lanes/music/core/catalog.ts';
import { buildCatalogIndex } from '#lanes/music/core/index/compact-index.ts';
import type { LabelledCase } from './eval/case.types.ts';
import { fitWeights, samplesOf, type Sample } from './eval/fit.ts';
import { ownSet } from './eval/own.ts';
import { readCases } from './eval/read.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { own: { type: 'string', default: '' }, write: { type: 'boolean', default: false } },
});
const [catalogPath, casesPath] = positionals;
if (!catalogPath || !casesPath) throw new Error('usage: fit-profile.ts CATALOG CASES [--own SEED,SEED] [--write]');

function samplesFrom({ catalog, cases }: { catalog: CatalogFile; cases: readonly LabelledCase[] }): Sample[] {
  const index = buildCatalogIndex(catalog);
  return cases.flatMap((batch) => samplesOf(batch, index));
}

const given = { catalog: JSON.parse(readFileSync(catalogPath, 'utf8')) as CatalogFile, cases: readCases(casesPath) };
const seeds = values.own.split(',').filter((text) => text !== '');
const own = seeds.flatMap((seed) => samplesFrom(ownSet({ seed: Number(seed), tracks: 25_000, cases: 800 })));
const weights = fitWeights([samplesFrom(given), ...(own.length > 0 ? [own] : [])]);
console.log(weights);
if (values.write) {
  const path = 'src/lanes/music/core/calibration/profile.ts';
  const source = readFileSync(path, 'utf8');
  const listed = Object.entries(weights)
    .filter(([, value]) => value !== 0)
    .map(([name, value]) => `    ${name}: ${value},`)
    .join('\n');
  writeFileSync(
    path,
    source.replace(
      /version: '[^']*',\n {2}weights: \{[^}]*\}/,
      `version: '${new Date().toISOString().slice(0, 10)}.1',\n  weights: {\n${listed}\n  }`,
    ),
  );
}
