/** Playbooks of a browser, as its pages reach them. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import Dexie from 'dexie';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import JSZip from 'jszip';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { AccessionDb } from '#adapters/browser/db.ts';
import { openNodeCage } from '#adapters/toolbox/node/node-cage.ts';
import { emptyCassette, recordInto } from '#adapters/llm/recorded.ts';
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import { NO_MODEL } from '#core/agent/llm/no-model.ts';
import { writeSettings } from '#adapters/browser/settings.ts';
import { DEFAULT_LIMITS, type AgentModel } from '#core/agent/workflow/ports.ts';
import { ok, type Result } from '#core/result.ts';
import type { Cage } from '#core/toolbox/cage.ts';
import { openDatabase } from '#lanes/database.ts';
import type { PlaybookApi } from '#lanes/playbooks/browser/playbook-api.types.ts';
import { SHIPPED } from '#lanes/playbooks/core/shipped/shipped.ts';
import { createPlaybookService } from '#lanes/playbooks/browser/playbook-service.ts';
import { browserStepTools } from '#lanes/library/browser/step-tools.ts';
import { NO_NET } from '../fixtures/toolbox/no-net.ts';
import { ScriptedModel, type Script } from '../fixtures/scripted-model.ts';

Dexie.dependencies.indexedDB = new IDBFactory();
Dexie.dependencies.IDBKeyRange = IDBKeyRange;

const TELL = `playbook: 1
config: { required: [topic], defaults: { words: 20 } }
steps:
  - name: tell
    model: small
    input: birds.json
    multiple_parts: true
    instruction_user_prompt: 'Tell of the {this} for {config:topic} in {config:words} words, {config:tone|kindly}.'
    output: told.json
    output_format: { bird: '{this}', said: '{output}' }
`;
const BIRDS = '["owl","wren","tern","gull"]';

let count = 0;
let db: AccessionDb;
const cages: Cage[] = [];
beforeEach(() => (db = openDatabase(`playbook-service-${++count}`)));
afterEach(async () => {
  for (const cage of cages.splice(0)) cage.close();
  await db.delete();
});

const agentModel = (model: string, provider: LlmProvider): AgentModel => ({
  ...{ provider: 'ollama', model, recorded: false, hosted: false, strategy: 'auto' as const },
  ...{ fingerprint: '', seed: null, open: () => Promise.resolve(ok(provider)) },
  options: { temperature: 0, timeoutMs: 1000, limits: DEFAULT_LIMITS, price: { in: 0, out: 0 } },
});

let webAt = 'http://127.0.0.1:9';
/** A library without a folder, and a server that cannot be asked where no test says another. */
const library = {
  files: () => Promise.reject(new Error('nothing is read')),
  server: () => Promise.resolve({ baseUrl: webAt, token: () => Promise.resolve('t') }),
  sha256: (text: string) => Promise.resolve(createHash('sha256').update(text).digest('hex')),
};

/** One tab; its locks end with it. `named`: models that settings map names to. */
function tab(provider: LlmProvider | null, named: Readonly<Record<string, LlmProvider>> = {}): PlaybookApi {
  const held = new Set<string>();
  let now = 0;
  return createPlaybookService({
    ...{ db, clock: { now: () => (now += 1) }, ids: { next: () => `id-${++count}` } },
    openCage() {
      const cage = openNodeCage();
      cages.push(cage);
      return cage;
    },
    timers: { set: () => null, clear: () => undefined },
    stepTools: (agreed, asked) => browserStepTools({ ...library, db }, agreed, asked),
    net: NO_NET,
    server: () => Promise.resolve({ baseUrl: 'http://server.example', token: () => Promise.resolve(null) }),
    sha256: (text) => Promise.resolve(createHash('sha256').update(text).digest('hex')),
    models: () =>
      Promise.resolve({
        close: () => Promise.resolve(),
        model: () => Promise.resolve(provider && agentModel('m', provider)),
        modelNamed: ({ model }) => Promise.resolve(agentModel(model, named[model] ?? NO_MODEL)),
      }),
    lock(name) {
      if (held.has(name)) return Promise.resolve(null);
      held.add(name);
      return Promise.resolve(() => void held.delete(name));
    },
  });
}

async function value<Value>(answer: Promise<Result<Value>>): Promise<Value> {
  const result = await answer;
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

async function bookIn(api: PlaybookApi): Promise<string> {
  const book = await value(api.add('Birds', TELL));
  await value(api.addFiles(book, [{ path: 'birds.json', file: new File([BIRDS], 'birds.json') }]));
  return book;
}
const wish = (book: string) => ({
  ...{ book, with: 'settings' as const, limits: {}, parallel: null, overwrite: false, reuse: null },
});
const saying: Script = ({ messages }) => ({ say: `so: ${messages.at(-1)?.content ?? ''}` });

test('PLAYBOOK-36 a check says every fault at its line, the keys of the form with what stands there without one, and what a run will take', async () => {
  const api = tab(new ScriptedModel(saying));
  const book = await bookIn(api);
  const before = await value(api.check(book, 'settings'));
  expect(before.faults).toMatchObject([{ code: 'config_missing', key: 'topic' }, { code: 'token_missing' }]);
  expect(before.keys).toEqual([
    { key: 'topic', required: true, nested: false, fallback: undefined },
    { key: 'words', required: false, nested: false, fallback: 20 },
    { key: 'tone', required: false, nested: false, fallback: 'kindly' },
  ]);
  await value(api.save(book, { values: { topic: 'children: all of them', words: '' } }));
  const after = await value(api.check(book, 'settings'));
  expect(after).toMatchObject({ faults: [], model: 'ollama/m', estimate: { units: 4, calls: 4 } });
  await value(api.save(book, { text: TELL.replace('multiple_parts', 'multiple_part') }));
  expect((await value(api.check(book, 'settings'))).faults).toMatchObject([
    { code: 'playbook_key', key: 'multiple_part', at: { line: 7 } },
  ]);
});

test('PLAYBOOK-94 what is typed, a folder that is picked and code that is agreed to at the same moment are all kept', async () => {
  const api = tab(null);
  const book = await bookIn(api);
  // The database of the tests keeps a plain object as a browser keeps a handle.
  const folder = { name: 'birds' } as FileSystemDirectoryHandle;
  const text = TELL.replace('kindly', 'coldly');
  await Promise.all([
    value(api.save(book, { text })),
    value(api.setFolder(book, folder)),
    value(api.agreeCode(book, 'a', true)),
    value(api.agreeCode(book, 'b', true)),
  ]);
  expect(await db.playbook_books.get(book)).toMatchObject({ text, folder: { name: 'birds' }, agreed_code: ['a', 'b'] });
  await value(api.setFolder(book, null));
  expect(await db.playbook_books.get(book)).not.toHaveProperty('folder');
});

test('PLAYBOOK-37, PLAYBOOK-85 a tab that is gone in the middle leaves a run that another goes on with, no answered unit asked twice', async () => {
  const asked: string[] = [];
  const script: Script = (request) => {
    asked.push(request.messages.at(-1)?.content ?? '');
    return asked.length === 3 ? { hang: true } : saying(request, 0);
  };
  const first = tab(new ScriptedModel(script));
  const book = await bookIn(first);
  await value(first.save(book, { values: { topic: 'us' } }));
  const begun = Promise.withResolvers<string>();
  void first.run(wish(book), begun.resolve);
  const run = await begun.promise;
  await expect.poll(() => asked.length).toBe(3);
  // The tab is gone: nothing of it goes on.
  const second = tab(new ScriptedModel(script));
  expect(await value(second.show(run))).toMatchObject({ state: null, steps: [{ units: 4, done: 2 }] });
  expect(await value(second.resume(run, {}))).toEqual({ state: 'ended', run });
  expect(asked.length).toBe(5);
  expect(new Set(asked).size).toBe(4);
  expect(await db.playbook_runs.get(run)).toMatchObject({ state: 'completed', model: 'ollama/m' });
  expect(JSON.parse(await value(second.file(`run:${run}`, 'told.json')))).toHaveLength(4);
  const view = await value(second.show(run));
  expect(view).toMatchObject({ state: 'completed', files: ['told.json'], steps: [{ done: 4, closed: true }] });
  expect((await value(second.unit(run, 0, 0))).prompt).toBe('Tell of the owl for us in 20 words, kindly.');
  expect((await value(second.unit(run, 0, 0))).lines.map(({ kind }) => kind)).toContain('model_ended');
  const zip = await JSZip.loadAsync(await (await value(second.exported(run))).arrayBuffer());
  expect(Object.keys(zip.files)).toEqual(
    expect.arrayContaining(['playbook.yaml', 'config.json', 'journal.jsonl', 'metrics.json', 'files/told.json']),
  );
  const given = db.playbook_files.where('[root+path+part]').equals([`run:${run}`, 'birds.json', 0]);
  await given.modify({ text: '["another"]' });
  expect((await value(second.unit(run, 0, 0))).prompt).toBeNull();
});

test('PLAYBOOK-35, PLAYBOOK-37, PLAYBOOK-97 a limit stops a run, in which nothing is under way then, and raised it is finished with the files that it was begun with; another run is told apart from it unit by unit', async () => {
  const model = new ScriptedModel(saying);
  const api = tab(model);
  const book = await bookIn(api);
  await value(api.save(book, { values: { topic: 'us' } }));
  const begun: string[] = [];
  await value(api.run({ ...wish(book), limits: { model_calls: 2 } }, (id) => void begun.push(id)));
  const [run = ''] = begun;
  expect(await db.playbook_runs.get(run)).toMatchObject({ state: 'stopped' });
  expect((await value(api.show(run))).steps).toMatchObject([{ cells: 'ddww' }]);
  await value(api.addFiles(book, [{ path: 'birds.json', file: new File(['["owl","rook"]'], 'birds.json') }]));
  await value(api.resume(run, { model_calls: 10 }));
  expect(await db.playbook_runs.get(run)).toMatchObject({ state: 'completed' });
  expect(model.requests).toHaveLength(4);
  await value(api.run(wish(book), (id) => void begun.push(id)));
  const diff = await value(api.diff(run, begun[1] ?? ''));
  expect(diff.units.map(({ what }) => what)).toEqual(['same', 'changed', 'only here', 'only here']);
  await value(api.removeRun(run));
  expect(await db.playbook_lines.where('[run+n]').between([run, 0], [run, Infinity]).count()).toBe(0);
  expect(await db.playbook_files.where('root').equals(`run:${run}`).count()).toBe(0);
});

test('PLAYBOOK-38 what is refused leaves no run, and without a model the shipped one runs with recorded answers that say so', async () => {
  const api = tab(null);
  const book = await bookIn(api);
  expect(await value(api.check(book, 'settings'))).toMatchObject({ model: null });
  expect(await value(api.run(wish(book), () => undefined))).toMatchObject({ state: 'refused' });
  expect(await db.playbook_runs.count()).toBe(0);
  expect(await db.playbook_lines.count()).toBe(0);

  const shipped = await value(api.addShipped('sort-notes'));
  const begun: string[] = [];
  await value(api.run({ ...wish(shipped), with: 'recorded' }, (id) => void begun.push(id)));
  const [run = ''] = begun;
  expect(await db.playbook_runs.get(run)).toMatchObject({ state: 'completed', model: 'recorded' });
  expect(await value(api.file(`run:${run}`, 'letter.md'))).toContain('The keeper');
  expect(JSON.parse(await value(api.file(`run:${run}`, 'sorted.json')))).toHaveLength(4);
  // Recorded answers are of the text that ships.
  await value(api.save(shipped, { text: TELL }));
  expect(await db.playbook_books.get(shipped)).toMatchObject({ shipped: null });
});

test('PLAYBOOK-70 a name has the model that the settings map it to, others the one of the settings, or none: then the run is refused with every way to map it', async () => {
  const own = new ScriptedModel(saying);
  const mapped = new ScriptedModel(({ messages }) => ({ say: `mapped: ${messages.at(-1)?.content ?? ''}` }));
  const api = tab(own, { 'qwen3:8b': mapped });
  const two = TELL + "  - name: sum\n    model: large\n    instruction_user_prompt: 'sum up'\n    output: sum.md\n";
  const book = await value(api.add('Birds', two));
  await value(api.addFiles(book, [{ path: 'birds.json', file: new File([BIRDS], 'birds.json') }]));
  await value(api.save(book, { values: { topic: 'us' } }));
  await writeSettings(db, { playbooks_models: { small: 'ollama/qwen3:8b' } });
  expect(await value(api.check(book, 'settings'))).toMatchObject({
    faults: [],
    model: 'ollama/qwen3:8b, ollama/m',
    answers: [
      { name: 'small', model: 'ollama/qwen3:8b' },
      { name: 'large', model: 'ollama/m' },
    ],
  });
  const begun: string[] = [];
  await value(api.run(wish(book), (id) => void begun.push(id)));
  expect([own.requests.length, mapped.requests.length]).toEqual([1, 4]);
  expect(await db.playbook_runs.get(begun[0] ?? '')).toMatchObject({
    state: 'completed',
    model: 'ollama/qwen3:8b, ollama/m',
  });

  await writeSettings(db, { playbooks_others: false });
  const refused = await value(api.run(wish(book), (id) => void begun.push(id)));
  expect(refused).toMatchObject({ state: 'refused', faults: [{ code: 'model_unmapped', key: 'large', step: 'sum' }] });
  const remedy = refused.state === 'refused' ? refused.faults[0]?.remedy : '';
  for (const way of ['Settings', '[playbooks.models]']) expect(remedy).toContain(way);
  expect(begun.length).toBe(1);
  await writeSettings(db, { playbooks_models: { '*': 'ollama/qwen3:8b' } });
  expect(await value(api.check(book, 'settings'))).toMatchObject({ faults: [], model: 'ollama/qwen3:8b' });
});

test('PLAYBOOK-70 a playbook of tools alone needs no model', async () => {
  const api = tab(null);
  const book = await value(
    api.add(
      'Half',
      "playbook: 1\nsteps:\n  - tool: cas\n    with: { op: evaluate, expr: '1/8' }\n    output: half.json\n",
    ),
  );
  expect(await value(api.check(book, 'settings'))).toMatchObject({ faults: [], answers: [], model: 'none' });
});

test('PLAYBOOK-39 every shipped playbook is right as it is taken', async () => {
  const api = tab(new ScriptedModel(saying));
  for (const id of ['sort-notes', 'four-stages']) {
    const check = await value(api.check(await value(api.addShipped(id)), 'settings'));
    expect(check, id).toMatchObject({ faults: [], notes: [] });
  }
});

const COUNT = `playbook: 1
steps:
  - name: half
    tool: cas
    with: { op: evaluate, expr: '1/{config:by}' }
    output: half.json
  - name: tell
    model: small
    input: half.json
    numbers: traced
    max_requery_iterations: 2
    agent: { enabled: true, tools: [cas] }
    instruction_user_prompt: 'What is the double?'
    output: told.md
`;

test('PLAYBOOK-50 in a browser a step is a tool, and the model of a step calls the tools that it names: the number that a call found stands in the answer', async () => {
  const script: Script = ({ messages }) => {
    const said = messages.map(({ content }) => content).join('\n');
    if (said.includes('What your calls found')) return { say: 'It is [[r1.value]].' };
    return { say: '{"call":"cas","input":{"op":"evaluate","expr":"2/7"}}' };
  };
  const api = tab(new ScriptedModel(script));
  const book = await value(api.add('Count', COUNT));
  await value(api.save(book, { values: { by: '7' } }));
  expect(await value(api.check(book, 'settings'))).toMatchObject({ faults: [] });
  const begun: string[] = [];
  await value(api.run(wish(book), (id) => void begun.push(id)));
  const view = await value(api.show(begun[0] ?? ''));
  expect(view).toMatchObject({ state: 'completed', error: null, metrics: { tool_calls: 2, model_calls: 2 } });
  expect(await value(api.file(`run:${begun[0] ?? ''}`, 'told.md'))).toBe('It is 0.286.\n');
});

test('PLAYBOOK-86 in a browser the tools of ask are known to a check: without a folder in the library and a server that searches each is refused by name, with what to do', async () => {
  const api = tab(new ScriptedModel(saying));
  const steps = ['rag_retrieve', 'web_search'].map(
    (tool) =>
      `  - name: ${tool}\n    tool: ${tool}\n    agent: { domains: [example.org] }\n    with: { query: owls }\n    output: ${tool}.json\n`,
  );
  const book = await value(api.add('Look', `playbook: 1\nsteps:\n${steps.join('')}`));
  expect((await value(api.check(book, 'settings'))).faults).toMatchObject([
    { code: 'tool_unknown', key: 'rag_retrieve', remedy: expect.stringContaining('Library') },
    { code: 'tool_unknown', key: 'web_search', remedy: expect.stringContaining('catalog server') },
  ]);
});

test('PLAYBOOK-86 web_search asks by the catalog server, at hosts that the step names and the person agreed to', async () => {
  const fetched: { url: string; lists: string[][] }[] = [];
  const found = { results: [{ title: 'Owls', url: 'https://birds.example.org/owls', content: 'They hoot.' }] };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const answer = (value: unknown): void => void response.end(JSON.stringify(value));
      response.setHeader('Content-Type', 'application/json');
      if (request.url === '/v1/tools/web')
        return answer({ allow: ['*.example.org'], engine: { kind: 'searxng', url: 'https://search.example.org/' } });
      fetched.push(JSON.parse(body) as (typeof fetched)[number]);
      return answer({ url: 'https://search.example.org/', type: 'application/json', text: JSON.stringify(found) });
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  webAt = `http://127.0.0.1:${port}`;
  onTestFinished(async () => {
    webAt = 'http://127.0.0.1:9';
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });
  const api = tab(null);
  const step =
    "  - tool: web_search\n    agent: { domains: ['*.example.org'] }\n    with: { query: owls }\n    output: found.json\n";
  const book = await value(api.add('Look', `playbook: 1\nsteps:\n${step}`));
  expect((await value(api.check(book, 'settings'))).faults).toMatchObject([{ code: 'domains_unagreed' }]);
  expect(fetched).toEqual([]);
  await value(api.agree(book, ['*.example.org']));
  let run = '';
  expect(await value(api.run(wish(book), (id) => void (run = id)))).toMatchObject({ state: 'ended' });
  expect(await value(api.file(`run:${run}`, 'found.json'))).toContain('They hoot.');
  // What it searched for, and the page that was found.
  const lists = [['*.example.org']];
  expect(fetched).toEqual([
    { url: 'https://search.example.org/?format=json&q=owls', lists },
    { url: 'https://birds.example.org/owls', lists },
  ]);
});

test('PLAYBOOK-51 a recording that is added to the files of a playbook answers in the place of a model; what is none is said with how to make one', async () => {
  const cassette = emptyCassette('m');
  const model = recordInto(new ScriptedModel(saying), cassette);
  const first = tab(model);
  const book = await bookIn(first);
  await value(first.save(book, { values: { topic: 'us' } }));
  const begun: string[] = [];
  await value(first.run(wish(book), (id) => void begun.push(id)));
  const second = tab(null);
  const add = (text: string): Promise<unknown> =>
    value(second.addFiles(book, [{ path: 'recording.json', file: new File([text], 'recording.json') }]));
  await add('{}');
  expect(await second.check(book, 'recording')).toMatchObject({ ok: false, failure: { code: 'invalid' } });
  await add(JSON.stringify(cassette));
  await value(second.run({ ...wish(book), with: 'recording' }, (id) => void begun.push(id)));
  const [one = '', other = ''] = begun;
  expect(await db.playbook_runs.get(other)).toMatchObject({ state: 'completed', model: 'recording' });
  const told = (run: string): Promise<string> => value(second.file(`run:${run}`, 'told.json'));
  expect(await told(other)).toBe(await told(one));
});

test('PLAYBOOK-53 in a browser a run takes over from another what is the same, and asks only for what changed', async () => {
  const model = new ScriptedModel(saying);
  const api = tab(model);
  const book = await bookIn(api);
  await value(api.save(book, { values: { topic: 'us' } }));
  const begun: string[] = [];
  await value(api.run(wish(book), (id) => void begun.push(id)));
  const asked = model.requests.length;
  await value(api.addFiles(book, [{ path: 'birds.json', file: new File(['["owl","wren","rook"]'], 'birds.json') }]));
  await value(api.run({ ...wish(book), reuse: begun[0] ?? null }, (id) => void begun.push(id)));
  expect(model.requests.slice(asked).map(({ messages }) => messages.at(-1)?.content)).toEqual([
    'Tell of the rook for us in 20 words, kindly.',
  ]);
  expect(await db.playbook_runs.get(begun[1] ?? '')).toMatchObject({ state: 'completed' });
  expect(JSON.parse(await value(api.file(`run:${begun[1] ?? ''}`, 'told.json')))).toHaveLength(3);
});

test('PLAYBOOK-62, PLAYBOOK-63 a pause lets the call under way end and is gone on from; of a run that is looked at again, what came since is added, with the file of the step in hand', async () => {
  let paused = (): void => undefined;
  const script: Script = (request) => {
    if (request.messages.at(-1)?.content.includes('wren') === true) paused();
    return saying(request, 0);
  };
  const api = tab(new ScriptedModel(script));
  const book = await bookIn(api);
  await value(api.save(book, { values: { topic: 'us' } }));
  let run = '';
  await value(
    api.run(wish(book), (id) => {
      run = id;
      paused = () => api.pause(id);
    }),
  );
  expect(await db.playbook_runs.get(run)).toMatchObject({ state: 'paused', given: ['birds.json'] });
  const before = await value(api.show(run));
  expect(before).toMatchObject({ state: 'cancelled', error: { code: 'paused' }, files: ['told.json'] });
  expect(before.steps).toMatchObject([{ done: 2, cells: 'ddww', closed: false }]);
  paused = () => undefined;
  await value(api.resume(run, {}));
  const after = await value(api.show(run));
  expect(after.steps).toMatchObject([{ done: 4, cells: 'dddd', closed: true }]);
  expect(after).toEqual(await value(tab(null).show(run)));
  const look = await value(api.look(run, 'told.json', { sort: null, filter: 'gull', most: 10 }));
  expect(look).toMatchObject({ kind: 'table', total: 4, matching: 1, rows: [{ record: 3 }] });
  expect(await api.answering(run)).toEqual([]);
});

test('PLAYBOOK-64 a run for which the browser has no space left says what to free, and with space it is gone on with and asks nothing twice', async () => {
  const model = new ScriptedModel(saying);
  const api = tab(model);
  const book = await bookIn(api);
  await value(api.save(book, { values: { topic: 'us' } }));
  let full = true;
  const refuse = (_key: unknown, { text }: { text: string }): void => {
    if (full && text.includes('so: Tell of the wren')) throw new DOMException('no space', 'QuotaExceededError');
  };
  db.playbook_lines.hook('creating', refuse);
  let run = '';
  const ended = await api.run(wish(book), (id) => (run = id));
  expect(ended).toMatchObject({
    ok: false,
    failure: { code: 'storage_full', remedy: expect.stringContaining('Free space') },
  });
  expect(await db.playbook_runs.get(run)).toMatchObject({ state: 'paused' });
  full = false;
  const asked = model.requests.length;
  await value(api.resume(run, {}));
  expect(
    model.requests.slice(0, asked).filter(({ messages }) => messages.at(-1)?.content.includes('owl')),
  ).toHaveLength(1);
  expect(model.requests.slice(asked).some(({ messages }) => messages.at(-1)?.content.includes('owl'))).toBe(false);
  expect(await db.playbook_runs.get(run)).toMatchObject({ state: 'completed' });
  expect(JSON.parse(await value(api.made(run, 'told.json')))).toHaveLength(4);
});

test('JOB-72 of a run that is removed while another tab works on it nothing stays, also of what is written afterwards', async () => {
  let go = (): void => undefined;
  const slow = new Promise<void>((resolve) => (go = resolve));
  const model = new ScriptedModel(saying);
  const answers = Object.assign(Object.create(model) as ScriptedModel, {
    async complete(...request: Parameters<ScriptedModel['complete']>) {
      await slow;
      return model.complete(...request);
    },
  });
  const api = tab(answers);
  const book = await bookIn(api);
  await value(api.save(book, { values: { topic: 'birds', tone: 'kindly' } }));
  let begun = (_run: string): void => undefined;
  const running = new Promise<string>((resolve) => (begun = resolve));
  const ended = api.run(wish(book), begun);
  const run = await running;
  await value(tab(null).removeRun(run));
  go();
  expect(await ended).toMatchObject({ ok: false });
  const left = (await db.playbook_files.toArray()).filter(({ root }) => root.startsWith('run:'));
  expect([left, await db.playbook_lines.count(), await db.playbook_runs.count()]).toEqual([[], 0, 0]);
});

test('JOB-73 a run that ends in one tab while another takes it up keeps the state that it ended with', async () => {
  const api = tab(new ScriptedModel(saying));
  const book = await bookIn(api);
  await value(api.save(book, { values: { topic: 'birds', tone: 'kindly' } }));
  const answer = await value(api.run(wish(book), () => undefined));
  if (answer.state !== 'ended') throw new Error('refused');
  const { run } = answer;
  const ended = (await db.playbook_runs.get(run))?.state;
  // The second tab saw it open, and takes it up when the first one has just ended it.
  expect(await tab(new ScriptedModel(saying)).resume(run, {})).toMatchObject({ ok: false });
  expect((await db.playbook_runs.get(run))?.state).toBe(ended);
  // The same where the end is written while the second tab looks at the run.
  await db.playbook_runs.update(run, { state: 'open' });
  const write = db.playbook_runs.update(run, { state: ended ?? 'open' });
  await Promise.all([tab(new ScriptedModel(saying)).resume(run, {}), write]);
  expect((await db.playbook_runs.get(run))?.state).toBe(ended);
});

test('JOB-74 a playbook that is removed while files are added to it leaves none, and a shipped one is there with its files or not at all', async () => {
  const api = tab(null);
  const book = await bookIn(api);
  const files = ['a', 'b', 'c'].map((name) => ({ path: `${name}.txt`, file: new File([name], `${name}.txt`) }));
  const [added] = await Promise.all([api.addFiles(book, files), value(api.remove(book))]);
  expect(added).toMatchObject({ ok: false, failure: { code: 'not_found' } });
  expect(await db.playbook_files.count()).toBe(0);
  db.playbook_files.hook('creating', () => {
    throw new Error('The disk is full.');
  });
  const [first] = SHIPPED;
  expect(await api.addShipped(first?.id ?? '')).toMatchObject({ ok: false });
  expect(await db.playbook_books.count()).toBe(0);
});
