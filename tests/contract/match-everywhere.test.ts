import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { contextOf, evidenceOf } from '#cli/match.ts';
import { matchBatch } from '#core/music/match.ts';
import { buildCatalogIndex } from '#core/music/search.ts';
import { makeCases } from '../../scripts/eval/cases.ts';
import { syntheticCatalog } from '../../scripts/eval/catalog.ts';

it('MATCH-35: the CLI in its own process decides as the code in this one, confidences to the last bit', async () => {
  const catalog = syntheticCatalog({ seed: 11, tracks: 800 });
  const cases = makeCases(catalog, { seed: 12, cases: 60 }).filter((_, n) => n % 3 === 0);
  const index = buildCatalogIndex(catalog);
  const here = cases.flatMap((one) =>
    matchBatch({ files: one.files.map(evidenceOf), context: contextOf(one.context) }, index).files.map((file) => ({
      file_id: file.file_id,
      track_id: file.track_id,
      confidence: file.confidence,
      options: file.options.map((option) => option.track_id),
    })),
  );
  const folder = await mkdtemp(join(tmpdir(), 'accession-match-'));
  try {
    const [catalogFile, casesFile, out] = ['catalog.json', 'cases.jsonl', 'out.jsonl'].map((name) =>
      join(folder, name),
    ) as [string, string, string];
    await writeFile(catalogFile, JSON.stringify(catalog));
    await writeFile(casesFile, cases.map((one) => `${JSON.stringify(one)}\n`).join(''));
    await promisify(execFile)(process.execPath, [
      'src/cli/main.ts',
      'match',
      ...['--catalog', catalogFile, '--cases', casesFile, '--out', out],
    ]);
    const there = (await readFile(out, 'utf8'))
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(here.length).toBeGreaterThan(50);
    expect(there).toEqual(here);
  } finally {
    await rm(folder, { recursive: true });
  }
});
