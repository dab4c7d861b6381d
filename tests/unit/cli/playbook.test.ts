import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import JSZip from 'jszip';
import { openTaker } from '#lanes/playbooks/cli/open-taker.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { CliFrame } from '#cli/lane-cli.ts';
import { INTERRUPTED } from '#cli/lane-cli.ts';
import { cli as library } from '#lanes/library/cli/lane-cli.ts';
import { cli } from '#lanes/playbooks/cli/lane-cli.ts';
import { ScriptedModel, type Script } from '../../fixtures/scripted-model.ts';

let heard = '';
beforeEach(() => {
  heard = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    heard += String(text);
    return true;
  });
});
afterEach(() => {
  process.exitCode = undefined;
  vi.restoreAllMocks();
});

interface Call {
  model?: ScriptedModel;
  onStop?: (stop: () => void) => void;
}

/** What was said, and the exit code; asked for: providers and models that were opened. */
async function accession(args: string[], { model, onStop = () => undefined }: Call = {}) {
  process.exitCode = undefined;
  const said: string[] = [];
  const opened: string[] = [];
  const program = new Command().exitOverride().configureOutput({ writeErr: (text) => void (heard += text) });
  const unused = () => Promise.reject(new Error('not asked for'));
  const frame: CliFrame = {
    stepTools: async (place) => (await library.stepTools?.(place)) ?? [],
    ...{ loadFolders: unused, withPlans: unused, withLibrary: unused, withGuides: unused, onStop },
    say: (line) => void said.push(line),
    openModel: ({ provider, model: name }) => {
      opened.push(`${provider}/${name ?? ''}`);
      return model ? Promise.resolve({ provider: model, close: () => Promise.resolve() }) : unused();
    },
  };
  for (const { register } of cli.commands) register(program, frame);
  let code: number;
  try {
    await program.parseAsync(['node', 'accession', ...args]);
    code = Number(process.exitCode ?? 0);
  } catch (error) {
    if (!(error instanceof Error) || !('exitCode' in error)) throw error;
    code = error.exitCode === 0 ? 0 : 2;
  }
  return { said: said.join('\n'), code, opened };
}

const BOOK = `playbook: 1
name: two steps
steps:
  - name: list
    model: small
    answer_division: array
    instruction_user_prompt: 'list {config:topic|birds}'
    output: out/list.json
  - name: tell
    model: small
    input: out/list.json
    multiple_parts: true
    instruction_user_prompt: 'tell of {this}'
    output: out/told.jsonl
    output_format: { of: '{this}', said: '{output}' }
`;

const answering: Script = ({ messages }) => {
  const asked = messages.at(-1)?.content ?? '';
  return { say: asked.startsWith('list') ? '["wren","owl","rook"]' : asked.replace('tell of', 'told of') };
};
const TOLD = ['wren', 'owl', 'rook'].map((of) => `{"of":"${of}","said":"told of ${of}"}\n`).join('');

async function place(book = BOOK) {
  const dir = await mkdtemp(join(tmpdir(), 'playbook-'));
  const root = join(dir, 'root');
  await mkdir(root);
  const file = join(dir, 'book.yaml');
  await writeFile(file, book);
  const where = ['--root', root, '--data', join(dir, 'data')];
  const idOf = (said: string): string => /run (\S+)/.exec(said)?.[1] ?? '';
  return { dir, root, file, where, data: ['--data', join(dir, 'data')], idOf };
}
const MAP = ['--model-map', 'small=ollama/qwen3:8b'];

test('PLAYBOOK-30 a run writes its files, says how it goes on standard error and ends with 0', async () => {
  const { root, file, where, dir } = await place();
  const json = join(dir, 'end.json');
  const { said, code } = await accession(['playbook', 'run', file, ...where, ...MAP, '--json', json], {
    model: new ScriptedModel(answering),
  });
  expect([code, said]).toEqual([0, expect.stringMatching(/^completed: run 20\S+_book_\w{4}$/)]);
  expect(heard).toContain('step "tell", unit 2: answered (3 of 3)');
  expect(await readFile(join(root, 'out/told.jsonl'), 'utf8')).toBe(TOLD);
  expect(JSON.parse(await readFile(json, 'utf8'))).toMatchObject({
    state: 'completed',
    metrics: { model_calls: 4, units: 4 },
  });
});

test('PLAYBOOK-32 what a model is mapped to: by name, by accession.toml, by one provider for all; unmapped is refused', async () => {
  const { file, where, dir } = await place();
  const call = (more: string[]) =>
    accession(['playbook', 'run', file, ...where, '--overwrite', ...more], { model: new ScriptedModel(answering) });
  const refused = await call([]);
  expect([refused.code, refused.said]).toEqual([1, 'refused']);
  for (const way of ['--model-map NAME=PROVIDER/MODEL', '[playbooks.models]']) expect(heard).toContain(way);
  expect((await call(MAP)).opened).toEqual(['ollama/qwen3:8b']);
  expect((await call(['--provider', 'openai'])).opened).toEqual(['openai/small']);
  expect((await call(['--replay', 'tape.json'])).opened).toEqual(['recorded/']);
  await writeFile(join(dir, 'data', 'accession.toml'), '[playbooks.models]\n"*" = "openai/gpt-5"\n');
  expect((await call([])).opened).toEqual(['openai/gpt-5']);
  expect((await call(MAP)).opened).toEqual(['ollama/qwen3:8b']);
});

test('PLAYBOOK-14 a model that dies in the middle fails the run; resumed, it asks only for what is missing', async () => {
  const { root, file, where, idOf, data } = await place();
  const dying = new ScriptedModel((request, count) =>
    count >= 2 ? { fail: 'model_unauthorized' } : answering(request, count),
  );
  const failed = await accession(['playbook', 'run', file, ...where, ...MAP], { model: dying });
  expect(failed.code).toBe(1);
  expect(await readFile(join(root, 'out/told.jsonl'), 'utf8')).toBe(TOLD.split('\n')[0] + '\n');
  const well = new ScriptedModel(answering);
  const resumed = await accession(['playbook', 'resume', idOf(failed.said), ...data, ...MAP], { model: well });
  expect([resumed.code, well.requests.length]).toEqual([0, 2]);
  expect(await readFile(join(root, 'out/told.jsonl'), 'utf8')).toBe(TOLD);
  const again = accession(['playbook', 'resume', idOf(failed.said), ...data, ...MAP], { model: well });
  await expect(again).rejects.toThrow('nothing to resume');
});

test('PLAYBOOK-15 a limit stops the run before the call, and with a higher one it goes on', async () => {
  const { root, file, where, idOf, data } = await place();
  const model = new ScriptedModel(answering);
  const stopped = await accession(['playbook', 'run', file, ...where, ...MAP, '--limit', 'model_calls=2'], { model });
  expect([stopped.code, stopped.said, model.requests.length]).toEqual([1, expect.stringContaining('stopped'), 2]);
  expect(heard).toContain('go on with: accession playbook resume');
  const id = idOf(stopped.said);
  expect((await accession(['playbook', 'resume', id, ...data, ...MAP], { model })).said).toContain('stopped');
  const done = await accession(['playbook', 'resume', id, ...data, ...MAP, '--limit', 'model_calls=9'], { model });
  expect([done.code, model.requests.length]).toEqual([0, 4]);
  expect(await readFile(join(root, 'out/told.jsonl'), 'utf8')).toBe(TOLD);
});

test('PLAYBOOK-30 Ctrl-C cancels with 130: what is done stays, and the run goes on later', async () => {
  const { root, file, where, idOf, data } = await place();
  let stop = (): void => undefined;
  const model = new ScriptedModel((request, count) => {
    if (count === 2) stop();
    return answering(request, count);
  });
  const call: Call = { model, onStop: (wish) => (stop = wish) };
  const cancelled = await accession(['playbook', 'run', file, ...where, ...MAP], call);
  expect([cancelled.code, cancelled.said]).toEqual([INTERRUPTED, expect.stringContaining('cancelled')]);
  const done = await accession(['playbook', 'resume', idOf(cancelled.said), ...data, ...MAP], { model });
  expect(done.code).toBe(0);
  expect(await readFile(join(root, 'out/told.jsonl'), 'utf8')).toBe(TOLD);
});

test('PLAYBOOK-16 another playbook, config or input is refused with what differs; --reuse asks only for what changed', async () => {
  const { root, dir, file, where, idOf, data } = await place();
  const config = join(dir, 'config.yaml');
  await writeFile(config, 'topic: owls\n');
  const model = new ScriptedModel((request, count) =>
    count === 3 ? { fail: 'model_missing' } : answering(request, count),
  );
  const failed = await accession(['playbook', 'run', file, '--config', config, ...where, ...MAP], { model });
  const id = idOf(failed.said);
  const resume = () => accession(['playbook', 'resume', id, ...data, ...MAP], { model });

  await writeFile(config, 'topic: larks\n');
  expect((await resume()).code).toBe(1);
  expect(heard).toContain('The config\'s "topic" is another than when the run began.');
  await writeFile(config, 'topic: owls\n');
  await writeFile(file, BOOK.replace('tell of', 'speak of'));
  expect((await resume()).said).toBe('refused');
  expect(heard).toContain('line 13 differs');
  await writeFile(file, BOOK);
  await writeFile(join(root, 'out/list.json'), '["wren"]\n');
  expect((await resume()).code).toBe(1);
  expect(heard).toContain('The input "out/list.json" is another than when the run began.');

  const before = model.requests.length;
  const reused = await accession(['playbook', 'run', file, '--config', config, ...where, ...MAP, '--reuse', id], {
    model,
  });
  expect([reused.code, model.requests.length - before]).toEqual([0, 1]);
  expect(await readFile(join(root, 'out/told.jsonl'), 'utf8')).toBe(TOLD);
});

test('PLAYBOOK-88 of a run that is taken over a step, or it and all after it, is asked anew; cut off, the run goes on taking over; a name of no step is refused', async () => {
  const { root, file, where, idOf, data } = await place();
  const model = new ScriptedModel(answering);
  const run = (...more: string[]) => accession(['playbook', 'run', file, ...where, ...MAP, ...more], { model });
  const asked = async (work: () => Promise<{ code: number }>): Promise<[number, ...(string | undefined)[]]> => {
    const before = model.requests.length;
    const { code } = await work();
    return [code, ...model.requests.slice(before).map(({ messages }) => messages.at(-1)?.content)];
  };
  const told = ['tell of wren', 'tell of owl', 'tell of rook'];
  const id = idOf((await run()).said);
  expect(await asked(() => run('--reuse', id))).toEqual([0]);
  expect(await asked(() => run('--reuse', id, '--again', 'list'))).toEqual([0, 'list birds']);
  expect(await asked(() => run('--reuse', id, '--from', 'tell'))).toEqual([0, ...told]);
  expect(await asked(() => run('--reuse', id, '--from', 'list'))).toEqual([0, 'list birds', ...told]);
  // Cut off by its limit before the second bird: what is left is still taken over from the other.
  await writeFile(file, BOOK.replace('topic|birds', 'topic|all birds'));
  const cut = await run('--reuse', id, '--limit', 'model_calls=0');
  expect(cut.code).toBe(1);
  const resume = () =>
    accession(['playbook', 'resume', idOf(cut.said), ...data, ...MAP, '--limit', 'model_calls=9'], { model });
  expect(await asked(resume)).toEqual([0, 'list all birds']);
  expect(await readFile(join(root, 'out/told.jsonl'), 'utf8')).toBe(TOLD);

  const wrong = await run('--reuse', id, '--from', 'tel');
  expect([wrong.code, wrong.said]).toEqual([1, 'refused']);
  expect(heard).toContain('There is no step "tel" to ask anew. Did you mean "tell"? Name a step of the playbook.');
  expect((await run('--from', 'tell')).code).toBe(2);
  expect(heard).toContain('add --reuse RUN');
});

test("PLAYBOOK-89 what the app keeps below the root is none of a playbook's: neither `.accession` nor the journals of the terminal", async () => {
  const { root, file } = await place();
  const data = join(root, 'data');
  const where = ['--root', root, '--data', data];
  const model = new ScriptedModel(answering);
  const first = await accession(['playbook', 'run', file, ...where, ...MAP], { model });
  expect(first.code).toBe(0);
  const [run = ''] = await readdir(join(data, 'playbooks'));
  await mkdir(join(root, '.accession', 'playbooks'), { recursive: true });
  await writeFile(join(root, '.accession', 'playbooks', 'kept.md'), 'kept');
  await symlink(join(root, '.accession', 'playbooks'), join(root, 'away'));
  await mkdir(join(root, 'mine'));
  await writeFile(join(root, 'mine', 'a.jsonl'), '"mine"\n');
  const trying = async (input: string, output: string) => {
    const text = `playbook: 1\nsteps:\n  - name: tell\n    model: small\n    input: '${input}'\n    instruction_user_prompt: 'tell of {this}'\n    output: '${output}'\n`;
    await writeFile(file, text);
    heard = '';
    return accession(['playbook', 'run', file, ...where, ...MAP], { model });
  };
  const before = model.requests.length;
  for (const [input, output] of [
    ['.accession/playbooks/kept.md', 'o.md'],
    ['away/kept.md', 'o.md'],
    [`data/playbooks/${run}/journal.jsonl`, 'o.md'],
    ['mine/a.jsonl', '.accession/playbooks/o.md'],
    ['mine/a.jsonl', '.Accession/o.md'],
    ['mine/a.jsonl', 'away/o.md'],
    ['mine/a.jsonl', `data/playbooks/${run}/o.md`],
  ] as const) {
    expect((await trying(input, output)).said, `${input} ${output}`).toBe('refused');
    expect(heard).toMatch(/is where (?:the app keeps what is its own|the journals of runs are)\./);
  }
  expect(model.requests).toHaveLength(before);
  // A pattern finds what is the person's, and nothing else.
  await rm(join(root, 'out'), { recursive: true });
  expect((await trying('**/*.jsonl', 'o.md')).code).toBe(0);
  expect(await readFile(join(root, 'o.md'), 'utf8')).toBe('told of mine\n');
  expect(await readdir(join(root, '.accession', 'playbooks'))).toEqual(['kept.md']);
});

test('PLAYBOOK-31 two "-", a bad --set or --limit are wrong usage, with the sentence', async () => {
  const { file, where } = await place();
  expect((await accession(['playbook', 'run', '-', '--config', '-', ...where])).code).toBe(2);
  expect(heard).toContain('Only one of the playbook and --config can be "-".');
  expect((await accession(['playbook', 'run', file, ...where, '--set', 'x'])).code).toBe(2);
  expect((await accession(['playbook', 'run', file, ...where, '--limit', 'calls=2'])).code).toBe(2);
  expect((await accession(['playbook', 'run', file, ...where, '--parallel', '9'])).code).toBe(2);
  expect((await accession(['playbook', 'run', file, ...where, ...MAP, '--record', 'a', '--replay', 'b'])).code).toBe(2);
});

test('PLAYBOOK-31 a config names its playbook, beside itself; --set goes before it', async () => {
  const { dir, where } = await place();
  await writeFile(join(dir, 'job.yaml'), 'playbook: book.yaml\ntopic: owls\n');
  const model = new ScriptedModel(answering);
  await accession(['playbook', 'run', join(dir, 'job.yaml'), ...where, ...MAP], { model });
  await accession(['playbook', 'run', join(dir, 'job.yaml'), ...where, ...MAP, '--overwrite', '--set', 'topic=larks'], {
    model,
  });
  const lists = model.requests
    .map(({ messages }) => messages.at(-1)?.content)
    .filter((text) => text?.startsWith('list'));
  expect(lists).toEqual(['list owls', 'list larks']);
});

test('PLAYBOOK-1 check says every fault with its place, or what a run will take', async () => {
  const { dir, file, where } = await place();
  const right = await accession(['playbook', 'check', file, ...where, ...MAP]);
  expect([right.code, right.said]).toEqual([
    0,
    expect.stringMatching(/^right: 1 units, 1 calls .*not known yet: the units of "tell"$/),
  ]);
  await writeFile(
    join(dir, 'bad.yaml'),
    BOOK.replace('model: small', 'modell: small').replace('multiple_parts', 'multiple_part'),
  );
  const bad = await accession(['playbook', 'check', join(dir, 'bad.yaml'), ...where, ...MAP]);
  expect(bad.code).toBe(1);
  expect(bad.said.split('\n')).toEqual([
    expect.stringContaining('line 5, column 5, step "list": There is no key "modell" here. Did you mean "model"?'),
    expect.stringContaining(
      'line 12, column 5, step "tell": There is no key "multiple_part" here. Did you mean "multiple_parts"?',
    ),
  ]);
});

test('PLAYBOOK-33 runs are listed, shown, compared unit by unit, and exported with their files', async () => {
  const { dir, file, where, idOf, data } = await place();
  const model = new ScriptedModel(answering);
  const one = idOf((await accession(['playbook', 'run', file, ...where, ...MAP], { model })).said);
  const louder: Script = (request, count) => {
    const said = answering(request, count);
    return 'say' in said && said.say === 'told of owl' ? { say: 'TOLD OF OWL' } : said;
  };
  const again = ['playbook', 'run', file, ...where, ...MAP, '--overwrite'];
  const other = idOf((await accession(again, { model: new ScriptedModel(louder) })).said);
  const { said } = await accession(['playbook', 'list', ...data]);
  expect(said).toContain(`${one}  completed  4 units, 4 calls  two steps`);
  expect((await accession(['playbook', 'show', one, ...data])).said).toContain(
    'tell: 3 of 3 done, 0 failed, 3 calls\n    out/told.jsonl',
  );
  const diff = (await accession(['playbook', 'diff', one, other, ...data])).said;
  expect(diff).toContain('step "tell", unit 1: changed (answer)\n3 of 4 units are the same');
  const zip = join(dir, 'run.zip');
  const json = join(dir, 'diff.json');
  await accession(['playbook', 'diff', one, other, ...data, '--json', json]);
  expect(JSON.parse(await readFile(json, 'utf8'))).toMatchObject({
    units: expect.arrayContaining([{ step: 'list', unit: 0, what: expect.any(String), differs: expect.any(Array) }]),
    ...{ here: { model_calls: expect.any(Number) }, there: { tokens: expect.any(Number) } },
  });
  await accession(['playbook', 'export', other, '--out', zip, ...data]);
  const files = await JSZip.loadAsync(await readFile(zip));
  expect(await files.file('files/out/told.jsonl')?.async('string')).toContain('TOLD OF OWL');
  expect(await files.file('playbook.yaml')?.async('string')).toBe(BOOK);
});

const BASKETS = `playbook: 1
steps:
  - name: rules
    tool: mine_rules
    input: baskets.json
    with: { baskets: '{this}', min_support: 0.5, min_confidence: '{config:sure|0.6}' }
    output: rules.json
  - name: tell
    model: small
    input: rules.json
    instruction_user_prompt: 'tell of {this[0]::rules[0]::confidence}'
    output: told.md
`;

test('PLAYBOOK-40 a step is a tool of the toolbox: its input is expanded with its types, it is called once and its result is a record that later steps read', async () => {
  const { root, file, where, data, idOf } = await place(BASKETS);
  await writeFile(join(root, 'baskets.json'), '[["bread","milk"],["bread","beer"],["bread","milk","beer"]]');
  const model = new ScriptedModel([{ fail: 'model_missing' }, { say: 'told' }]);
  const first = await accession(['playbook', 'run', file, ...where, ...MAP], { model });
  expect(first.code).toBe(1);
  const [record] = JSON.parse(await readFile(join(root, 'rules.json'), 'utf8')) as { baskets: number }[];
  expect(record?.baskets).toBe(3);
  const run = idOf(first.said);
  expect((await accession(['playbook', 'resume', run, ...data, ...MAP], { model })).code).toBe(0);
  const out = join(root, '..', 'show.json');
  await accession(['playbook', 'show', run, ...data, '--json', out]);
  expect(JSON.parse(await readFile(out, 'utf8'))).toMatchObject({ tool_calls: 1, model_calls: 2 });
  expect(model.requests.at(-1)?.messages.at(-1)?.content).toMatch(/^tell of [\d.]+$/);
});

test('PLAYBOOK-40 a tool that there is not is refused before anything is asked, and what a tool refuses is the failure of its unit', async () => {
  const model = new ScriptedModel(answering);
  for (const [name, more] of [
    ['command', ''],
    ['mine_rule', 'Did you mean "mine_rules"?'],
  ] as const) {
    const { file, where } = await place(BASKETS.replace('mine_rules', name));
    const { said, code } = await accession(['playbook', 'check', file, ...where, ...MAP], { model });
    expect([code, said]).toEqual([
      1,
      expect.stringContaining(`There is no tool "${name}" for playbooks. ${more}`.trim()),
    ]);
  }
  const { root, file, where } = await place(BASKETS);
  await writeFile(join(root, 'baskets.json'), '[["bread"]]');
  const { code } = await accession(['playbook', 'run', file, ...where, ...MAP, '--set', 'sure=7'], { model });
  expect(code).toBe(1);
  expect(heard).toContain('(tool_failed)');
  expect(model.requests).toHaveLength(0);
});

const LOOKING = `playbook: 1
steps:
  - name: tell
    model: small
    max_requery_iterations: 2
    agent: { enabled: true, tools: [mine_rules] }
    instruction_user_prompt: what goes with bread?
    output: told.md
`;

test('PLAYBOOK-43, PLAYBOOK-44 a model calls the tools that its step names, as often as it may; without room for the call the run is stopped before the question', async () => {
  const { root, file, where, data, idOf } = await place(LOOKING);
  const input = {
    baskets: [
      ['bread', 'milk'],
      ['bread', 'milk'],
    ],
    min_support: 0.5,
    min_confidence: 0.6,
  };
  const said = [
    { say: JSON.stringify({ call: 'mine_rules', input }) },
    { say: 'Milk, in [[r1.baskets]] of [[r1.baskets|2]].' },
  ];
  const model = new ScriptedModel(said);
  const stopped = await accession(['playbook', 'run', file, ...where, ...MAP, '--limit', 'tool_calls=0'], { model });
  expect([stopped.code, model.requests.length]).toEqual([1, 0]);
  const run = idOf(stopped.said);
  const { code } = await accession(['playbook', 'resume', run, ...data, ...MAP, '--limit', 'tool_calls=2'], { model });
  expect([code, await readFile(join(root, 'told.md'), 'utf8')]).toEqual([0, 'Milk, in 2 of 2.\n']);
  expect(model.requests[1]?.messages.at(-1)?.content).toContain(String.raw`\"then\":[\"milk\"]`);
  const out = join(root, '..', 'show.json');
  await accession(['playbook', 'show', run, ...data, '--json', out]);
  expect(JSON.parse(await readFile(out, 'utf8'))).toMatchObject({ tool_calls: 1, model_calls: 2 });
});

test('PLAYBOOK-72, PLAYBOOK-73, PLAYBOOK-74, PLAYBOOK-92 numbers of answers are counted and listed with the input and version of their call; a run that takes units over has them, too, and diff names what changed', async () => {
  const { root, file, where, data, idOf, dir } = await place(LOOKING);
  const input = { baskets: [['bread', 'milk'], ['bread', 'milk'], ['tea']], min_support: 0.5, min_confidence: 0.6 };
  const saying = (words: string): { say: string }[] => [
    { say: JSON.stringify({ call: 'mine_rules', input }) },
    { say: words },
  ];
  const model = new ScriptedModel(saying('Milk, in [[r1.baskets]] baskets, and 41 times elsewhere.'));
  const first = await accession(['playbook', 'run', file, ...where, ...MAP], { model });
  const run = idOf(first.said);
  const metrics = JSON.parse(await readFile(join(dir, 'data', 'playbooks', run, 'metrics.json'), 'utf8')) as object;
  expect(metrics).toMatchObject({ numbers: 2, traced: 1, untraced: 1 });
  const out = join(dir, 'show.json');
  const shown = await accession(['playbook', 'show', run, ...data, '--json', out]);
  expect(shown.said).toContain('2 numbers in answers: 1 traced, 1 untraced');
  expect(shown.said).toContain('step "tell", unit 0: 41 is untraced');
  const listed = [
    {
      ...{ step: 0, unit: 0, text: '3', place: '', at: 9, input },
      source: { of: 'call', handle: 'r1', tool: 'mine_rules', version: expect.any(String), place: 'baskets' },
    },
    { step: 0, unit: 0, text: '41', place: '', at: 24, source: null },
  ];
  expect(JSON.parse(await readFile(out, 'utf8'))).toMatchObject({ numbers_of: listed });
  const zip = join(dir, 'run.zip');
  await accession(['playbook', 'export', run, ...data, '--out', zip]);
  const lines = await (await JSZip.loadAsync(await readFile(zip))).file('numbers.jsonl')?.async('string');
  expect(
    lines
      ?.trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual(listed);

  const again = await accession(['playbook', 'run', file, ...where, ...MAP, '--reuse', run], { model });
  expect(model.requests).toHaveLength(2);
  const kept = await readFile(join(dir, 'data', 'playbooks', idOf(again.said), 'metrics.json'), 'utf8');
  expect(JSON.parse(kept)).toMatchObject({ numbers: 2, traced: 1, untraced: 1 });

  const other = new ScriptedModel(saying('Milk, in [[r1.baskets]] baskets.'));
  const changed = await accession(['playbook', 'run', file, ...where, ...MAP, '--overwrite'], { model: other });
  const differs = await accession(['playbook', 'diff', run, idOf(changed.said), ...data]);
  expect(differs.said).toContain('step "tell", unit 0: changed (answer, numbers)');
  expect(await readFile(join(root, 'told.md'), 'utf8')).toBe('Milk, in 3 baskets.\n');
});

const ASKING = `playbook: 1
steps:
  - name: look
    tool: rag_retrieve
    with: { query: 'How much does the great bell weigh?', k: 1 }
    output: found.json
  - name: tell
    model: small
    agent: { enabled: true, iterations: 2, tools: [rag_retrieve], retriever: { profile: bm25, k: 1, rerank: true }, expand: 1 }
    instruction_user_prompt: what does the great bell weigh?
    output: told.md
`;

test('PLAYBOOK-75 a step asks the library of a folder by rag_retrieve, as its agent sets it; without a folder it is refused by name', async () => {
  const { root, dir, file, where, idOf, data } = await place(ASKING);
  const notes = join(dir, 'notes');
  await mkdir(notes);
  await writeFile(join(notes, 'bells.md'), '# Bells\n\nThe great bell weighs 1,840 kilograms.\n');
  await writeFile(
    join(notes, 'clocks.md'),
    '# Clocks\n\nThe clock of the tower has a great bell and was made in 1712.\n',
  );
  const call = (input: object): { say: string } => ({ say: JSON.stringify({ call: 'rag_retrieve', input }) });
  const model = new ScriptedModel([
    call({ query: 'great bell weight', also: ['kilograms of the bell', 'mass'] }),
    call({ query: 'great bell weight', also: ['kilograms of the bell'] }),
    { say: 'It weighs 1,840 kilograms.' },
  ]);
  const refused = await accession(['playbook', 'check', file, ...where, ...MAP]);
  expect([refused.code, refused.said]).toEqual([
    1,
    expect.stringMatching(/step "look": The tool "rag_retrieve" cannot be used here\. .*--library DIR/),
  ]);
  const done = await accession(['playbook', 'run', file, ...where, ...MAP, '--library', notes], { model });
  expect([done.code, await readFile(join(root, 'told.md'), 'utf8')]).toEqual([0, 'It weighs 1,840 kilograms.\n']);
  const [found] = JSON.parse(await readFile(join(root, 'found.json'), 'utf8')) as { docs: object[] }[];
  expect(found?.docs).toEqual([expect.objectContaining({ path: 'bells.md', title: expect.any(String) })]);
  // One wording more than the step allows: the call is refused, and the model is told why.
  expect(model.requests[1]?.messages.at(-1)?.content).toContain('failed: rag_retrieve: also: Invalid length');
  expect(model.requests[2]?.messages.at(-1)?.content).toContain('1,840 kilograms');
  const out = join(dir, 'show.json');
  await accession(['playbook', 'show', idOf(done.said), ...data, '--json', out]);
  expect(JSON.parse(await readFile(out, 'utf8'))).toMatchObject({
    ...{ traced: 1, untraced: 0 },
    numbers_of: [{ text: '1,840', source: { of: 'call', tool: 'rag_retrieve', place: 'docs.0.text' } }],
  });
});

test('PLAYBOOK-75 web_search is a tool of a step that names domains to which the command line agreed; an agent that says no number of calls is said', async () => {
  const book = (agent: string): string =>
    `playbook: 1\nsteps:\n  - model: small\n    agent: { enabled: true, tools: [web_search]${agent} }\n    instruction_user_prompt: look\n    output: told.md\n`;
  const check = async (agent: string, ...more: string[]) => {
    const { file, where } = await place(book(agent));
    return accession(['playbook', 'check', file, ...where, ...MAP, ...more]);
  };
  expect((await check(', iterations: 2')).said).toContain('names no domain');
  expect((await check(", iterations: 2, domains: ['*.example.org']")).said).toContain('to which nobody agreed');
  const right = await check(", domains: ['*.example.org']", '--domains', '*.example.org');
  expect([right.code, right.said]).toEqual([0, expect.stringContaining('its agent calls nothing: say how often')]);
  expect((await check(', retriever: { profile: magic }')).said).toContain('profile of vector, hybrid, bm25');
  expect((await check(', retriever: { rank: 1 }')).said).toContain('profile, k, rerank');
});

test('PLAYBOOK-79 the command line goes before what steps say of verbosity and their agent, for the run and each of its resumes', async () => {
  const { root, file, where, data, idOf } = await place(LOOKING.replace('    agent:', '    verbosity: 9\n    agent:'));
  const input = { baskets: [['bread', 'milk']], min_support: 0.5, min_confidence: 0.6 };
  const call = { say: JSON.stringify({ call: 'mine_rules', input }) };
  const model = new ScriptedModel([{ fail: 'model_missing' }, call, { say: 'Milk.' }]);
  const flags = ['--step', 'verbosity=2', '--step', 'max_requery_iterations=1'];
  const first = await accession(['playbook', 'run', file, ...where, ...MAP, ...flags], { model });
  await accession(['playbook', 'resume', idOf(first.said), ...data, ...MAP], { model });
  expect(await readFile(join(root, 'told.md'), 'utf8')).toBe('Milk.\n');
  for (const { messages } of model.requests.slice(0, 2)) {
    expect(messages[0]?.content).toContain('a verbosity of 2');
    expect(messages[0]?.content).toContain('you may call a tool, once');
  }
  expect(model.requests[2]?.messages[0]?.content).not.toContain('you may call a tool');
  const wrong = await accession(['playbook', 'check', file, ...where, ...MAP, '--step', 'model=x']);
  expect([wrong.code, heard]).toEqual([2, expect.stringContaining('--step takes verbosity')]);
});

test('PLAYBOOK-82 --parallel decides how many units are asked at a time, --seed the seeds of all calls, --price what they cost: in the estimate, the metrics, and for the limit in dollars', async () => {
  const run = async (...more: string[]) => {
    const { file, where, dir } = await place();
    const json = join(dir, 'end.json');
    const model = new ScriptedModel(answering);
    const { code } = await accession(['playbook', 'run', file, ...where, ...MAP, '--json', json, ...more], { model });
    const end = JSON.parse(await readFile(json, 'utf8')) as { error: { key: string }; metrics: { cost_usd: number } };
    return { code, end, seeds: model.requests.map(({ options }) => options.seed) };
  };
  const [usual, seven, again] = [await run(), await run('--seed', '7'), await run('--seed', '7')];
  expect(new Set([...usual.seeds, ...seven.seeds, undefined]).size).toBe(9);
  expect(again.seeds).toEqual(seven.seeds);
  expect(usual.end.metrics.cost_usd).toBe(0);

  // As many at a time as the command line says, whatever the step says: none of the three is answered before all are asked.
  const all = Promise.withResolvers<null>();
  const together = new ScriptedModel(answering);
  const complete = together.complete.bind(together);
  let asked = 0;
  together.complete = async (messages, ...request) => {
    if (messages.at(-1)?.content.startsWith('tell') === true) {
      if (++asked === 3) all.resolve(null);
      await all.promise;
    }
    return complete(messages, ...request);
  };
  const wide = await place();
  const args = ['playbook', 'run', wide.file, ...wide.where, ...MAP, '--parallel', '3'];
  expect((await accession(args, { model: together })).code).toBe(0);

  // Of each of the four calls: 200 tokens in, 20 out.
  const priced = await run('--price', '1000,5000');
  expect(priced.end.metrics.cost_usd).toBeCloseTo(4 * (0.2 + 0.1), 9);
  // What is spent, and what the prompt of the next one costs alone.
  for (const [limit, calls] of [
    [0.6, 2],
    [0.601, 2],
    [0.7, 3],
  ]) {
    const limited = await run('--price', '1000,5000', '--limit', `cost_usd=${limit}`);
    expect([limited.code, limited.end.error.key, limited.seeds.length]).toEqual([1, 'cost_usd', calls]);
  }
  const { file, where } = await place();
  const check = await accession(['playbook', 'check', file, ...where, ...MAP, '--price', '1000,0']);
  expect(check.said).toMatch(/about (\d+) tokens of prompts, \$0\.\d+ for them/);
  for (const wrong of [
    ['--price', '1'],
    ['--price', 'a,b'],
    ['--seed', 'x'],
    ['--seed', '-1'],
  ]) {
    const said = await accession(['playbook', 'run', file, ...where, ...MAP, ...wrong]);
    expect([said.code, heard.includes(wrong[0] ?? '')], wrong.join(' ')).toEqual([2, true]);
  }
});

test('PLAYBOOK-71 without a model and a mapping every look takes nothing, and one line says so', async () => {
  const said: string[] = [];
  const http = { baseUrl: 'http://127.0.0.1:9', token: () => Promise.resolve('') };
  const taker = openTaker({
    ...{ http, clock: { now: () => 0 }, wait: () => Promise.resolve(), mapped: {}, model: () => Promise.resolve(null) },
    ...{ say: (line) => void said.push(line), openModel: () => Promise.reject(new Error('not asked')) },
    steps: { allow: [], tools: () => Promise.resolve([]) },
  });
  const { signal } = new AbortController();
  for (let look = 0; look < 3; look++) expect(await taker.take('a worker', signal)).toEqual({ ok: true, value: false });
  await taker.close();
  expect(said).toEqual([expect.stringMatching(/no model is set\..*\[agent\.llm\].*\[playbooks\.models\]/)]);
});
