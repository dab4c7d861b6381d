/**
 * `npm run bench [-- replica match] [--tracks N] [--json FILE]`: what the replica costs in a browser, beside MiniSearch,
 * and what matching costs. Both by default; `--tracks` is the size of the large catalog.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { benchMatch } from './match.ts';
import { benchReplica } from './replica.ts';

const PARTS = { replica: benchReplica, match: benchMatch };
type Part = keyof typeof PARTS;
const isPart = (name: string): name is Part => Object.hasOwn(PARTS, name);

const { values, positionals } = parseArgs({
  options: { tracks: { type: 'string', default: '1000000' }, json: { type: 'string' } },
  allowPositionals: true,
});
const tracks = Number(values.tracks);
if (!Number.isSafeInteger(tracks) || tracks < 1000) throw new Error('--tracks must be a whole number from 1000 on.');
const unknown = positionals.find((name) => !isPart(name));
if (unknown !== undefined) throw new Error(`There is no part "${unknown}": ${Object.keys(PARTS).join(', ')}.`);
const parts = positionals.length === 0 ? (['replica', 'match'] as const) : positionals.filter(isPart);

const figures: Record<string, number> = {};
for (const part of parts) {
  for (const [name, value] of Object.entries(await PARTS[part](tracks))) {
    figures[name] = Number(value.toFixed(3));
    console.log(`${name.padEnd(36)}${figures[name]}`);
  }
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(figures, null, 2)}\n`);
