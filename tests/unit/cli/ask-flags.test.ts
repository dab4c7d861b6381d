import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { cli } from '#lanes/library/cli/lane-cli.ts';

const asked: string[] = [];

async function accession(args: string[]): Promise<void> {
  const program = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  const unused = () => {
    asked.push('asked');
    return Promise.reject(new Error('asked for'));
  };
  const frame = {
    openModel: unused,
    loadFolders: unused,
    withPlans: unused,
    withLibrary: unused,
    withGuides: unused,
    stepTools: unused,
    onStop: () => undefined,
    say: () => undefined,
  };
  for (const { register } of cli.commands) register(program, frame);
  await program.parseAsync(['node', 'accession', ...args]);
}

async function place(): Promise<{ dir: string; data: string; where: string[] }> {
  const dir = await mkdtemp(join(tmpdir(), 'ask-flags-'));
  const [folder, data] = [join(dir, 'notes'), join(dir, 'data')];
  await mkdir(folder);
  await writeFile(join(folder, 'bells.md'), '# Bells\n\nThe great bell weighs 1,840 kilograms.\n');
  return { dir, data, where: ['--library', folder, '--data', data] };
}

const QUESTION = 'How much does the great bell weigh?';

const WRONG: readonly (readonly [flags: string[], why: RegExp])[] = [
  [['--agent', 'maybe'], /--agent is on or off/],
  [['--iterations', '0'], /iterations must be 1 to 20/],
  [['--iterations', '21'], /iterations must be 1 to 20/],
  [['--iterations', '2.5'], /whole number/],
  [['--iterations', 'many'], /say a number/],
  [['--iterations', ''], /say a number/],
  [['--expand', '-1'], /expand must be 0 to 8/],
  [['--expand', '9'], /expand must be 0 to 8/],
  [['--tools', 'rag_retrieve,shell'], /no tool "shell"/],
  [['--tools', 'web_search'], /no domain may be reached/],
  [['--tools', 'web_search', '--domains', '*'], /"\*" is no domain/],
  [['--tools', 'web_search', '--domains', 'https://a.org'], /is no domain/],
  [['--budget.tokens', '0'], /budget.tokens must be 1 to/],
  [['--budget.tokens', '1e9'], /say a number/],
  [['--budget.cost', '0', '--price', '1,2'], /budget.cost must be more than 0/],
  [['--budget.cost', '1'], /price/],
  [['--price', '1'], /price/],
  [['--price', 'a,b'], /price/],
  [['--confidence', '1.5'], /confidence must be 0 to 1/],
  [['--confidence', '-0.1'], /confidence must be 0 to 1/],
  [['--seed', '1.5'], /seed must be a whole number/],
  [['--seed', 'x'], /say a number/],
  [['--k', '0'], /k must be 1 to 100/],
  [['--k', '101'], /k must be 1 to 100/],
  [['--profile', 'fast'], /Allowed choices are vector, hybrid, bm25/],
  [['--writer', 'poet'], /Allowed choices are auto, quotes, choice, text/],
  [['--writer', 'text'], /needs a model/],
  [['--planner', 'me'], /Allowed choices are auto, code, model/],
  [['--planner', 'model'], /needs a model/],
  [['--model', 'qwen3:4b'], /--model needs --provider/],
  [['--base-url', 'http://127.0.0.1:1'], /--base-url needs --provider/],
  [['--config', 'none.yaml'], /There is no file "none.yaml"/],
  [['--tools-dir', 'none'], /There is no folder/],
  [['--resume', 'none.jsonl'], /There is no/],
  [['--replay', 'none.jsonl'], /There is no/],
  [['--library', 'none'], /none/],
  [['--bananas'], /unknown option/],
];

test.each(WRONG)('ASK-82 %j is refused before anything is read, asked or begun', async (flags, why) => {
  const { data, where } = await place();
  await expect(accession(['ask', QUESTION, ...where, ...flags])).rejects.toThrow(why);
  // Neither an index nor a transcript.
  await expect(readdir(data)).rejects.toThrow();
  expect(asked).toEqual([]);
});

test.each([
  ['agent: [1', /is not YAML/],
  ['agent: {iterations: 0}', /ask\.yaml: iterations must be 1 to 20/],
  ['agent: {retriever: {profile: fast}}', /profile must be vector, hybrid or bm25/],
  ['agent: {rounds: 3}', /rounds/],
  ['agent: {budgets: {cost: -1}}', /budget\.cost must be more than 0/],
  ['agents: {iterations: 2}', /agent/],
])('ASK-82 a configuration file of %j is refused with its name', async (text, why) => {
  const { dir, data, where } = await place();
  const config = join(dir, 'ask.yaml');
  await writeFile(config, text);
  await expect(accession(['ask', QUESTION, ...where, '--config', config])).rejects.toThrow(why);
  await expect(readdir(data)).rejects.toThrow();
});

test.each([
  ['--iterations', '2'],
  ['--provider', 'ollama'],
  ['--agent'],
  ['--profile', 'bm25'],
  ['--budget.tokens', '5'],
  ['--json'],
])('ASK-82 --questions beside %s, which it would not heed, is refused', async (...flags) => {
  const { dir, where } = await place();
  const files = ['--questions', join(dir, 'none.jsonl'), '--out', join(dir, 'out.jsonl')];
  await expect(accession(['ask', ...files, ...where, ...flags])).rejects.toThrow(/cannot be used with option/);
});

test('ASK-82 without a question or a folder it says what is missing', async () => {
  const { where } = await place();
  await expect(accession(['ask', ...where])).rejects.toThrow('Say the question.');
  await expect(accession(['ask', QUESTION])).rejects.toThrow('Say which folder is asked.');
});
