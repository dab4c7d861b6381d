/**
 * `npm run house [-- --json FILE] [--list [FIGURE]]`: the rules of the rooms and the sizes of the sources as one flat
 * object of numbers. `--list` names each offender, of one figure where one is named.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { importFigures } from './imports.ts';
import { jobWriteFigures } from './job-writes.ts';
import { lineFigures } from './lines.ts';
import { ruleFigures } from './rules.ts';

/** What a figure counts, by name; a number where there is nothing to name. */
export type Figures = Record<string, number | readonly string[]>;

const { values, positionals } = parseArgs({
  options: { json: { type: 'string' }, list: { type: 'boolean', default: false } },
  allowPositionals: true,
});

const found: Figures = { ...importFigures(), ...jobWriteFigures(), ...lineFigures(), ...ruleFigures() };
for (const [name, value] of Object.entries(found)) {
  console.log(`${name.padEnd(42)}${typeof value === 'number' ? value : value.length}`);
  if (!values.list || typeof value === 'number') continue;
  if (positionals.length === 0 || positionals.includes(name))
    for (const offender of value) console.log(`  ${offender}`);
}
if (values.json !== undefined) {
  const counts = Object.entries(found).map(([name, value]) => [name, typeof value === 'number' ? value : value.length]);
  writeFileSync(values.json, `${JSON.stringify(Object.fromEntries(counts), null, 2)}\n`);
}
