/** The project's own cases of the playbook language, through the command that answers cases. */
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answerCase } from '#lanes/playbooks/cli/run-case.ts';
import { playbookCases } from '#lanes/playbooks/cli/playbook-cases.ts';

interface Row {
  id: string;
  kind: 'expand' | 'run';
  about: string;
  expect: Record<string, unknown> & { error?: unknown; value?: unknown };
}

const FIXTURES = join(import.meta.dirname, '../../fixtures/playbooks');
const rowsOf = async (name: string): Promise<Row[]> =>
  (await readFile(join(FIXTURES, name), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
const titled = (rows: Row[]): [string, Row][] => rows.map((row) => [`${row.id} ${row.about}`, row]);

test.each(titled(await rowsOf('expand.own.jsonl')))('PLAYBOOK-4 PLAYBOOK-5 %s', async (_title, row) => {
  const { id: _id, ...answer } = await answerCase(row);
  expect(answer).toEqual(row.expect);
});

/** A key stands in the one that is found; some say more. */
function withoutKey({ error, ...rest }: Record<string, unknown>): unknown {
  const { key: _key, ...fault } = (error ?? {}) as Record<string, unknown>;
  return { ...rest, error: error === null || error === undefined ? null : fault };
}

test.each(titled(await rowsOf('run.own.jsonl')))(
  'PLAYBOOK-2 PLAYBOOK-6 PLAYBOOK-7 PLAYBOOK-10 PLAYBOOK-14 %s',
  async (_title, row) => {
    const { id: _id, ...answer } = await answerCase(row);
    expect(withoutKey(answer)).toEqual(withoutKey(row.expect));
    const [want, got] = [row.expect.error, answer['error']] as ({ key: string } | null | undefined)[];
    if (want) expect(got?.key).toContain(want.key);
  },
);

test('PLAYBOOK-10 the command answers a file of cases, a line each', async () => {
  const out = join(await mkdtemp(join(tmpdir(), 'playbook-')), 'answers.jsonl');
  const rows = await rowsOf('expand.own.jsonl');
  expect(await playbookCases(join(FIXTURES, 'expand.own.jsonl'), out)).toBe(rows.length);
  const answers = (await readFile(out, 'utf8')).trim().split('\n');
  expect(answers.map((line) => (JSON.parse(line) as Row).id)).toEqual(rows.map(({ id }) => id));
});
