/**
 * `npm run soak -- guide [--worlds N] [--seed N] [--every N]`: guarded runs in random worlds (guide-worlds.ts). Each world is
 * played as it is and once more with its process dying at one of the changes of what is stored, before it is written or
 * behind; of every `--every`th world each change is such a place in turn. Ends with code 1 when a figure is not 0.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { mix } from '#core/agent/prompt/random.ts';
import { FIGURES, type Found, playScript, scriptOf } from './guide-worlds.ts';

const text = (value: string) => ({ type: 'string' as const, default: value });
const { values } = parseArgs({ options: { worlds: text('20000'), seed: text('1'), every: text('50') } });
const [worlds, seed, every] = [Number(values.worlds), Number(values.seed), Number(values.every)];
if (![worlds, every].every((count) => Number.isSafeInteger(count) && count >= 1))
  throw new Error('--worlds and --every must be whole numbers from 1 on.');
if (!Number.isSafeInteger(seed)) throw new Error('--seed must be a whole number.');

const sum = Object.fromEntries(FIGURES.map((name) => [name, 0])) as Found;
let [plays, deaths, runs] = [0, 0, 0];

async function play(world: number, dies?: { change: number; written: boolean }): Promise<number> {
  const played = await playScript(
    scriptOf(mix(seed, world)),
    (change, written) => dies?.change === change && dies.written === written,
  );
  plays++;
  runs += played.runs;
  if (dies) deaths++;
  for (const name of FIGURES) {
    if (played.found[name] > 0 && sum[name] < 5)
      process.stdout.write(`world ${world} of seed ${seed}, ${JSON.stringify(dies ?? 'no death')}: ${name}\n`);
    sum[name] += played.found[name];
  }
  return played.changes;
}

for (let world = 0; world < worlds; world++) {
  const changes = await play(world);
  if (world % every === 0) {
    for (let change = 1; change <= changes; change++)
      for (const written of [false, true]) await play(world, { change, written });
  } else if (changes > 0)
    await play(world, { change: 1 + (mix(world, seed) % changes), written: mix(seed + 1, world) % 2 === 0 });
  if (world % 2000 === 1999) process.stdout.write(`${world + 1} worlds, ${plays} plays, ${runs} runs\n`);
}

const figures = {
  ...Object.fromEntries(FIGURES.map((name) => [`guide.${name}`, sum[name]])),
  ...{ 'guide.worlds': worlds, 'guide.plays': plays, 'guide.deaths': deaths, 'guide.runs': runs },
};
const file = process.env['ACCESSION_FIGURES'];
if (file !== undefined) await writeFile(file, JSON.stringify(figures));
if (FIGURES.some((name) => sum[name] > 0)) process.exitCode = 1;
