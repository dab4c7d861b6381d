/**
 * Fits the shipped calibration profile: `node scripts/fit-profile.ts CATALOG CASES [--write]`. Prints the weights;
 * `--write` puts them into src/core/music/profile.ts. What they are worth: `npm run eval`, cross-validated.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { CatalogFile } from '#core/music/catalog.ts';
import { buildCatalogIndex } from '#core/music/search.ts';
import { readCases } from './eval/read.ts';
import { fitWeights, samplesOf } from './eval/fit.ts';

const [catalogPath, casesPath] = process.argv.slice(2);
if (!catalogPath || !casesPath) throw new Error('usage: fit-profile.ts CATALOG CASES [--write]');
const index = buildCatalogIndex(JSON.parse(readFileSync(catalogPath, 'utf8')) as CatalogFile);
const weights = fitWeights(readCases(casesPath).flatMap((batch) => samplesOf(batch, index)));
console.log(weights);
if (process.argv.includes('--write')) {
  const path = 'src/core/music/profile.ts';
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
