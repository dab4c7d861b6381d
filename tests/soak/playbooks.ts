/**
 * `npm run soak -- playbooks [--kills N] [--seed N]`: runs of playbooks from the terminal whose processes are killed at random
 * instants and resumed. Ends with code 1 where an answer was asked for twice, or a file is another than without a kill.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { mulberry32 } from '#core/mulberry32.ts';
import { killedRun } from '../fixtures/playbook-kills.ts';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
});
const wanted = Number(values.kills);
const seed = Number(values.seed);
if (!Number.isSafeInteger(wanted) || wanted < 1) throw new Error('--kills must be a whole number from 1 on.');
if (!Number.isSafeInteger(seed)) throw new Error('--seed must be a whole number.');

const UNITS = 20;
/** Kills of one run. */
const MOST_KILLS = 6;
/** Between the prompt that it is to come after and the kill. */
const LATEST_MS = 30;

const random = mulberry32(seed);
const whole = await killedRun({ units: UNITS, kills: [] });
let [runs, kills, twice, wrong] = [0, 0, 0, 0];
while (kills < wanted) {
  const plan = Array.from({ length: 1 + Math.floor(random() * MOST_KILLS) }, () => ({
    prompts: 1 + Math.floor(random() * 12),
    afterMs: Math.floor(random() * LATEST_MS),
  }));
  const found = await killedRun({ units: UNITS, kills: plan });
  runs += 1;
  kills += found.kills;
  twice += found.twice;
  if (JSON.stringify(found.files) !== JSON.stringify(whole.files)) wrong += 1;
  process.stdout.write(`run ${runs}: ${found.kills} kills, ${found.asked} prompts, ${found.twice} asked twice\n`);
}
const figures = {
  'playbooks.runs': runs,
  'playbooks.kills': kills,
  'playbooks.twice': twice,
  'playbooks.wrong': wrong,
};
const file = process.env['ACCESSION_FIGURES'];
if (file !== undefined) await writeFile(file, JSON.stringify(figures));
if (twice + wrong > 0) process.exitCode = 1;
