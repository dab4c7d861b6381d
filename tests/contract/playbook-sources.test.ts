/** A playbook's steps and the sources that they ask: within their own domains, the source's, and those that a person agreed to. */
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Dexie from 'dexie';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { recordingFile } from '#adapters/toolbox/node/kept-answers.ts';
import { publicNet } from '#adapters/toolbox/node/public-net.ts';
import { recordingNet } from '#adapters/toolbox/recordings.ts';
import { commonDomains } from '#core/domains.ts';
import { USUAL_BOUNDS, type ToolBounds } from '#core/toolbox/cage.ts';
import { CONNECTORS } from '#core/toolbox/connectors/connectors.ts';
import { declaredTool, readDeclared } from '#core/toolbox/connectors/declared.ts';
import type { Net } from '#core/toolbox/connectors/net.ts';
import { ToolboxRun } from '#core/toolbox/run.ts';
import { openDatabase } from '#lanes/database.ts';
import { createPlaybookService } from '#lanes/playbooks/browser/playbook-service.ts';
import { beginRun, type Begun } from '#lanes/playbooks/core/run/begin.ts';
import { toolboxTools } from '#lanes/playbooks/core/tools/toolbox-tools.ts';
import { MemoryFiles } from '#lanes/playbooks/memory/memory-files.ts';
import { MemoryRuns } from '#lanes/playbooks/memory/memory-runs.ts';
import { inventedWeb, type InventedWeb } from '../fixtures/invented-web.ts';
import { runProgram } from '../fixtures/program.ts';
import { ScriptedModel, type Said } from '../fixtures/scripted-model.ts';
import { answerAsSources } from '../fixtures/toolbox/sources.ts';

Dexie.dependencies.indexedDB = new IDBFactory();
Dexie.dependencies.IDBKeyRange = IDBKeyRange;

const cage = { run: () => Promise.reject(new Error('a cage was reached')), close: () => undefined };
const sha256 = (text: string): Promise<string> => Promise.resolve(createHash('sha256').update(text).digest('hex'));

let web: InventedWeb;
let net: Net;
beforeEach(async () => {
  web = await inventedWeb(answerAsSources);
  net = publicNet({
    clock: { now: () => Date.UTC(2026, 10, 27) },
    allow: null,
    wire: web,
    wait: () => Promise.resolve(),
  });
});
afterEach(() => web.close());

const LOOK = (domains: string): string => `playbook: 1
name: look
steps:
  - name: read
    tool: wikipedia
    agent: { domains: ${domains} }
    with: { what: text, title: Iris flower data set }
    output: article.json
`;
const TELL = `playbook: 1
name: tell
steps:
  - name: tell
    model: small
    agent: { enabled: true, tools: [wikipedia, http_api], domains: ['en.wikipedia.org'] }
    max_requery_iterations: 2
    instruction_user_prompt: How many records has the iris data set?
    output: told.md
`;

async function run(
  text: string,
  agreed: readonly string[],
  said: readonly Said[] = [],
): Promise<{ begun: Begun; files: Record<string, string>; model: ScriptedModel }> {
  const files = new MemoryFiles({}, sha256);
  const model = new ScriptedModel(said);
  const begun = await beginRun(
    { playbook: text, config: {}, set: {}, overwrite: false },
    new MemoryRuns(),
    {
      ...{ files, sha256, wait: () => Promise.resolve(), clock: { now: () => 0 } },
      models: { nameOf: () => 'ollama/m', price: { in: 0, out: 0 }, open: () => Promise.resolve(model) },
      tools: toolboxTools({ cage, net, agreed, connectors: CONNECTORS }),
    },
    { id: 'a', seed: 1, limits: {}, parallel: null, reuse: null },
  );
  return { begun, files: files.all, model };
}

test('TOOLBOX-71 patterns that both lists let through: one host of many, the narrower of two, none', () => {
  expect(commonDomains(['*.wikipedia.org', 'arxiv.org'], ['en.wikipedia.org', '*.arxiv.org'])).toEqual([
    'en.wikipedia.org',
  ]);
  expect(commonDomains(['*.org', '*.ch'], ['*.w.org'])).toEqual([]);
  expect(commonDomains(['*.a.w.org'], ['*.w.org', 'a.w.org'])).toEqual(['*.a.w.org']);
  expect(commonDomains(['*.w.org'], ['*.xw.org', 'w.org', '*'])).toEqual([]);
});

test('TOOLBOX-71 a step asks a source where it names the domain and a person agreed, and is refused before anything is asked where one is missing', async () => {
  const faultOf = async (domains: string, agreed: string[]): Promise<unknown> => {
    const { begun } = await run(LOOK(domains), agreed);
    return begun.state === 'refused' ? begun.faults.map(({ code, message }) => `${code}: ${message}`) : 'begun';
  };
  const all = ['*.wikipedia.org'];
  expect(await faultOf('[]', all)).toEqual([
    'playbook_value: "wikipedia" asks a source, and the step names no domain.',
  ]);
  expect(await faultOf("['*.wikipedia.org']", [])).toEqual([
    'domains_unagreed: "wikipedia" would ask *.wikipedia.org, to which nobody agreed.',
  ]);
  expect(await faultOf("['*.wikipedia.org', 'evil.example']", all)).toEqual([
    'domains_unagreed: "wikipedia" would ask evil.example, to which nobody agreed.',
  ]);
  expect(await faultOf("['arxiv.org']", ['arxiv.org'])).toEqual([
    'playbook_value: "wikipedia" asks *.wikipedia.org, and none of it is among the step\'s domains.',
  ]);
  expect(await faultOf("['http://wikipedia.org/']", all)).toEqual([
    'playbook_value: "http://wikipedia.org/" is no domain.',
  ]);
  expect(web.connected).toEqual([]);

  const { begun, files } = await run(LOOK("['en.wikipedia.org']"), all);
  expect(begun).toMatchObject({ state: 'begun', end: { state: 'completed' } });
  expect(JSON.parse(files['article.json'] ?? '')).toMatchObject([
    { revision: 1234567890, sources: [{ licence: 'CC BY-SA 4.0', sha256: expect.any(String) }] },
  ]);
  // What the step names is narrower than what was agreed to.
  const german = LOOK("['en.wikipedia.org']").replace('what: text,', 'what: text, language: de,');
  expect((await run(german, all)).begun).toMatchObject({
    state: 'begun',
    end: { state: 'failed', error: { code: 'tool_failed' } },
  });
  expect(web.connected.every((one) => one.startsWith('en.wikipedia.org '))).toBe(true);
});

test('TOOLBOX-71 a model of a step calls a source within the domains of the step, whatever it says itself', async () => {
  const api =
    'name: x\nabout: x\nbase: https://evil.example\nlicence: x\nattribution: x\nendpoints: { a: { about: x, path: /a, rows: $, columns: { a: $.a } } }';
  const calls = [
    { call: 'http_api', input: { api, endpoint: 'a' } },
    { call: 'wikipedia', input: { what: 'text', title: 'Iris flower data set' } },
  ];
  const said = [...calls.map((one) => ({ say: JSON.stringify(one) })), { say: 'It has 150 records.' }];
  const { begun, files, model } = await run(TELL, ['*.wikipedia.org'], said);
  expect(begun).toMatchObject({ state: 'begun', end: { state: 'completed' } });
  expect(files['told.md']).toBe('It has 150 records.\n');
  expect(
    model.requests
      .at(-1)
      ?.messages.map(({ content }) => content)
      .join('\n'),
  ).toContain('It has 150 records');
  expect(model.requests[1]?.messages.at(-1)?.content).toContain('evil.example is not among the domains');
  expect(new Set(web.connected.map((one) => one.split(' ')[0]))).toEqual(new Set(['en.wikipedia.org']));
});

test('TOOLBOX-71, TOOLBOX-72 in the terminal a person agrees by --domains, and what sources answered is played back without a network', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'accession-sources-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const tape = join(folder, 'tape.jsonl');
  const recorded = await recordingFile(tape, true);
  const asked = CONNECTORS.find(({ name }) => name === 'wikipedia');
  if (asked === undefined) throw new Error('no wikipedia');
  await new ToolboxRun({ cage, net: recordingNet(net, recorded) }).call(asked, {
    what: 'text',
    title: 'Iris flower data set',
  });
  await writeFile(join(folder, 'book.yaml'), LOOK("['en.wikipedia.org']"));
  const start = async (...more: string[]): Promise<{ code: number | null; said: string }> => {
    const args = [
      'playbook',
      'run',
      join(folder, 'book.yaml'),
      '--root',
      folder,
      '--data',
      join(folder, 'data'),
      ...more,
    ];
    const program = await runProgram('cli/main.ts', args, {});
    return { code: await program.exited, said: program.stderr() };
  };
  const refused = await start('--replay-sources', tape);
  expect([refused.code, refused.said]).toEqual([1, expect.stringContaining('--domains')]);
  const done = await start('--replay-sources', tape, '--domains', '*.wikipedia.org');
  expect(done.code, done.said).toBe(0);
  expect(JSON.parse(await readFile(join(folder, 'article.json'), 'utf8'))).toMatchObject([
    { sources: [{ recorded: '2026-11-27' }] },
  ]);
});

test('TOOLBOX-72 no step of a playbook starts a program of the machine, though the operator lists it for tools that a person calls', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'accession-listed-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const book = `playbook: 1
name: program
steps:
  - name: count
    tool: command
    with: { name: count, stdin: 'one two' }
    output: said.json
`;
  await writeFile(join(folder, 'book.yaml'), book);
  await writeFile(join(folder, 'accession.toml'), '[toolbox.commands]\ncount = ["wc", "-w"]\n');
  const start = async (...more: string[]): Promise<{ code: number | null; said: string }> => {
    const args = ['playbook', 'run', join(folder, 'book.yaml'), '--root', folder, '--data', folder, ...more];
    const program = await runProgram('cli/main.ts', args, { ACCESSION_DATA: folder });
    return { code: await program.exited, said: program.stderr() };
  };
  const refused = await start();
  expect([refused.code, refused.said]).toEqual([
    1,
    expect.stringContaining('There is no tool "command" for playbooks.'),
  ]);
  const wished = await start('--command', 'count');
  expect([wished.code, wished.said]).toEqual([2, expect.stringContaining("unknown option '--command'")]);
});

test('TOOLBOX-73 in a browser a person agrees to the domains of one text: a changed text is asked about anew', async () => {
  const db = openDatabase('playbook-sources');
  let count = 0;
  const api = createPlaybookService({
    ...{ db, net, sha256, openCage: () => cage, clock: { now: () => 0 }, ids: { next: () => `id-${(count += 1)}` } },
    timers: { set: () => null, clear: () => undefined },
    stepTools: () => Promise.resolve([]),
    models: () =>
      Promise.resolve({
        ...{ close: () => Promise.resolve(), model: () => Promise.resolve(null) },
        modelNamed: () => Promise.resolve(null),
      }),
    lock: () => Promise.resolve(() => undefined),
    server: () => Promise.reject(new Error('no server is asked')),
  });
  const added = await api.add('Look', LOOK("['en.wikipedia.org']"));
  const book = added.ok ? added.value : '';
  const checked = { domains: ['en.wikipedia.org'], agreed: false };
  expect(await api.check(book, 'settings')).toMatchObject({
    value: { ...checked, faults: [{ code: 'domains_unagreed', step: 'read' }] },
  });
  await api.agree(book, ['en.wikipedia.org']);
  expect(await api.check(book, 'settings')).toMatchObject({ value: { ...checked, agreed: true, faults: [] } });
  const wish = { book, with: 'settings' as const, limits: {}, parallel: null, reuse: null };
  const ended = await api.run(wish, () => undefined);
  expect(ended).toMatchObject({ value: { state: 'ended' } });
  await api.save(book, { text: LOOK("['en.wikipedia.org']").replace('what: text', 'what: tables') });
  expect(await api.check(book, 'settings')).toMatchObject({ value: checked });
  expect(await api.run(wish, () => undefined)).toMatchObject({ value: { state: 'refused' } });
  await db.delete();
});

const RIVERS = `name: rivers
about: Levels of rivers
base: https://rivers.example.org
licence: CC0
attribution: Office of rivers
endpoints: { levels: { about: of a station, path: /levels, rows: '$.levels[*]', columns: { level: $.level } } }
`;
const RIVER = `playbook: 1
name: river
steps:
  - name: read
    tool: rivers
    agent: { domains: [rivers.example.org] }
    with: {}
    output: levels.json
`;

test('TOOLBOX-86 in a browser a step asks a source that the operator of the server declared, which is looked for only where a step names it', async () => {
  const db = openDatabase('playbook-declared');
  let [count, looked] = [0, 0];
  const asked: string[] = [];
  const bytes = new TextEncoder().encode('{"levels":[{"level":3}]}');
  const levels: Net = {
    ask({ url }) {
      asked.push(url);
      const text = (): string => new TextDecoder().decode(bytes);
      return Promise.resolve({ ok: true, value: { url, type: 'application/json', charset: 'utf-8', bytes, text, at: 0, recorded: false } }); // prettier-ignore
    },
  };
  const api = createPlaybookService({
    ...{
      db,
      net: levels,
      sha256,
      openCage: () => cage,
      clock: { now: () => 0 },
      ids: { next: () => `id-${(count += 1)}` },
    },
    declared: () => {
      looked += 1;
      return Promise.resolve([declaredTool(readDeclared(RIVERS, 'the server'))]);
    },
    timers: { set: () => null, clear: () => undefined },
    stepTools: () => Promise.resolve([]),
    models: () =>
      Promise.resolve({
        ...{ close: () => Promise.resolve(), model: () => Promise.resolve(null) },
        modelNamed: () => Promise.resolve(null),
      }),
    lock: () => Promise.resolve(() => undefined),
    server: () => Promise.reject(new Error('no server is asked')),
  });
  const look = await api.add('Look', LOOK("['en.wikipedia.org']"));
  await api.check(look.ok ? look.value : '', 'settings');
  expect(looked).toBe(0);
  const added = await api.add('River', RIVER);
  const book = added.ok ? added.value : '';
  await api.agree(book, ['rivers.example.org']);
  expect(await api.check(book, 'settings')).toMatchObject({ value: { domains: ['rivers.example.org'], faults: [] } });
  const wish = { book, with: 'settings' as const, limits: {}, parallel: null, reuse: null };
  expect(await api.run(wish, () => undefined)).toMatchObject({ value: { state: 'ended' } });
  expect(asked).toEqual(['https://rivers.example.org/levels']);
  await db.delete();
});

test('TOOLBOX-90 in a browser a step gives its tool what the settings raise, and lowers that', async () => {
  const db = openDatabase('playbook-raised');
  const heard: ToolBounds[] = [];
  let count = 0;
  const api = createPlaybookService({
    ...{ db, net, sha256, clock: { now: () => 0 }, ids: { next: () => `id-${(count += 1)}` } },
    openCage: () => ({
      run(_job, bounds) {
        heard.push(bounds);
        const value = { columns: ['k'], types: ['INTEGER'], rows: [[1]], total: 1, truncated: false };
        return Promise.resolve({ ok: true, value: { value, versions: [] } });
      },
      close: () => undefined,
    }),
    timers: { set: () => null, clear: () => undefined },
    stepTools: () => Promise.resolve([]),
    models: () =>
      Promise.resolve({
        ...{ close: () => Promise.resolve(), model: () => Promise.resolve(null) },
        modelNamed: () => Promise.resolve(null),
      }),
    lock: () => Promise.resolve(() => undefined),
    server: () => Promise.reject(new Error('no server is asked')),
  });
  await db.settings.bulkPut([{ key: 'toolbox_seconds', value: 90 }, { key: 'toolbox_result_kb', value: 1024 }]); // prettier-ignore
  const step = `    tool: frame_query\n    with: { tables: { t: "k\\n1\\n" }, sql: "select k from t" }\n`;
  const text = `playbook: 1\nname: raised\nsteps:\n  - name: wide\n${step}    output: a.json\n  - name: narrow\n${step}    limits: { tool_seconds: 5 }\n    output: b.json\n`;
  const added = await api.add('Raised', text);
  const book = added.ok ? added.value : '';
  const wish = { book, with: 'settings' as const, limits: {}, parallel: null, reuse: null };
  expect(await api.run(wish, () => undefined)).toMatchObject({ value: { state: 'ended' } });
  const raised = { ...USUAL_BOUNDS, timeMs: 90_000, resultBytes: 1024 * 1024 };
  expect(heard).toEqual([raised, { ...raised, timeMs: 5_000 }]);
  await db.delete();
});
