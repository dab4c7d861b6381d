import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, expect, test, vi } from 'vitest';
import { openModel } from '#cli/open-model.ts';
import { cli } from '#lanes/library/cli/lane-cli.ts';
import { startModelServer, type ModelServerOptions } from '../../fixtures/model-server.ts';

/** Like no key that a pattern knows. */
const KEY = 'Rain2Falls3On4The5Mill';

afterEach(() => {
  vi.unstubAllEnvs();
  process.exitCode = undefined;
});

/** What was said, and all that lies in the data directory after one question. */
async function everything(
  reply: ModelServerOptions['reply'],
): Promise<{ said: string; kept: string; keys: unknown[] }> {
  vi.stubEnv('ACCESSION_MODEL_KEY', KEY);
  const dir = await mkdtemp(join(tmpdir(), 'ask-key-'));
  const [folder, data] = [join(dir, 'notes'), join(dir, 'data')];
  await mkdir(folder);
  await writeFile(join(folder, 'bells.md'), '# Bells\n\nThe great bell weighs 1,840 kilograms.\n');
  const model = await startModelServer({ key: KEY, models: ['parrot'], ...(reply ? { reply } : {}) });
  const lines: string[] = [];
  const program = new Command();
  const unused = () => Promise.reject(new Error('not asked for'));
  const frame = {
    loadFolders: unused,
    withPlans: unused,
    withLibrary: unused,
    withGuides: unused,
    stepTools: unused,
    onStop: () => undefined,
    say: (line: string) => void lines.push(line),
    openModel,
  };
  for (const { register } of cli.commands) register(program, frame);
  const flags = [
    '--provider',
    'openai',
    '--base-url',
    `${model.url}/v1`,
    '--model',
    'parrot',
    '--agent',
    'on',
    '--json',
  ];
  const args = ['ask', 'How much does the great bell weigh?', '--library', folder, '--data', data, ...flags];
  await program.parseAsync(['node', 'accession', ...args, '--writer', 'text']);
  await model.close();
  const names = await readdir(data, { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile()).map((one) => readFile(join(one.parentPath, one.name), 'latin1'));
  return {
    said: lines.join('\n'),
    kept: (await Promise.all(files)).join('\n'),
    keys: model.requests.map(({ headers }) => headers.authorization),
  };
}

const sentence = (text: string): string =>
  JSON.stringify({
    sentences: [{ text, quotes: [{ letter: 'A', quote: 'The great bell weighs 1,840 kilograms.' }] }],
    confidence: 0.9,
    why: `I was asked with Bearer ${KEY}.`,
  });

test.each<[string, ModelServerOptions['reply']]>([
  [
    'says it in its answer',
    () => ({ content: sentence(`The great bell, ${KEY} or ${btoa(KEY)}, weighs 1,840 kilograms.`) }),
  ],
  ['says it in an error', () => ({ status: 400, error: `cannot go on for ${KEY} (Bearer ${KEY})` })],
])('ASK-83 the key of a model that %s is in no transcript, journal, metrics or answer', async (_, reply) => {
  const { said, kept, keys } = await everything(reply);
  expect(new Set(keys)).toEqual(new Set([`Bearer ${KEY}`]));
  expect(said).toContain('1,840 kilograms');
  expect(kept).toContain('finalize');
  for (const form of [KEY, btoa(KEY)]) {
    expect(said).not.toContain(form);
    expect(kept).not.toContain(form);
  }
});
