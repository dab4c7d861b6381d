import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { cli } from '#lanes/library/cli/lane-cli.ts';

async function accession(...args: string[]): Promise<string[]> {
  const said: string[] = [];
  const program = new Command();
  const unused = () => Promise.reject(new Error('not asked for'));
  const frame = {
    openModel: unused,
    loadFolders: unused,
    withPlans: unused,
    withLibrary: unused,
    withGuides: unused,
    stepTools: unused,
    onStop: () => undefined,
  };
  for (const { register } of cli.commands) register(program, { ...frame, say: (line) => void said.push(line) });
  await program.parseAsync(['node', 'accession', ...args]);
  return said;
}

const rowsIn = async (path: string): Promise<unknown[]> =>
  (await readFile(path, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

test('ASK-32 ask --questions answers each question, and ask-check says which sentences their quotes carry', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'ask-'));
  const [folder, data, rows, out] = ['notes', 'data', 'rows.jsonl', 'out.jsonl'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
    string,
  ];
  await mkdir(folder);
  await writeFile(join(folder, 'bells.md'), '# Bells\n\nThe great bell weighs 1,840 kilograms.\n');
  const places = ['--library', folder, '--out', out, '--data', data];

  await writeFile(
    rows,
    '{"id":"a","question":"How much does the great bell weigh?"}\n{"id":"b","question":"Who is the mayor?"}\n',
  );
  expect(await accession('ask', '--questions', rows, ...places)).toEqual([
    `1 answered, 0 partial, 1 abstained; the answers are in ${out}`,
  ]);
  expect(await rowsIn(out)).toMatchObject([
    { id: 'a', status: 'answered', citations: [{ label: '1', path: 'bells.md', startLine: 3 }] },
    { id: 'b', status: 'abstained', citations: [] },
  ]);

  const row = (id: string, sentence: string): string =>
    `${JSON.stringify({ id, sentence, quotes: [{ path: 'bells.md', quote: 'The great bell weighs 1,840 kilograms.' }] })}\n`;
  await writeFile(
    rows,
    row('true', 'The great bell weighs 1,840 kg.') + row('false', 'The great bell weighs 1,840 grams.'),
  );
  expect(await accession('ask-check', '--rows', rows, ...places)).toEqual([
    `1 of 2 sentences are carried by their quotes; the verdicts are in ${out}`,
  ]);
  expect(await rowsIn(out)).toMatchObject([
    { id: 'true', supported: true },
    { id: 'false', supported: false },
  ]);
});
