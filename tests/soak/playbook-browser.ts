/**
 * `npm run soak -- playbook-browser [--kills N] [--seed N]`: runs of a playbook on its page, in a browser whose processes are
 * killed at random instants and that is started again with the same profile. Ends with code 1 where an answer was asked for
 * twice, or a file is another than without a kill.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { mulberry32 } from '#core/mulberry32.ts';
import { CatalogServer } from '../e2e/support/catalog-server.ts';
import { playbookBrowserKills, type BrowserKill } from './playbook-browser-kills.ts';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
});
const count = Number(values.kills);
const seed = Number(values.seed);
if (!Number.isSafeInteger(count) || count < 1) throw new Error('--kills must be a whole number from 1 on.');
if (!Number.isSafeInteger(seed)) throw new Error('--seed must be a whole number.');

const UNITS = 30;
/** Kills of one run, and prompts before each: a run has 60. Three are asked at a time, and a prompt in hand is asked thrice at most. */
const MOST_KILLS = 5;
const [LEAST_PROMPTS, MOST_PROMPTS] = [4, 11];
/** Between the prompt that it is to come after and the kill. */
const LATEST_MS = 30;

// Stopped by hand, it takes its browser with it.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const random = mulberry32(seed);
const kills = Array.from({ length: count }, (): BrowserKill => ({
  prompts: LEAST_PROMPTS + Math.floor(random() * (MOST_PROMPTS - LEAST_PROMPTS + 1)),
  afterMs: Math.floor(random() * LATEST_MS),
}));
const runs: BrowserKill[][] = [];
while (kills.length > 0) runs.push(kills.splice(0, 1 + Math.floor(random() * MOST_KILLS)));

const directory = await mkdtemp(join(tmpdir(), 'accession-soak-'));
const server = await CatalogServer.start(join(directory, 'server'));
try {
  const found = await playbookBrowserKills({
    ...{ executable: process.env['ACCESSION_BROWSER'] ?? '', server, directory, units: UNITS, runs },
    said: (line) => void process.stdout.write(`${line}\n`),
  });
  const named = Object.entries(found).map(([name, value]) => [`playbook_browser.${name}`, value as number]);
  const file = process.env['ACCESSION_FIGURES'];
  if (file !== undefined) await writeFile(file, JSON.stringify(Object.fromEntries(named)));
  if (found.twice + found.wrong > 0) process.exitCode = 1;
} finally {
  await server.kill();
  await rm(directory, { recursive: true, force: true });
}
