/**
 * `npm run house [-- --json FILE] [--list [FIGURE]]`: the rules of the rooms and the sizes of the sources as one flat
 * object of numbers. `--list` names each offender, of one figure where one is named. `--check` prints only what must not
 * be, and ends with 1 where there is any: `npm test rules` runs it (imports have a check of their own there).
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { importFigures } from './imports.ts';
import { jobWriteFigures } from './job-writes.ts';
import { lineFigures } from './lines.ts';
import { ruleFigures } from './rules.ts';

/** What a figure counts, by name; a number where there is nothing to name. */
export type Figures = Record<string, number | readonly string[]>;

/** Figures that must be 0, with what to do. */
const MUST_BE_NONE: Record<string, string> = {
  writes_around_apply: 'Write it as an event, through `apply` (src/core/job/apply.ts).',
  rules_without_test: 'Quote the ID in the title of the test that holds it, or mark the rule `(by hand)`.',
  rules_twice: 'Give one of them the next number of its prefix.',
  rules_over_300_characters: 'A rule is one sentence: divide it.',
  test_ids_without_rule: 'Write the rule in docs/spec, or quote the ID that is meant.',
};

const { values, positionals } = parseArgs({
  options: {
    json: { type: 'string' },
    list: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

if (values.check) check({ ...jobWriteFigures(), ...ruleFigures() });
else report({ ...importFigures(), ...jobWriteFigures(), ...lineFigures(), ...ruleFigures() });

function check(found: Figures): void {
  for (const [name, remedy] of Object.entries(MUST_BE_NONE)) {
    const offenders = found[name];
    if (offenders === undefined || typeof offenders === 'number' || offenders.length === 0) continue;
    console.log([`${name}: ${remedy}`, ...offenders.map((one) => `  ${one}`)].join('\n'));
    process.exitCode = 1;
  }
}

function report(found: Figures): void {
  for (const [name, value] of Object.entries(found)) {
    console.log(`${name.padEnd(42)}${typeof value === 'number' ? value : value.length}`);
    if (!values.list || typeof value === 'number') continue;
    if (positionals.length === 0 || positionals.includes(name))
      for (const offender of value) console.log(`  ${offender}`);
  }
  if (values.json === undefined) return;
  const counts = Object.entries(found).map(([name, value]) => [name, typeof value === 'number' ? value : value.length]);
  writeFileSync(values.json, `${JSON.stringify(Object.fromEntries(counts), null, 2)}\n`);
}
