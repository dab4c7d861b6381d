/** Commands in a pipe whose other end has gone. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { programFile } from '../fixtures/program-file.ts';

test('OPS-63 a command whose output nobody reads goes on to its end', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'accession-no-reader-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const [file, out] = [join(folder, 'cases.jsonl'), join(folder, 'answers.jsonl')];
  const cases = Array.from({ length: 20 }, (_, at) => ({ id: `c${at}`, tool: 'no_such_tool', input: {} }));
  await writeFile(file, cases.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const command = [programFile('cli/main.ts'), 'toolbox', 'cases', file, '--out', out];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let said = '';
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  const [code] = (await once(child, 'close')) as [number];
  expect([code, said]).toEqual([0, '']);
  expect((await readFile(out, 'utf8')).trim().split('\n')).toHaveLength(cases.length);
});
