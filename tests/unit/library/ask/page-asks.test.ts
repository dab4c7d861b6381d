import Dexie from 'dexie';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { expect, test } from 'vitest';
import { createRecorded } from '#adapters/llm/recorded.ts';
import { ok } from '#core/result.ts';
import { EVIDENCE_PIECE } from '#lanes/library/browser/ask-evidence.ts';
import { askApi } from '#lanes/library/browser/ask-api.ts';
import type { EvidenceRow } from '#lanes/library/core/ask/evidence/rows.ts';
import { read } from '#adapters/toolbox/recordings.ts';
import { USUAL_BOUNDS, type Cage, type ToolBounds } from '#core/toolbox/cage.ts';
import type { ConnectorTool } from '#core/toolbox/connectors/connector-tool.ts';
import { declaredTool, readDeclared } from '#core/toolbox/connectors/declared.ts';
import type { Net } from '#core/toolbox/connectors/net.ts';
import { NO_NET } from '../../../fixtures/toolbox/no-net.ts';
import type { AskWish } from '#lanes/library/browser/library-api.types.ts';
import { toolsApi } from '#lanes/library/browser/tools-api.ts';
import { openDatabase } from '#lanes/database.ts';
import { CAPABLE, ScriptedModel } from '../../../fixtures/scripted-model.ts';
import { libraryOf } from './ask-world.ts';
import { ask, optionsOf, STATION, worldOf } from './run-world.ts';

Dexie.dependencies.indexedDB = new IDBFactory();
Dexie.dependencies.IDBKeyRange = IDBKeyRange;

/** A tool over a table of the library: nothing of it leaves this machine. */
const CREW = `
name: crew_of
version: 1
description: Who sails on a boat
input_schema: {type: object, properties: {boat: {type: string}}, required: [boat]}
run: {use: load_table, with: {path: crew.csv, where: [{column: boat, value: '{boat}'}]}}
`;
const FILES = { ...STATION, 'crew.csv': 'boat,name\nTern,Ada Quist\nMarrow,Bo Lund\nTern,Cy Moe\n' };
const PLAN = JSON.stringify({
  ...{ subquestions: ['Who sails on the Tern?'], expanded_queries: [], confidence: 0.9, why: 'The table says it.' },
  requested_tools: [{ name: 'crew_of', input: { boat: 'Tern' } }],
});
const WISH: AskWish = {
  ...{ question: 'Who sails on the Tern?', task: null, folders: [], profile: 'bm25', iterations: 1, after: null },
  ...{ tools: ['crew_of'], domains: [], model: true },
};

/** What calls were given. */
const heard: ToolBounds[] = [];

/** Answers what a table came to. */
const cage: Cage = {
  run: (_job, bounds) => {
    heard.push(bounds);
    const value = { columns: ['n'], types: ['BIGINT'], rows: [[2]], total: 1, truncated: false };
    return Promise.resolve(ok({ value, versions: ['DuckDB v1'] }));
  },
  close: () => undefined,
};

let databases = 0;

async function page(
  provider = new ScriptedModel(() => ({ say: PLAN }), CAPABLE),
  net: Net = NO_NET,
  declared: readonly ConnectorTool[] = [],
  db = openDatabase(`asks-${++databases}`),
) {
  const { ports } = await worldOf(FILES);
  await db.settings.put({ key: 'settings', value: { llm_provider: 'ollama', llm_model: 'tiny' } } as never);
  let ids = 0;
  const api = askApi(
    {
      ...{
        db,
        clock: ports.clock,
        ids: { next: () => `q${++ids}` },
        alone: async (name, work) => navigator.locks.request(`${db.name} ${name}`, work),
      },
      timers: { set: () => 0 as never, clear: () => undefined },
      server: () => Promise.reject(new Error('no server is asked')),
      toolbox: { openCage: () => cage, net, declared: () => Promise.resolve(declared) },
      models: () =>
        Promise.resolve({
          close: () => Promise.resolve(),
          model: () =>
            Promise.resolve({
              ...{ provider: 'ollama', model: 'tiny', options: { timeoutMs: 1_000 } },
              open: () => Promise.resolve(ok(provider)),
            } as never),
        }),
    },
    {
      open: async () => {
        const index = await libraryOf(FILES);
        return { index, folders: index.parts.map(() => ({ id: 'f1', name: 'Station' })) };
      },
      byMeaning: () => Promise.resolve(null),
    },
  );
  return { db, api, tools: toolsApi(db) };
}

const value = <T>(result: { ok: true; value: T } | { ok: false; failure: { message: string } }): T => {
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
};

test('ASK-35 tools are given as YAML files, stay, are refused by their file, are called in a run by what the model plans, and go', async () => {
  const { db, api, tools } = await page();
  const refused = value(
    await tools.addTools([
      { file: 'crew.yaml', text: CREW },
      { file: 'same.yaml', text: CREW },
      { file: 'bad.yaml', text: CREW.replace('version: 1', 'version: one') },
      { file: 'writes.yaml', text: `${CREW.replace('crew_of', 'writes')}side_effects: true\n` },
    ]),
  );
  expect(refused.map(({ file, message }) => `${file}: ${message}`)).toEqual([
    'same.yaml: The tool in same.yaml: there is a tool "crew_of" already.',
    'bad.yaml: The tool in bad.yaml: version: Invalid type: Expected number but received "one"',
  ]);
  expect(value(await tools.tools())).toEqual({
    tools: [
      { name: 'crew_of', description: 'Who sails on a boat', file: 'crew.yaml', network: false, why: null },
      {
        ...{ name: 'writes', description: 'Who sails on a boat', file: 'writes.yaml', network: false },
        why: 'it changes something outside, and a run may only look',
      },
    ],
    refused: [],
  });

  const id = value(
    await api.ask(
      WISH,
      () => undefined,
      () => undefined,
    ),
  );
  const { rows, folders } = value(await api.askEvidence(id, 0));
  const [found] = rows.filter(({ tools: by }) => by.includes('crew_of'));
  expect(found?.text).toContain('Tern,Ada Quist Marrow,Bo Lund Tern,Cy Moe');
  expect(new Set(Object.values(folders))).toEqual(new Set(['f1']));
  const refusedRun = await api.ask(
    { ...WISH, tools: ['writes'] },
    () => undefined,
    () => undefined,
  );
  expect(refusedRun).toMatchObject({
    ok: false,
    failure: { message: expect.stringContaining('may only look') as string },
  });

  value(await tools.removeTool('crew.yaml'));
  expect(
    await api.ask(
      WISH,
      () => undefined,
      () => undefined,
    ),
  ).toMatchObject({
    ok: false,
    failure: { message: expect.stringContaining('There is no tool "crew_of"') as string },
  });
  await db.delete();
});

test('ASK-35 a run that stands still is not taken up with another tool of the same name', async () => {
  const { db, api, tools } = await page();
  value(await tools.addTools([{ file: 'crew.yaml', text: CREW }]));
  const id = value(
    await api.ask(
      WISH,
      () => undefined,
      () => undefined,
    ),
  );
  const lines = (await db.library_ask_lines.where('run').equals(id).toArray()).map(({ text }) => text).join('');
  await db.library_ask_lines.where('run').equals(id).delete();
  await db.library_ask_lines.put({ run: id, n: 0, text: `${lines.split('\n').slice(0, 3).join('\n')}\n` });
  value(await tools.addTools([{ file: 'crew.yaml', text: CREW.replace('crew.csv', 'other.csv') }]));
  expect(await api.goOn(id, () => undefined)).toMatchObject({
    ok: false,
    failure: {
      message: expect.stringMatching(/^The run cannot be taken up: the version of a tool is another/) as string,
    },
  });
  await db.delete();
});

test('ASK-36 a transcript of a recorded model is played back without one to the same answer, which opens here; one that differs, is torn or has no answer is refused', async () => {
  const chosen = '{"letters":["A"],"confidence":0.9,"why":"It says so."}';
  const world = await worldOf(FILES, {
    provider: new ScriptedModel(() => ({ say: chosen }), { ...CAPABLE, nativeTools: false }),
  });
  const { answer } = await ask(
    'How much does the new winch cost?',
    world,
    optionsOf({ writer: 'choice', planner: 'code' }),
  );
  const text = world.text();
  const { db, api } = await page(createRecorded({ cassette: { version: 1, model: 'none', answers: {} } }) as never);

  const id = value(await api.playBack(text));
  const row = await db.library_asks.get(id);
  expect(row).toMatchObject({ played: true, status: 'answered', question: 'How much does the new winch cost?' });
  expect(row?.answer).toEqual(answer);
  expect(Object.values(row?.places ?? {})).toContainEqual({ folder: 'f1', path: 'station/budget.txt' });
  expect(value(await api.askTranscript(id))).toBe(text);

  const changed = text.replaceAll('4,200 euros', '9,200 euros');
  expect(changed).not.toBe(text);
  for (const [wrong, why] of [
    [text.replace('"letters":["A"]', '"letters":["B"]').replace('\\"A\\"', '\\"B\\"'), /Played back, the run differs/],
    [`${text.split('\n').slice(0, 4).join('\n')}\n`, /has no answer yet/],
    ['{"ts":1}\n', /^Line 1 of the transcript cannot be read/],
    ['', /^The transcript cannot be read/],
  ] as const)
    expect(await api.playBack(wrong)).toMatchObject({
      ok: false,
      failure: { message: expect.stringMatching(why) as string },
    });
  expect(await db.library_asks.count()).toBe(1);
  await db.delete();
});

test('ASK-86 what was found is given in pieces, which are all of it, each with the folders of its sources; a question is kept with how it was asked', async () => {
  const { db, api } = await page();
  const id = value(
    await api.ask(
      { ...WISH, tools: [], profile: 'hybrid', model: false },
      () => undefined,
      () => undefined,
    ),
  );
  expect((await db.library_asks.get(id))?.how).toEqual({ profile: 'hybrid', tools: [], domains: [] });
  const lines = await db.library_ask_lines.where('run').equals(id).sortBy('n');
  for (const line of lines) await db.library_ask_lines.put({ ...line, text: withSources(line.text, 600) });

  const pieces: number[] = [];
  const rows: EvidenceRow[] = [];
  const folders: Record<string, string> = {};
  let total = Infinity;
  while (rows.length < total) {
    const piece = value(await api.askEvidence(id, rows.length));
    ({ total } = piece);
    pieces.push(piece.rows.length);
    rows.push(...piece.rows);
    Object.assign(folders, piece.folders);
  }
  expect(Math.max(...pieces)).toBeLessThanOrEqual(EVIDENCE_PIECE);
  expect(pieces.length).toBeGreaterThan(2);
  expect(new Set(rows.map(({ source_id, startLine }) => `${source_id} ${startLine}`)).size).toBe(total);
  expect(total).toBeGreaterThan(600);
  expect(new Set(Object.values(folders))).toEqual(new Set(['f1']));
  expect(value(await api.askEvidence(id, total))).toMatchObject({ rows: [], total });
  await db.delete();
});

/** A line of a transcript; what a call found has so many sources more. */
function withSources(text: string, more: number): string {
  const line = JSON.parse(text) as { event: string; content: { output?: { docs?: { source_id: string }[] } } };
  const { docs } = line.content.output ?? {};
  const [first] = docs ?? [];
  if (line.event !== 'tool_result' || docs === undefined || first === undefined) return text;
  for (let n = 0; n < more; n++) docs.push({ ...first, source_id: `more ${n}` });
  return `${JSON.stringify(line)}\n`;
}

test('ASK-103 on the page a question may use tools of the toolbox, whose answers are sources by tool and handle, and sources within the domains that the person says', async () => {
  const asked: string[] = [];
  const answer = { query: { pages: [{ pageid: 1, title: 'Tern', extract: 'The tern is a seabird.' }] } };
  const net: Net = {
    ask({ url, domains }) {
      asked.push(`${new URL(url).hostname} ${domains?.join(' ') ?? 'any'}`);
      const bytes = new TextEncoder().encode(JSON.stringify(answer));
      return Promise.resolve(
        ok({ url, type: 'application/json', charset: 'utf-8', at: 0, ...read(bytes, 'utf-8'), recorded: false }),
      );
    },
  };
  const plan = JSON.stringify({
    ...{ subquestions: ['Who sails on the Tern?'], expanded_queries: [], confidence: 0.9, why: 'The table says it.' },
    requested_tools: [
      { name: 'frame_query', input: { tables: { t: 'boat\nTern\n' }, sql: 'select count(*) as n from t' } },
      { name: 'wikipedia', input: { what: 'summary', title: 'Tern' } },
    ],
  });
  const { api } = await page(new ScriptedModel(() => ({ say: plan }), CAPABLE), net);
  const put = (wish: AskWish) =>
    api.ask(
      wish,
      () => undefined,
      () => undefined,
    );
  const wish = { ...WISH, tools: ['frame_query', 'wikipedia'] };
  expect(await put(wish)).toMatchObject({
    ok: false,
    failure: { message: expect.stringContaining('no domain') as string },
  });
  const id = value(await put({ ...wish, domains: ['en.wikipedia.org'] }));
  const { rows } = value(await api.askEvidence(id, 0));
  const by = (tool: string) =>
    rows.filter(({ tools }) => tools.includes(tool)).map(({ title, text }) => `${title}: ${text}`);
  expect(by('frame_query')).toEqual([
    'frame_query r1: frame_query: columns = [n]; rows = [[2]]; total = 1; truncated = false',
  ]);
  expect(by('wikipedia').join()).toContain('wikipedia r2: ');
  expect(by('wikipedia').join()).toContain('The tern is a seabird.');
  expect(asked).toEqual(['en.wikipedia.org en.wikipedia.org']);
  const transcript = value(await api.askTranscript(id));
  expect(transcript).toContain('"source":"engine","ref":"DuckDB v1"');
  expect(await api.playBack(transcript)).toMatchObject({ ok: true });
});

test('TOOLBOX-86 on the page a question asks a source that the operator of the server declared, within the domains that the person says', async () => {
  const rivers = `name: rivers
about: Boats of rivers
base: https://rivers.example.org
licence: CC0
attribution: Office of rivers
endpoints: { levels: { about: of all, path: /levels, rows: '$.levels[*]', columns: { boat: $.boat, sails: $.sails } } }
`;
  const asked: string[] = [];
  const net: Net = {
    ask({ url }) {
      asked.push(url);
      const bytes = new TextEncoder().encode(
        '{"levels":[{"boat":"Tern","sails":"Dora Pike has sailed on the Tern since it was launched, and so has her brother Ned."}]}',
      );
      return Promise.resolve(
        ok({ url, type: 'application/json', charset: 'utf-8', at: 0, ...read(bytes, 'utf-8'), recorded: false }),
      );
    },
  };
  const plan = JSON.stringify({
    ...{ subquestions: ['Who sails on the Tern?'], expanded_queries: [], confidence: 0.9, why: 'The source says it.' },
    requested_tools: [{ name: 'rivers', input: {} }],
  });
  const tool = declaredTool(readDeclared(rivers, 'the server'));
  const { api } = await page(new ScriptedModel(() => ({ say: plan }), CAPABLE), net, [tool]);
  const wish = { ...WISH, tools: ['rivers'], domains: ['rivers.example.org'] };
  const id = value(
    await api.ask(
      wish,
      () => undefined,
      () => undefined,
    ),
  );
  expect(value(await api.askTranscript(id))).toContain('"attribution":"Office of rivers"');
  expect(asked).toEqual(['https://rivers.example.org/levels']);
});

test('TOOLBOX-90 on the page a question gives its tools what the settings of this browser raise', async () => {
  const plan = JSON.stringify({
    ...{ subquestions: ['Who sails on the Tern?'], expanded_queries: [], confidence: 0.9, why: 'The table says it.' },
    requested_tools: [{ name: 'frame_query', input: { tables: { t: 'boat\nTern\n' }, sql: 'select count(*) as n from t' } }], // prettier-ignore
  });
  const { db, api } = await page(new ScriptedModel(() => ({ say: plan }), CAPABLE));
  const unheard = (): void => undefined;
  const ask = async (): Promise<ToolBounds | undefined> => {
    heard.length = 0;
    value(await api.ask({ ...WISH, tools: ['frame_query'] }, unheard, unheard));
    return heard[0];
  };
  expect(await ask()).toEqual(USUAL_BOUNDS);
  await db.settings.bulkPut([{ key: 'toolbox_seconds', value: 45 }, { key: 'toolbox_memory_mb', value: 2048 }, { key: 'toolbox_input_mb', value: 12 }]); // prettier-ignore
  expect(await ask()).toEqual({ ...USUAL_BOUNDS, timeMs: 45_000, memoryMb: 2048, inputBytes: 12 * 1024 * 1024 });
});

const LEVELS = (columns: string): string => `name: rivers
about: Levels of rivers
base: https://rivers.example.org
licence: CC0
attribution: Office of rivers
endpoints: { levels: { about: of all, path: /levels, rows: '$.levels[*]', columns: ${columns} } }
`;

test.each([
  ['a word of the question', '{ river: $.river, level: $.level }', '- river Tern; level 3.2 - river Marrow; level 0.4'],
  ['numbers alone', '{ v: $.level }', '- v 3.2 - v 0.4'],
])(
  'TOOLBOX-91 a small table that a source answered, with %s in it, is a passage of the question',
  async (_what, columns, text) => {
    const answer = '{"levels":[{"river":"Tern","level":3.2},{"river":"Marrow","level":0.4}]}';
    const net: Net = {
      ask: ({ url }) =>
      Promise.resolve(ok({ url, type: 'application/json', charset: 'utf-8', at: 0, ...read(new TextEncoder().encode(answer), 'utf-8'), recorded: false })), // prettier-ignore
    };
    const plan = JSON.stringify({
      ...{ subquestions: ['How high is the Tern?'], expanded_queries: [], confidence: 0.9, why: 'The source says it.' },
      requested_tools: [{ name: 'rivers', input: {} }],
    });
    const tool = declaredTool(readDeclared(LEVELS(columns), 'the server'));
    const { api } = await page(new ScriptedModel(() => ({ say: plan }), CAPABLE), net, [tool]);
    const unheard = (): void => undefined;
    const wish = { ...WISH, question: 'How high is the Tern?', tools: ['rivers'], domains: ['rivers.example.org'] };
    const id = value(await api.ask(wish, unheard, unheard));
    const { rows } = value(await api.askEvidence(id, 0));
    const [found, ...others] = rows.filter(({ tools }) => tools.includes('rivers'));
    expect(others).toEqual([]);
    expect(found).toMatchObject({ title: 'rivers r1', url: 'https://rivers.example.org/levels', text });
  },
);

test('LIBRARY-160 a question that two tabs go on with at the same moment is answered once, and its transcript plays back', async () => {
  const { db, api, tools } = await page();
  value(await tools.addTools([{ file: 'crew.yaml', text: CREW }]));
  const unheard = (): void => undefined;
  const id = value(await api.ask(WISH, unheard, unheard));
  const first = await db.library_asks.get(id);
  const lines = (await db.library_ask_lines.where('run').equals(id).sortBy('n')).map(({ text }) => text).join('');
  await db.library_ask_lines.where('run').equals(id).delete();
  await db.library_ask_lines.put({ run: id, n: 0, text: `${lines.split('\n').slice(0, 3).join('\n')}\n` });
  await db.library_asks.update(id, { status: 'open', answer: null });

  const other = await page(undefined, undefined, undefined, db);
  expect(await Promise.all([api.goOn(id, unheard), other.api.goOn(id, unheard)])).toEqual([ok(id), ok(id)]);
  const row = await db.library_asks.get(id);
  expect([row?.status, row?.why]).toEqual([first?.status, null]);
  const played = value(await api.playBack(value(await api.askTranscript(id))));
  expect((await db.library_asks.get(played))?.answer).toEqual(row?.answer);
  await db.delete();
});

test('LIBRARY-161 of a question that is forgotten while it is worked on, in another tab, nothing stays', async () => {
  let said = (): void => undefined;
  const asked = new Promise<void>((resolve) => (said = resolve));
  let answer = (): void => undefined;
  const told = new Promise<void>((resolve) => (answer = resolve));
  const model = new ScriptedModel(() => ({ say: PLAN }), CAPABLE);
  const slow = Object.assign(Object.create(model) as ScriptedModel, {
    async complete(...request: Parameters<ScriptedModel['complete']>) {
      said();
      await told;
      return model.complete(...request);
    },
  });
  const { db, api, tools } = await page(slow);
  value(await tools.addTools([{ file: 'crew.yaml', text: CREW }]));
  const unheard = (): void => undefined;
  const run = api.ask(WISH, unheard, unheard);
  await asked;
  const other = await page(undefined, undefined, undefined, db);
  const [row] = await db.library_asks.toArray();
  value(await other.api.forgetAsked(row?.id ?? ''));
  answer();
  expect(await run).toMatchObject({ ok: false, failure: { code: 'cancelled' } });
  expect([await db.library_asks.count(), await db.library_ask_lines.count()]).toEqual([0, 0]);
  await db.delete();
});
