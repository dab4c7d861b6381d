/** docs/PLAYBOOKS.md: each of its examples comes to what stands there, and each word of the language has one. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { readTool } from '#core/agent/tools/make-tool.ts';
import { answerCase } from '#lanes/playbooks/cli/run-case.ts';
import { STEP_KEYS } from '#lanes/playbooks/core/read/playbook.ts';
import { beginRun } from '#lanes/playbooks/core/run/begin.ts';
import type { RunPorts } from '#lanes/playbooks/core/run/ports.ts';
import { MemoryFiles } from '#lanes/playbooks/memory/memory-files.ts';
import { MemoryRuns } from '#lanes/playbooks/memory/memory-runs.ts';
import * as v from 'valibot';
import { ScriptedModel, type Script } from '../../fixtures/scripted-model.ts';

const DOCS = await readFile(join(import.meta.dirname, '../../../docs/PLAYBOOKS.md'), 'utf8');
const sectionOf = (title: string): string => DOCS.split(/^## /m).find((one) => one.startsWith(`${title}\n`)) ?? '';
/** Cells of the last table of a section, without its head. */
const rowsOf = (section: string): string[][] =>
  section
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim().replaceAll('\\|', '|')),
    );
const codesIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code ?? '');
const blocks = [...DOCS.matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, text]) => text ?? '');

const sha256 = (text: string): Promise<string> => Promise.resolve(createHash('sha256').update(text).digest('hex'));

const ANYTHING = v.strictObject(
  Object.fromEntries(
    ['a', 'b', 'what', 'title', 'query', 'k', 'code', 'data'].map((key) => [key, v.exactOptional(v.unknown())]),
  ),
);

/** Runs it with tools that answer nothing of their own; files, and prompts as they were asked. */
async function ran(
  playbook: string,
  files: Record<string, string>,
  script: Script,
  config: Record<string, string> = {},
) {
  const model = new ScriptedModel(script);
  const kept = new MemoryFiles(files, sha256);
  const tools = ['stat_t_test', 'wikipedia', 'rag_retrieve', 'web_search', 'r_run'].map((name) =>
    readTool<unknown, unknown, unknown>({
      ...{ name, description: name, input: ANYTHING, output: v.strictObject({ p_value: v.number() }) },
      execute: () => Promise.resolve({ ok: true, output: { p_value: 0.04 }, provenance: [] }),
    }),
  );
  const ports: RunPorts = {
    ...{ files: kept, sha256, tools, clock: { now: () => 0 }, wait: () => Promise.resolve() },
    models: { nameOf: () => 'ollama/m', open: () => Promise.resolve(model), price: { in: 0, out: 0 } },
  };
  const source = { playbook, config, set: {}, overwrite: false };
  const begun = await beginRun(source, new MemoryRuns(), ports, {
    ...{ id: 'docs', seed: 1, limits: {}, parallel: null, reuse: null },
  });
  return { begun, files: kept.all, prompts: model.requests.map(({ messages }) => messages.at(-1)?.content ?? '') };
}

test('PLAYBOOK-93 the first example of the documentation runs and writes what it says', async () => {
  const [first = ''] = blocks;
  const said: Script = ({ messages }) => {
    const asked = messages.at(-1)?.content ?? '';
    return { say: asked.startsWith('Name') ? '["barn owl","little owl","snowy owl"]' : `So: ${asked}` };
  };
  const { begun, files, prompts } = await ran(first, {}, said, { topic: 'owls' });
  expect(begun).toMatchObject({ state: 'begun', end: { state: 'completed' } });
  expect(prompts[0]).toBe('Name 3 owls as a JSON array of texts.');
  expect(prompts[3]).toBe('Tell of the snowy owl in 50 words.');
  expect(files['out/told.md']?.split('\n\n')).toHaveLength(3);
});

test('PLAYBOOK-93 every other example in YAML is one of the language and runs; every key of a step has one', async () => {
  const files = { 'd/x.json': '["a", "b"]', 'd/y.json': '["c"]' };
  const said: Script = ({ messages }) => {
    const asked = messages.at(-1)?.content ?? '';
    return { say: asked.includes('weigh') ? '{"grams": 12}' : asked.includes('means') ? '{"said":"so"}' : 'So it is.' };
  };
  for (const block of blocks.slice(1)) {
    const steps = block.startsWith('- ') ? `steps:\n${block}` : block;
    const { begun, files: made } = await ran(`playbook: 1\n${steps}`, files, said, {
      topic: 'x',
      title: 'y',
      a: '1',
      b: '2',
      values: '1, 2, 4',
    });
    expect(begun, JSON.stringify(begun)).toMatchObject({ state: 'begun', end: { state: 'completed' } });
    expect(Object.keys(made).length, block).toBeGreaterThan(Object.keys(files).length);
    if (block.includes('weigh')) expect(made['out/x.csv']).toBe('bird,grams\na,12\nb,12\n');
  }
  const shown = [...blocks, ...codesIn(sectionOf('Records')), ...codesIn(sectionOf('Division'))].join('\n');
  const missing = STEP_KEYS.filter((key) => !new RegExp(`\\b${key}\\b`).test(shown));
  // `step` names nothing but a comment of its own, and the other word for output_format is in the table of keys.
  expect(missing).toEqual(['step', 'output_file_format']);
});

test.each(rowsOf(sectionOf('Tokens')))('PLAYBOOK-93 the token %s with %s comes to %s', async (token, given, to) => {
  const [template = ''] = codesIn(token);
  const said = parse(codesIn(given).join('\n')) as Record<string, unknown>;
  const { this: unit, parent, i = 0, file = null, ...config } = said;
  const around = parent === undefined ? null : { this: parent, i: 0, file: null, parent: null };
  const row = {
    id: 'x',
    kind: 'expand',
    template,
    config,
    unit: unit === undefined ? null : { this: unit, i, file, parent: around },
  };
  expect(await answerCase(row)).toEqual({ id: 'x', value: JSON.parse(codesIn(to)[0] ?? '') as unknown });
});

const DIVISIONS: Record<string, { files?: Record<string, string>; input?: string; prompt?: string; asked: string[] }> =
  {
    none: { asked: ['[["a","b"],["c"]]'] },
    file: {
      prompt: '{this::path} {this::name} {this::ext} {this::content}',
      asked: ['d/x.json x json a, b', 'd/y.json y json c'],
    },
    'file + array': { prompt: '{this} {this::%i}', asked: ['a 0', 'b 1', 'c 2'] },
    'file > array': {
      prompt: '{this} {this::%i} {parent::path}',
      asked: ['a 0 d/x.json', 'b 1 d/x.json', 'c 0 d/y.json'],
    },
    'array(chapters.list)': { files: { 'd/x.json': '{"chapters":{"list":["a","b"]}}' }, asked: ['a', 'b'] },
    rows: { files: { 'd/x.csv': 'name,grams\nowl,500\n' }, input: 'd/x.csv', asked: ['{"name":"owl","grams":"500"}'] },
    lines: { files: { 'd/x.txt': 'a\n\nb\n' }, input: 'd/x.txt', asked: ['a', 'b'] },
    'tree(parts)': {
      files: { 'd/x.json': '[{"t":"A","parts":[{"t":"B"}]}]' },
      prompt: '{this::t} {parent::t|none}',
      asked: ['A none', 'B A'],
    },
  };
test('PLAYBOOK-93 each division of the documentation makes the units that stand there', async () => {
  const divisions = rowsOf(sectionOf('Division')).map(([cell = '']) => codesIn(cell)[0] ?? cell);
  expect(divisions).toEqual(Object.keys(DIVISIONS));
  for (const [division, { files, input = 'd/*.json', prompt = '{this}', asked }] of Object.entries(DIVISIONS)) {
    const cut = division === 'none' ? '' : `    multiple_parts: true\n    input_division: ${division}\n`;
    const book = `playbook: 1\nsteps:\n  - name: x\n    model: m\n    input: '${input}'\n${cut}    instruction_user_prompt: 'Of ${prompt}'\n    output: o.md\n`;
    const given = files ?? { 'd/x.json': '["a", "b"]', 'd/y.json': '["c"]' };
    const { prompts } = await ran(book, given, () => ({ say: 'x' }));
    expect(prompts, division).toEqual(asked.map((one) => `Of ${one}`));
  }
});

test('PLAYBOOK-93 each template of the documentation makes the records that stand there', async () => {
  const UNITS = JSON.stringify([
    { k: 'a', v: 1 },
    { k: 'b', v: 2 },
    { k: 'a', v: 3 },
  ]);
  const wanted = [
    ['x', 'x', 'x'],
    [
      { k: 'a', v: 1, said: 'x' },
      { k: 'b', v: 2, said: 'x' },
      { k: 'a', v: 3, said: 'x' },
    ],
    [
      { k: 'a', n: 1 },
      { k: 'b', n: 1 },
      { k: 'a', n: 1 },
    ],
    [
      {
        k: 'a',
        all: [
          { i: 0, o: 'x' },
          { i: 1, o: 'x' },
        ],
      },
      { k: 'b', all: [{ i: 0, o: 'x' }] },
    ],
  ];
  const rows = rowsOf(sectionOf('Records'));
  expect(rows).toHaveLength(wanted.length);
  for (const [at, [cell = '']] of rows.entries()) {
    const [template, group] = codesIn(cell);
    const format = template === undefined ? '' : `    output_format: ${template}\n`;
    const by = group === undefined ? '' : '    group_by: [k]\n';
    const book = `playbook: 1\nsteps:\n  - name: x\n    model: m\n    input: u.json\n    multiple_parts: true\n    instruction_user_prompt: 'Of {this::v}'\n    output: o.json\n${format}${by}`;
    const { files } = await ran(book, { 'u.json': UNITS }, () => ({ say: 'x' }));
    expect(JSON.parse(files['o.json'] ?? ''), cell).toEqual(wanted[at]);
  }
});
