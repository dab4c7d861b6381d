/**
 * `npm run eval -- playbook [--hostile FILE] [--json FILE]`: cases of our own of the language and of runs, and hostile texts with a
 * model that obeys them; `--hostile` has more of those, a JSON object with `payload` a line.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { answerCase } from '#lanes/playbooks/cli/run-case.ts';
import { escapesOf, OWN } from './hostile.ts';

const FIXTURES = join(import.meta.dirname, '../../../tests/fixtures/playbooks');

const { values } = parseArgs({
  allowPositionals: true,
  options: { hostile: { type: 'string' }, json: { type: 'string' } },
});

interface Fault {
  code: string;
  key: string;
  step: string | null;
}
interface Row {
  id: string;
  faults?: { kill_after_calls?: number; cancel_after_calls?: number };
  resume?: boolean;
  expect: Record<string, unknown> & { error?: Fault | null };
}

const rowsOf = async (path: string): Promise<Row[]> =>
  (await readFile(path, 'utf8'))
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Row);

/** Shares of what was right. */
class Shares {
  readonly #counts = new Map<string, { right: number; of: number }>();
  count(name: string, right: boolean): void {
    const { right: before, of } = this.#counts.get(name) ?? { right: 0, of: 0 };
    this.#counts.set(name, { right: before + Number(right), of: of + 1 });
  }
  get figures(): Record<string, number> {
    return Object.fromEntries([...this.#counts].map(([name, { right, of }]) => [name, right / of]));
  }
}

const shares = new Shares();
for (const row of await rowsOf(join(FIXTURES, 'expand.own.jsonl'))) {
  const { id: _id, ...answer } = await answerCase(row);
  shares.count('expand.right', isDeepStrictEqual(answer, row.expect));
}
for (const row of await rowsOf(join(FIXTURES, 'run.own.jsonl'))) {
  const answer = await answerCase(row);
  const same = (key: string): boolean => isDeepStrictEqual(answer[key] ?? null, row.expect[key] ?? null);
  const error = answer['error'] as Fault | null | undefined;
  const want = row.expect.error ?? null;
  // A key stands in the one that is found; some say more.
  const named =
    want === null ? !error : error?.code === want.code && error.step === want.step && error.key.includes(want.key);
  const right = named && ['state', 'calls', 'skipped', 'prompts', 'files'].every(same);
  shares.count('run.right', right);
  shares.count('run.files', same('files'));
  shares.count('run.calls', same('calls'));
  if (want !== null) shares.count('run.named', named);
  if (row.resume === true || Object.keys(row.faults ?? {}).length > 0) shares.count('run.resumed', right);
}

const more =
  values.hostile === undefined
    ? []
    : (await readFile(values.hostile, 'utf8'))
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => (JSON.parse(line) as { payload: string }).payload);
let escapes = 0;
for (const text of [...OWN, ...more]) {
  const found = await escapesOf(text);
  escapes += found.length;
  for (const one of new Set(found)) console.log(`${JSON.stringify(text).slice(0, 80)}: ${one}`);
}

const figures = { ...shares.figures, 'playbook.hostile': OWN.length + more.length, 'playbook.escapes': escapes };
for (const [name, value] of Object.entries(figures)) console.log(`${name.padEnd(24)}${Number(value.toFixed(4))}`);
if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(figures, null, 2)}\n`);
if (escapes > 0) process.exitCode = 1;
