/**
 * `npm run soak -- search [--questions 5000] [--tracks 50000] [--seed N]`: the same questions to the server's tables and to
 * the index in columns, on node:sqlite and, where it is installed, PostgreSQL; a tenth of them again after changes. What
 * they answer differently is `search.different`, a question each on stdout.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { syntheticCatalog } from '../../scripts/eval/catalog.ts';
import { findPostgres, startPostgres } from '../fixtures/postgres.ts';
import { changedPart, differences, indexAfter, indexOf, putIn, searchQuestions } from '../fixtures/search-questions.ts';
import { openTestStore, useCluster } from '../fixtures/test-store.ts';

const { values } = parseArgs({
  options: { questions: { type: 'string' }, tracks: { type: 'string' }, seed: { type: 'string' } },
});
const [questions, tracks, seed] = [values.questions ?? 5000, values.tracks ?? 50_000, values.seed ?? 1].map(Number) as [
  number,
  number,
  number,
];
const catalog = syntheticCatalog({ seed, tracks });
const figures = { 'search.questions': 0, 'search.answered': 0, 'search.different': 0 };

async function compare(name: string): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'accession-soak-search-'));
  const store = await openTestStore(data);
  try {
    await putIn(store, catalog);
    const asked = searchQuestions(catalog, questions, seed + 1);
    note(name, asked, await differences(store.db, [await indexOf(store.db)], asked));
    const part = changedPart(catalog, seed + 2);
    const laid = await indexAfter(store.db, () => putIn(store, part));
    const again = [...asked.slice(0, questions / 20), ...searchQuestions(part, Math.ceil(questions / 20), seed + 3)];
    note(`${name}, changed`, again, await differences(store.db, [laid, await indexOf(store.db)], again));
  } finally {
    await store.close();
    await rm(data, { recursive: true, force: true });
  }
}

function note(name: string, asked: readonly string[], found: Awaited<ReturnType<typeof differences>>): void {
  figures['search.questions'] += asked.length;
  figures['search.answered'] += found.answered;
  figures['search.different'] += found.different.length;
  process.stdout.write(
    `${name}: ${asked.length} questions, ${found.answered} answered, ${found.different.length} differently\n`,
  );
  for (const one of found.different.slice(0, 5)) process.stdout.write(`${JSON.stringify(one)}\n`);
}

await compare('node:sqlite');
const programs = findPostgres();
if (programs !== null) {
  const cluster = await startPostgres(programs);
  try {
    await useCluster(cluster);
    await compare('PostgreSQL');
  } finally {
    await useCluster(null);
    await cluster.stop();
  }
}
const file = process.env['ACCESSION_FIGURES'];
if (file !== undefined) await writeFile(file, JSON.stringify(figures));
if (figures['search.different'] > 0) process.exitCode = 1;
