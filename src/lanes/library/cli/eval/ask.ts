/**
 * `npm run eval -- ask [--data DIR] [--json FILE]`: how good answers without a model are on the questions of `DIR`
 * (`questions.jsonl` and the folder `corpus`); by default `../shared/data/documents/qa` beside the project
 * (docs/CONTRIBUTING.md, Data).
 *
 *   first_quote, three_quotes   the answer lies whole in the best quote, in one of the three best (a sentence each)
 *   abstained_right             of questions that no document answers, those that were not answered: the set's own, and
 *                               as `left_out` answerable ones asked of a library without their document
 *   abstained_wrong             of answerable questions, those that were not answered
 *   ms_p50                      milliseconds a question, median
 *
 * Weights and threshold were chosen on the rows with an even number; `.held` are the figures of the others.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { askFigures, type AskedRow } from './ask-figures.ts';
import { askRows, readQuestions } from './ask-rows.ts';

const { values } = parseArgs({
  args: process.argv.slice(2).filter((word) => word !== 'ask'),
  options: { data: { type: 'string' }, json: { type: 'string' } },
});
const root = join(import.meta.dirname, '../../../../..');
const data = resolve(values.data ?? join(root, '../shared/data/documents/qa'));
const file = join(data, 'questions.jsonl');
if (existsSync(file)) {
  const rows: AskedRow[] = await askRows(
    readQuestions(readFileSync(file, 'utf8')),
    join(data, 'corpus'),
    join(tmpdir(), 'accession-eval-ask'),
  );
  const figures = askFigures(rows);
  for (const [name, value] of Object.entries(figures))
    process.stdout.write(`${name.padEnd(40)}${Number(value.toFixed(4))}\n`);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(figures, null, 2)}\n`);
} else {
  process.stderr.write(`eval: "${file}" is not there; name the folder of the data: --data DIR.\n`);
  process.exitCode = 1;
}
