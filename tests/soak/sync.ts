/**
 * `npm run soak -- --minutes N [--database-url URL] [--seed N]`: histories (tests/fixtures/faults) one after the other
 * against server processes that are killed by SIGKILL at random instants, until the time is over. Without a URL on
 * node:sqlite in a directory of its own; with one on that PostgreSQL database, which has to be an empty one and is
 * emptied again and again: two processes side by side.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { postgresSource } from '#adapters/node/postgres-dialect.ts';
import { sqliteFile } from '#adapters/node/sqlite-dialect.ts';
import { openStore } from '#server/store/store.ts';
import { runHistory } from '../fixtures/faults/history.ts';
import type { Outcome } from '../fixtures/faults/outcome.ts';
import { serverProcesses } from '../fixtures/faults/servers.ts';

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

const WRONG = ['lost', 'duplicated', 'diverged', 'wrong_bytes', 'two_answers'] as const;
const COUNTED = ['published', 'reviews', 'uploads', 'cancelled'] as const;
/** In the order of the table; the file of `--json` has the same names. */
const totals = {
  ...{ operations: 0, faults_injected: 0, lost: 0, duplicated: 0, diverged: 0, wrong_bytes: 0, two_answers: 0 },
  ...{ histories: 0, kills: 0, setbacks: 0, published: 0, reviews: 0, uploads: 0, cancelled: 0 },
};
const KILLS = 4;
const SETBACKS = [null, 'backup', null, 'nothing'] as const;

function count(outcome: Outcome, setback: (typeof SETBACKS)[number]): void {
  totals.histories += 1;
  totals.kills += KILLS;
  totals.setbacks += setback === null ? 0 : 1;
  totals.operations += outcome.operations;
  totals.faults_injected += outcome.faults;
  for (const name of COUNTED) totals[name] += outcome[name];
  for (const kind of WRONG) {
    totals[kind] += outcome[kind].length;
    for (const sentence of outcome[kind]) process.stdout.write(`${kind}: ${sentence}\n`);
  }
}

/** Throws where somebody's tables are in it: everything is dropped on the way. */
async function refuseFull(address: string): Promise<void> {
  await withDatabase(address, async (client) => {
    const { rows } = await client.query("select 1 from pg_tables where schemaname = 'public' limit 1");
    if (rows.length > 0) throw new Error('The database of --database-url has tables; it must be an empty one.');
  });
}

async function emptyDatabase(): Promise<void> {
  if (url !== undefined)
    await withDatabase(url, (client) => client.query('drop schema public cascade; create schema public'));
}

async function withDatabase(address: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

if (url !== undefined) await refuseFull(url);
const data = mkdtempSync(join(tmpdir(), 'accession-soak-'));
const source = () => (url === undefined ? sqliteFile(join(data, 'catalog.db')) : postgresSource(url));
const env: Record<string, string> = url === undefined ? {} : { DATABASE_URL: url };
const openData = () => openStore(source(), randomUUID);
const server = await serverProcesses({
  data,
  env,
  openStore: openData,
  emptyDatabase,
  count: url === undefined ? 1 : 2,
});
const run = randomUUID().slice(0, 8);
const end = performance.now() + minutes * 60_000;
try {
  for (let seed = Number(values.seed); performance.now() < end; seed += 1) {
    const setback = SETBACKS[seed % SETBACKS.length] ?? null;
    const outcome = await runHistory({
      ...{ server, seed, setback, name: `${run}-${seed}`, rounds: 40, workstations: 3, workers: 2 },
      ...{ faults: 0.3, kills: KILLS },
    });
    count(outcome, setback);
    if (WRONG.some((kind) => outcome[kind].length > 0)) process.stdout.write(`... in the history of seed ${seed}\n`);
  }
} finally {
  await server.close();
  rmSync(data, { recursive: true, force: true });
  await emptyDatabase();
}

const width = Math.max(...Object.keys(totals).map((name) => name.length)) + 2;
const store = url === undefined ? 'node:sqlite' : 'PostgreSQL, two processes';
process.stdout.write(`\n${'store'.padEnd(width)}${store}\n`);
for (const [name, value] of Object.entries(totals))
  process.stdout.write(`${name.replace('_', ' ').padEnd(width)}${value}\n`);
const { operations, faults_injected, lost, duplicated, diverged } = totals;
const figures = {
  ...{ operations, faults_injected, lost, duplicated, diverged },
  ...Object.fromEntries(Object.entries(totals).map(([name, value]) => [`sync.${name}`, value])),
};
const file = process.env['ACCESSION_FIGURES'];
if (file !== undefined) writeFileSync(file, JSON.stringify(figures));
process.exitCode = WRONG.some((kind) => totals[kind] > 0) ? 1 : 0;
