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
import { sumOf } from '../fixtures/faults/kinds.ts';
import { serverProcesses } from '../fixtures/faults/servers.ts';
import { Tally } from '../fixtures/faults/tally.ts';

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

const KILLS = 4;
const SETBACKS = [null, 'backup', 'copy', 'nothing'] as const;

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
  databaseUrl: () => Promise.resolve(url ?? null),
  count: url === undefined ? 1 : 2,
});
const run = randomUUID().slice(0, 8);
const tally = new Tally();
const end = performance.now() + minutes * 60_000;
let broken: Error | null = null;
try {
  for (let seed = Number(values.seed); performance.now() < end; seed += 1) {
    const setback = SETBACKS[seed % SETBACKS.length] ?? null;
    const outcome = await runHistory({
      ...{ server, seed, setback, name: `${run}-${seed}`, rounds: 40, workstations: 3 },
      ...{ workers: seed % 2, commands: 2 - (seed % 2), faults: 0.3, kills: KILLS },
    });
    const wrong = tally.add(outcome);
    const faults = sumOf(outcome.faults);
    process.stdout.write(`seed ${seed}: ${outcome.operations} operations, ${faults} faults, ${wrong.length} wrong\n`);
    for (const sentence of wrong) process.stdout.write(`  ${sentence}\n`);
  }
} catch (error) {
  // What was found so far is told first.
  broken = error instanceof Error ? error : new Error(String(error));
} finally {
  await server.close();
  rmSync(data, { recursive: true, force: true });
  await emptyDatabase();
}

const { figures } = tally;
const store = url === undefined ? 'node:sqlite' : 'PostgreSQL, two processes';
process.stdout.write(`\n${tally.table(store).join('\n')}\n`);
const named = Object.entries(figures).map(([name, value]) => [`sync.${name}`, value] as const);
const file = process.env['ACCESSION_FIGURES'];
if (file !== undefined) writeFileSync(file, JSON.stringify({ ...figures, ...Object.fromEntries(named) }));
process.exitCode = tally.failed ? 1 : 0;
if (broken !== null) throw broken;
