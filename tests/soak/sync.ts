/**
 * `npm run soak -- sync --minutes N [--database-url URL] [--seed N]`: histories (tests/fixtures/faults) one after the
 * other against a server process that is killed by SIGKILL at random instants, until the time is over. The database of
 * the URL should be an empty one; without it, node:sqlite in a directory of its own.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openStore } from '#server/store/store.ts';
import { postgresSource } from '#adapters/node/postgres-dialect.ts';
import { sqliteFile } from '#adapters/node/sqlite-dialect.ts';
import { runHistory } from '../fixtures/faults/history.ts';
import type { Outcome } from '../fixtures/faults/outcome.ts';
import { serverProcess } from '../fixtures/faults/servers.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    'database-url': { type: 'string' },
    seed: { type: 'string', default: '1' },
  },
});
const minutes = Number(values.minutes);
const url = values['database-url'];
if (!(minutes > 0)) throw new Error('--minutes wants a number above 0');

const KINDS = ['lost', 'duplicated', 'diverged', 'wrong_bytes', 'two_answers'] as const;
type Totals = Record<
  'histories' | 'operations' | 'faults' | 'kills' | 'published' | 'reviews' | (typeof KINDS)[number],
  number
>;
const totals: Totals = {
  ...{ histories: 0, operations: 0, faults: 0, kills: 0, published: 0, reviews: 0 },
  ...{ lost: 0, duplicated: 0, diverged: 0, wrong_bytes: 0, two_answers: 0 },
};
const KILLS = 4;

function count(outcome: Outcome): void {
  totals.histories += 1;
  totals.kills += KILLS;
  for (const name of ['operations', 'faults', 'published', 'reviews'] as const) totals[name] += outcome[name];
  for (const kind of KINDS) {
    totals[kind] += outcome[kind].length;
    for (const sentence of outcome[kind]) process.stdout.write(`${kind}: ${sentence}\n`);
  }
}

const data = mkdtempSync(join(tmpdir(), 'accession-soak-'));
const source = () => (url === undefined ? sqliteFile(join(data, 'catalog.db')) : postgresSource(url));
const env: Record<string, string> = url === undefined ? {} : { DATABASE_URL: url };
const server = await serverProcess(data, env, () => openStore(source(), randomUUID));
const run = randomUUID().slice(0, 8);
const end = performance.now() + minutes * 60_000;
try {
  for (let seed = Number(values.seed); performance.now() < end; seed += 1) {
    const outcome = await runHistory({
      ...{ server, seed, name: `${run}-${seed}`, rounds: 40, workstations: 3, faults: 0.3, kills: KILLS },
    });
    count(outcome);
    if (KINDS.some((kind) => outcome[kind].length > 0)) process.stdout.write(`... in the history of seed ${seed}\n`);
  }
} finally {
  await server.close();
  rmSync(data, { recursive: true, force: true });
}

const width = Math.max(...Object.keys(totals).map((name) => name.length));
process.stdout.write(`\nstore${' '.repeat(width - 3)}${url === undefined ? 'node:sqlite' : 'PostgreSQL'}\n`);
for (const [name, value] of Object.entries(totals)) process.stdout.write(`${name.padEnd(width + 2)}${value}\n`);
const figures = Object.fromEntries(Object.entries(totals).map(([name, value]) => [`sync.${name}`, value]));
const file = process.env['ACCESSION_FIGURES'];
if (file !== undefined) writeFileSync(file, JSON.stringify(figures));
process.exitCode = KINDS.some((kind) => totals[kind] > 0) ? 1 : 0;
