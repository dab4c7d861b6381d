/**
 * `npm run soak -- library [--kills N] [--seed N]`: a folder of 2,000 files in a browser that is killed at random instants
 * while threads read it, and then read anew without a server, with an agent dropped in, while the page's long tasks are
 * counted. Ends with code 1 when a file was lost or is there twice.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mulberry32 } from '#core/mulberry32.ts';
import { CatalogServer } from '../e2e/support/catalog-server.ts';
import { libraryKills } from './library-kills.ts';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
});
const count = Number(values.kills);
const seed = Number(values.seed);
if (!Number.isSafeInteger(count) || count < 1) throw new Error('--kills must be a whole number from 1 on.');
if (!Number.isSafeInteger(seed)) throw new Error('--seed must be a whole number.');

const FILES = 2_000;
const CHARACTERS = 1_400;
/** A kill comes up to so long after the first file was read. Milliseconds. */
const LATEST_MS = 2_000;

// Stopped by hand, it takes its browser with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const random = mulberry32(seed);
const folder = await mkdtemp(join(tmpdir(), 'accession-soak-'));
const directory = join(folder, 'library');
await mkdir(directory);
const server = await CatalogServer.start(join(folder, 'server'));
try {
  const found = await libraryKills({
    ...{ executable: process.env['ACCESSION_BROWSER'] ?? '', server, directory, files: FILES, characters: CHARACTERS },
    delays: Array.from({ length: count }, () => Math.floor(random() * LATEST_MS)),
    said: (line) => void process.stdout.write(`${line}\n`),
  });
  const figures = {
    'library.kills': count,
    'library.lost': Math.max(0, FILES - found.files) + Math.max(0, FILES - found.chunks),
    'library.twice': Math.max(0, found.chunks - FILES),
    'library.asked': found.asked,
    'library.wrong': found.wrong,
    'library.long_tasks': found.longTasks.length,
    'library.longest_task_ms': Math.max(0, ...found.longTasks),
    'library.read_ms': Math.round(found.readMs),
  };
  const file = process.env['ACCESSION_FIGURES'];
  if (file !== undefined) await writeFile(file, JSON.stringify(figures));
  if (figures['library.lost'] + figures['library.twice'] + figures['library.wrong'] > 0) process.exitCode = 1;
} finally {
  await server.kill();
  await rm(folder, { recursive: true, force: true });
}
