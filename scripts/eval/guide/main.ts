/**
 * `npm run eval -- guide [--data DIR] --out DIR [--json FILE]`: answers the cases of guides that lie in `DIR` (by default
 * `../shared/data/guide` beside the project) and, where the folder brings its `score.py`, scores them with it (Python 3).
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { folderAgreement, randomAgreement } from './dtd-agree.ts';
import { dtdOfTable } from './dtd-of-table.ts';
import type { Part } from './part.types.ts';
import { checks } from './checks.ts';
import { repairs } from './repairs.ts';
import { replies } from './replies.ts';
import { runs } from './runs.ts';
import { schedules } from './schedules.ts';
import { times } from './times.ts';

const PARTS: readonly Part[] = [checks, times, schedules, runs, replies, repairs];

const { values } = parseArgs({
  args: process.argv.slice(2).filter((word) => word !== 'guide'),
  options: { data: { type: 'string' }, out: { type: 'string' }, json: { type: 'string' } },
});
const root = join(import.meta.dirname, '../../..');
const data = resolve(values.data ?? join(root, '../shared/data/guide'));
const out = resolve(values.out ?? join(root, '.cache/eval/guide'));

const lines = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');
mkdirSync(out, { recursive: true });
for (const { cases, answers, answer } of PARTS) {
  const file = join(data, cases);
  if (!existsSync(file)) {
    process.stderr.write(`eval: "${file}" is not there; name the folder of the data: --data DIR.\n`);
    process.exitCode = 1;
    continue;
  }
  const rows = await answer(
    lines(readFileSync(file, 'utf8')).map((line): unknown => JSON.parse(line)),
    data,
    out,
  );
  writeFileSync(join(out, answers), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
}

const all: Record<string, unknown> = {};
const scorer = join(data, 'score.py');
if (existsSync(scorer)) {
  const json = join(out, 'score.json');
  const scored = spawnSync('python3', [scorer, '--data', data, '--answers', out, '--json', json], { encoding: 'utf8' });
  if (scored.status !== 0) throw new Error(`"${scorer}" failed: ${scored.error?.message ?? scored.stderr}`);
  process.stdout.write(scored.stdout);
  Object.assign(all, JSON.parse(readFileSync(json, 'utf8')));
} else process.stderr.write(`eval: "${scorer}" is not there: the answers in "${out}" are not scored.\n`);

/** Form: our check against libxml2, with the real document type where it lies beside the data. */
const RANDOM_DOCUMENTS = 6_000;
const SEED = 23;
const xmltv = join(data, '../video/xmltv');
const dtd = existsSync(join(xmltv, 'xmltv.dtd')) ? readFileSync(join(xmltv, 'xmltv.dtd'), 'utf8') : dtdOfTable();
const agreements = [randomAgreement(RANDOM_DOCUMENTS, SEED, dtd), folderAgreement(join(xmltv, 'samples'), dtd)];
for (const { document, ours, theirs } of agreements.flatMap(({ different }) => different).slice(0, 5))
  process.stdout.write(`dtd          ${document.slice(-200)}: ours ${ours}, libxml2 ${theirs}\n`);
const sum = (of: 'agreed' | 'documents'): number => agreements.reduce((total, one) => total + one[of], 0);
all['dtd.agree'] = sum('agreed') / sum('documents');
process.stdout.write(`dtd.agree                ${Number(all['dtd.agree'])} of ${sum('documents')} documents\n`);
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(all, null, 2)}\n`);
