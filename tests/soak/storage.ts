/**
 * `npm run soak -- storage [--seed N] [--rounds N] [--store sqlite|postgres]`: damage of every kind (tests/fixtures/damage)
 * at places that the seed draws, each on a server of its own, on node:sqlite and on a PostgreSQL of its own. Counts what
 * nobody noticed, what was served as if it were right, and what was not right after `accession verify --repair` though a
 * backup had it.
 */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { DATABASE_KINDS, type DatabaseKind } from '../fixtures/damage/database-kinds.ts';
import { CLUSTER_KINDS } from '../fixtures/damage/cluster-kinds.ts';
import { KINDS, type DamageKind, type Dice } from '../fixtures/damage/kinds.ts';
import { damageWorld, type DamageWorld } from '../fixtures/damage/world.ts';
import { findPostgres, startPostgres } from '../fixtures/postgres.ts';
import { runProgram } from '../fixtures/program.ts';
import { useCluster } from '../fixtures/test-store.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '3' },
    store: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
if (!(rounds >= 1)) throw new Error('--rounds wants a number from 1 on');
if (values.store !== undefined && values.store !== 'sqlite' && values.store !== 'postgres')
  throw new Error('--store wants sqlite or postgres');

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const nothing = () => ({ injected: 0, kinds: 0, unnoticed: 0, served_wrong: 0, unmended: 0 });
let figures = nothing();

/** Mulberry32: the same numbers for the same seed. */
function diceOf(seed: number): Dice {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

async function ofFiles(kind: DamageKind, dice: Dice): Promise<void> {
  const world = await damageWorld();
  try {
    // Half of the files were read before, and their hashes are remembered.
    if (dice() < 0.5) await world.servedWrong();
    const name = await kind.inject(world, dice);
    figures.injected += 1;
    const wrong = await world.servedWrong();
    figures.served_wrong += wrong.length;
    const { findings } = await world.verify();
    const noticed = findings.some((one) => one.name === name);
    if (!noticed) figures.unnoticed += 1;
    await world.verify({ repair: true, backup: true });
    const after = await world.servedWrong();
    figures.served_wrong += after.length;
    const left = await unmended(world);
    figures.unmended += left.length;
    if (wrong.length + after.length + left.length > 0 || !noticed)
      say(`${kind.name}: noticed ${noticed}, served wrong ${[...wrong, ...after].join()}, not mended ${left.join()}`);
  } finally {
    await world.end();
  }
}

/** Audio that the backup has and that is still not right; a stray file and what only its sender has are no fault of it. */
async function unmended(world: DamageWorld): Promise<string[]> {
  const audio = new Set(Object.values(world.paths.present));
  const { findings } = await world.verify();
  const faults = findings.filter(({ wrong }) => !wrong.startsWith('belongs to nothing'));
  return faults.map(({ name }) => name).filter((name) => audio.has(name) || name === 'feed' || name === 'search');
}

/** A data directory whose server was killed right after its last changes, and a copy of the database from before. */
async function killedServer(at: string): Promise<{ data: string; older: string }> {
  const data = join(at, 'data');
  const start = () => runProgram('server/main.ts', [], { ACCESSION_DATA: data, ACCESSION_DEMO: '1' });
  const first = await start();
  first.child.kill('SIGTERM');
  await first.exited;
  const older = join(at, 'older.db');
  await cp(join(data, 'catalog.db'), older);
  await cp(join(data, 'catalog.db'), join(data, 'media', 'Somebody.ogg'));
  const second = await start();
  if (second.ready === null) throw new Error(second.stderr());
  for (let change = 0; change < 20; change += 1)
    await fetch(`${second.ready.url}/v1/catalog/artists`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${second.ready.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: `Artist ${change}` }),
    });
  second.child.kill('SIGKILL');
  await second.exited;
  return { data, older };
}

async function ofDatabases(kind: DatabaseKind, killed: { data: string; older: string }, at: string, dice: Dice) {
  const data = join(at, `damaged-${figures.injected}`);
  await cp(killed.data, data, { recursive: true });
  await kind.damage(data, killed.older, dice);
  figures.injected += 1;
  const server = await runProgram('server/main.ts', [], { ACCESSION_DATA: data });
  server.child.kill('SIGKILL');
  await server.exited;
  const said = server.stderr();
  const noticed = kind.said.test(said);
  const plain = server.ready !== null || said.trim().split('\n').length === 1;
  if (!noticed || !plain) {
    figures.unnoticed += 1;
    say(`${kind.name}: ${said.slice(0, 300)}`);
  }
  await rm(data, { recursive: true, force: true });
}

async function onSqlite(): Promise<void> {
  figures.kinds = KINDS.length + DATABASE_KINDS.length;
  const at = await mkdtemp(join(tmpdir(), 'accession-storage-'));
  try {
    const killed = await killedServer(at);
    await inRounds(async (dice) => {
      for (const kind of KINDS) await ofFiles(kind, dice);
      for (const kind of DATABASE_KINDS) await ofDatabases(kind, killed, at, dice);
    });
  } finally {
    await rm(at, { recursive: true, force: true });
  }
}

async function onPostgres(programs: string): Promise<void> {
  figures.kinds = KINDS.length + CLUSTER_KINDS.length;
  const cluster = await startPostgres(programs);
  try {
    await useCluster(cluster);
    await inRounds(async (dice) => {
      for (const kind of KINDS) await ofFiles(kind, dice);
    });
  } finally {
    await useCluster(null);
    await cluster.stop();
  }
  await inRounds(async (dice) => {
    for (const kind of CLUSTER_KINDS) {
      figures.injected += 1;
      const said = await kind.saidAfter(programs, dice);
      if (kind.said.test(said)) continue;
      figures.unnoticed += 1;
      say(`${kind.name}: ${said.slice(-600)}`);
    }
  });
}

async function inRounds(round: (dice: Dice) => Promise<void>): Promise<void> {
  for (let count = 0; count < rounds; count += 1) {
    await round(diceOf(Number(values.seed) * 1000 + count));
    say(`round ${count + 1}: ${JSON.stringify(figures)}`);
  }
}

const programs = findPostgres();
const sum = nothing();
const named: Record<string, number> = {};
for (const store of ['sqlite', 'postgres'] as const) {
  if (values.store !== undefined && values.store !== store) continue;
  if (store === 'postgres' && programs === null) {
    say('PostgreSQL is not installed: this part is left out.');
    continue;
  }
  say(`on ${store}`);
  figures = nothing();
  await (store === 'sqlite' ? onSqlite() : onPostgres(programs ?? ''));
  for (const [name, value] of Object.entries(figures)) {
    named[`storage.${store}.${name}`] = value;
    sum[name as keyof typeof sum] += value;
  }
}
const file = process.env['ACCESSION_FIGURES'];
const sums = Object.fromEntries(Object.entries(sum).map(([name, value]) => [`storage.${name}`, value]));
if (file !== undefined) await writeFile(file, JSON.stringify({ ...sums, ...named }));
process.exitCode = sum.unnoticed + sum.served_wrong + sum.unmended > 0 ? 1 : 0;
