/**
 * `npm run soak -- --minutes N [--database-url URL] [--seed N]`: histories (tests/fixtures/faults) one after the other
 * against server processes that are killed at random instants, stand still, lose their power and are put back, until the
 * time is over: half of it on node:sqlite, half on a PostgreSQL of its own with two processes side by side. With a URL on
 * that database alone, which has to be an empty one and is emptied again and again; its power is left on.
 */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { runHistory } from '../fixtures/faults/history.ts';
import { sumOf } from '../fixtures/faults/kinds.ts';
import { ownPostgres, givenPostgres, sqlite, type SoakStore } from './sync-stores.ts';
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
const PAUSES = 2;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const run = randomUUID().slice(0, 8);
const all = new Tally();
/** What went wrong with the soak itself; what was found so far is told first. */
const broken: Error[] = [];

/** Histories on one store until the time is over. */
async function soak(store: SoakStore, ms: number): Promise<Tally> {
  const tally = new Tally();
  const end = performance.now() + ms;
  try {
    for (let seed = Number(values.seed); performance.now() < end; seed += 1) {
      const setback = store.setbacks[seed % store.setbacks.length] ?? null;
      const outcome = await runHistory({
        ...{ server: store.server, seed, setback, name: `${run}-${store.short}-${seed}`, rounds: 40, workstations: 3 },
        ...{ workers: seed % 2, commands: 2 - (seed % 2), faults: 0.3, kills: KILLS, pauses: PAUSES },
        powerLosses: 1 + (seed % 2),
      });
      const wrong = tally.add(outcome);
      all.add(outcome);
      const faults = sumOf(outcome.faults);
      say(
        `${store.short}, seed ${seed}, ${setback ?? 'not put back'}: ${outcome.operations} operations, ${faults} faults, ${wrong.length} wrong`,
      );
      for (const sentence of wrong) say(`  ${sentence}`);
    }
  } catch (error) {
    broken.push(error instanceof Error ? error : new Error(String(error)));
  } finally {
    await store.close();
  }
  say(`\n${tally.table(store.name).join('\n')}\n`);
  return tally;
}

const figures: Record<string, number> = {};
const openers = url === undefined ? [sqlite, ownPostgres] : [() => givenPostgres(url)];
for (const open of openers) {
  const store = await open();
  if (store === null) {
    say('PostgreSQL is not installed: this part is left out.');
    continue;
  }
  if (store.server.losePower === null) say(`${store.name}: no disk can be mounted here, so that its power stays on.`);
  const tally = await soak(store, (minutes * 60_000) / openers.length);
  for (const [name, value] of Object.entries(tally.figures)) figures[`sync.${store.short}.${name}`] = value;
}
const named = Object.entries(all.figures).map(([name, value]) => [`sync.${name}`, value] as const);
const file = process.env['ACCESSION_FIGURES'];
if (file !== undefined)
  writeFileSync(file, JSON.stringify({ ...all.figures, ...Object.fromEntries(named), ...figures }));
process.exitCode = all.failed ? 1 : 0;
const [first] = broken;
if (first !== undefined) throw first;
