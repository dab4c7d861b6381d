import { contextOf, evidenceOf } from '#cli/match.ts';
import { openCompactIndex } from '#core/music/compact/compact-index.ts';
import { matchBatch } from '#core/music/match.ts';
import { makeCases } from '../eval/cases.ts';
import { syntheticCatalog } from '../eval/catalog.ts';
import { compactOf, SEED } from './pack.ts';

const CASES = 60;
const SMALL = 25_000;

/** CPU milliseconds of matching one file, over whole batches as they are dropped; the first round warms up. */
export function benchMatch(tracks: number): Record<string, number> {
  const size = tracks === 1_000_000 ? '1m' : `${tracks}`;
  return {
    'match.cpu_ms_per_file_25k': perFile(Math.min(SMALL, tracks)),
    [`match.cpu_ms_per_file_${size}`]: perFile(tracks),
  };
}

function perFile(tracks: number): number {
  const catalog = syntheticCatalog({ seed: SEED, tracks });
  const cases = makeCases(catalog, { seed: 5, cases: CASES });
  const index = openCompactIndex(compactOf(catalog, null).catalog);
  const batches = cases.map((one) => ({ files: one.files.map(evidenceOf), context: contextOf(one.context) }));
  const files = batches.reduce((sum, batch) => sum + batch.files.length, 0);
  for (const batch of batches) matchBatch(batch, index);
  const before = process.cpuUsage();
  for (const batch of batches) matchBatch(batch, index);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / files;
}
