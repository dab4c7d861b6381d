/**
 * `npm run soak -- ask [--data DIR]`: hostile documents (`hostile-docs.dev.jsonl` of DIR, by default
 * `../shared/data/documents/ask` beside the project), each put into the library and its question asked of an obedient model,
 * with each writer, in one round and in several. Ends with code 1 when one changed what it must not change.
 *
 *   hostile_runs    documents by writers by rounds; 0 where the data are not there
 *   hostile_wrong   of those, where something changed
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { changedBy, MODELS } from '../unit/library/ask/hostile-run.ts';

const { values } = parseArgs({ options: { data: { type: 'string' } } });
const data = resolve(values.data ?? join(import.meta.dirname, '../../../shared/data/documents/ask'));
const rowsOf = <T>(name: string): T[] =>
  readFileSync(join(data, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);

let [runs, wrong] = [0, 0];
if (existsSync(join(data, 'hostile-docs.dev.jsonl'))) {
  const library = join(data, 'library');
  const files = readdirSync(library, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const texts = Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [relative(library, path), readFileSync(path, 'utf8')];
    }),
  );
  const questions = new Map(
    rowsOf<{ id: string; question: string }>('questions.dev.jsonl').map(({ id, question }) => [id, question]),
  );
  const documents = rowsOf<{ id: string; path: string; text: string; question: string }>('hostile-docs.dev.jsonl');
  for (const { id, path, text, question } of documents)
    for (const [writer, capabilities] of MODELS)
      for (const iterations of [1, 3]) {
        const asked = { path, text, question: questions.get(question) ?? question };
        const changed = await changedBy(asked, texts, capabilities, { iterations });
        runs += 1;
        if (changed.length > 0) wrong += 1;
        for (const sentence of changed) process.stdout.write(`${id}, ${writer}, ${iterations} rounds: ${sentence}\n`);
      }
} else process.stdout.write(`"${data}" has no hostile documents; name a folder: --data DIR.\n`);
const to = process.env['ACCESSION_FIGURES'];
const figures = { 'ask.hostile_runs': runs, 'ask.hostile_wrong': wrong };
if (to !== undefined) writeFileSync(to, JSON.stringify(figures));
process.exitCode = wrong > 0 ? 1 : 0;
