/** The toolbox from a terminal, each command a process of its own with the real cage. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { programFile } from '../fixtures/program-file.ts';

const MAIN = programFile('cli/main.ts');

const toolbox = (...args: string[]): Promise<{ code: number; out: string; said: string }> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, [MAIN, 'toolbox', ...args], (_error, out, said) =>
      resolve({ code: child.exitCode ?? -1, out, said }),
    );
  });

test('TOOLBOX-5 cases of a file, one call, and the schema of a tool', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'accession-toolbox-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [file, out] = [join(folder, 'cases.jsonl'), join(folder, 'answers.jsonl')];
  const cases = [
    { id: 'a', tool: 'cas', input: { op: 'differentiate', expr: 'x^3', var: 'x' } },
    { id: 'b', tool: 'cas', input: { op: 'differentiate', expr: 'x^3', unknown: 1 } },
    { id: 'c', tool: 'no_such_tool', input: {} },
  ];
  await writeFile(file, cases.map((row) => `${JSON.stringify(row)}\n`).join(''));
  expect((await toolbox('cases', file, '--out', out)).code).toBe(0);
  const answers = (await readFile(out, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(answers).toEqual([
    { id: 'a', output: expect.objectContaining({ text: '3x^2' }) },
    {
      id: 'b',
      error: expect.objectContaining({ code: expect.any(String), field: expect.stringContaining('unknown') }),
    },
    { id: 'c', error: expect.objectContaining({ code: 'tool_unavailable' }) },
  ]);
  const one = await toolbox('run', 'cas', '--example');
  expect([one.code, JSON.parse(one.out)]).toEqual([0, expect.any(Object)]);
  const listed = await toolbox('list', 'cas');
  expect([listed.code, listed.out]).toEqual([0, expect.stringContaining('expr')]);
});
