/**
 * `npm run bench [-- replica match media server] [--tracks N] [--only GROUPS] [--rounds N] [--seconds N] [--size SHARE] [--json FILE]`: what the replica
 * costs in a browser, beside MiniSearch, what matching costs (both by default), and what converting and unpacking cost
 * beside native tools. `--tracks` is the size of the large catalog; `--only` and `--rounds` are for `media`: names of
 * its groups with commas between them, and how often each thing is measured; `--size` makes archives of gigabytes smaller,
 * and the catalog of 1 M tracks that `server` asks for 20 seconds.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { benchMatch } from './match.ts';
import { benchMedia } from './media/main.ts';
import { benchReplica } from './replica.ts';
import { benchServer } from './server/main.ts';

const PARTS = {
  replica: () => benchReplica(tracks),
  match: () => benchMatch(tracks),
  media: () => benchMedia({ only, rounds, seconds, size }),
  server: () => benchServer({ size, seconds: Math.min(seconds, 20) }),
};
type Part = keyof typeof PARTS;
const isPart = (name: string): name is Part => Object.hasOwn(PARTS, name);

const { values, positionals } = parseArgs({
  options: {
    tracks: { type: 'string', default: '1000000' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '240' },
    size: { type: 'string', default: '1' },
    json: { type: 'string' },
  },
  allowPositionals: true,
});
const tracks = Number(values.tracks);
if (!Number.isSafeInteger(tracks) || tracks < 1000) throw new Error('--tracks must be a whole number from 1000 on.');
const rounds = Number(values.rounds);
if (!Number.isSafeInteger(rounds) || rounds < 1) throw new Error('--rounds must be a whole number from 1 on.');
const size = Number(values.size);
if (!(size > 0 && size <= 1)) throw new Error('--size must be over 0 and at most 1.');
const seconds = Number(values.seconds);
if (!Number.isSafeInteger(seconds) || seconds < 10) throw new Error('--seconds must be a whole number from 10 on.');
const only = values.only.split(',').filter((name) => name !== '');
const unknown = positionals.find((name) => !isPart(name));
if (unknown !== undefined) throw new Error(`There is no part "${unknown}": ${Object.keys(PARTS).join(', ')}.`);
const parts = positionals.length === 0 ? (['replica', 'match'] as const) : positionals.filter(isPart);

const figures: Record<string, number> = {};
for (const part of parts) {
  for (const [name, value] of Object.entries(await PARTS[part]())) {
    figures[name] = Number(value.toFixed(3));
    // With their noise, those are printed as they come.
    if (part !== 'media') console.log(`${name.padEnd(36)}${figures[name]}`);
  }
}
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(figures, null, 2)}\n`);
