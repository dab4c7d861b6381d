/** The toolbox from a terminal, each command a process of its own with the real cage. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
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

test('TOOLBOX-48 a connector of a file answers from what was recorded, its domains hold, and what is wrong is said', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'accession-toolbox-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [own, tape] = [join(folder, 'rivers.yaml'), join(folder, 'tape.jsonl')];
  await writeFile(
    own,
    `name: rivers
about: Levels of rivers
base: https://rivers.example.org
licence: CC0
attribution: Rivers
endpoints:
  levels:
    about: of a station
    path: /levels/{station}
    input: { station: { type: text, required: true } }
    rows: $.levels[*]
    columns: { day: $.day, level: $.level }
`,
  );
  const [url, accept] = ['https://rivers.example.org/levels/bern%20west', 'application/json'];
  const body = Buffer.from('{"levels":[{"day":"2026-11-01","level":1.5}]}').toString('base64');
  const key = createHash('sha256').update(`${accept} ${url}`).digest('hex');
  const row = { key, url, type: accept, charset: 'utf-8', at: Date.UTC(2026, 10, 2), body };
  await writeFile(tape, `${JSON.stringify(row)}\n`);
  const asked = ['run', 'rivers', '--connector', own, '--input', '{"station":"bern west"}', '--replay', tape];
  const answered = await toolbox(...asked);
  expect([answered.code, JSON.parse(answered.out)]).toMatchObject([
    0,
    { output: { rows: [['2026-11-01', 1.5]], sources: [{ address: url, recorded: '2026-11-02', licence: 'CC0' }] } },
  ]);
  const refused = await toolbox(...asked, '--domains', '*.wikipedia.org');
  expect([refused.code, JSON.parse(refused.out)]).toMatchObject([1, { error: { code: 'tool_refused' } }]);
  const absent = await toolbox('run', 'wikipedia', '--example', '--replay', tape);
  expect([absent.code, JSON.parse(absent.out)]).toMatchObject([1, { error: { code: 'tool_unavailable' } }]);
  await writeFile(own, 'name: wikipedia\n');
  expect((await toolbox(...asked)).said).toMatch(/rivers\.yaml/);
  expect((await toolbox('list', '--connector', join(folder, 'none.yaml'))).said).toMatch(/There is no file/);
});
