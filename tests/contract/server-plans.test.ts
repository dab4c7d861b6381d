/** What the server does by plans: permissions, folders, confirmed renames, recovery, the socket, the log. */
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { MemoryJournalStore } from '../fixtures/memory-plans.ts';
import type { JournalHead } from '#core/plan/rename-journal.ts';
import type * as v from 'valibot';
import type { PlanPreviewSchema } from '#core/sync/plan-protocol.ts';
import { choosing, ScriptedModel, SMALL } from '../fixtures/scripted-model.ts';
import { createServerBroker } from '#server/llm/broker.ts';
import { testPlans, testServer, TOKEN, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';

type PlanPreview = v.InferOutput<typeof PlanPreviewSchema>;

let server: TestServer;
let media: string;
let outside: string;
let folder: string;
let count = 0;
const READER = { Authorization: 'Bearer the-token-of-a-reader' };
const EDITOR = { Authorization: 'Bearer the-token-of-an-editor' };

beforeAll(async () => {
  const data = await mkdtemp(join(tmpdir(), 'plans-data-'));
  media = await realpath(await mkdtemp(join(tmpdir(), 'plans-media-')));
  outside = await realpath(await mkdtemp(join(tmpdir(), 'plans-outside-')));
  server = await testServer({ data, deps: { plans: testPlans(join(data, 'plans'), [media]) } });
  await server.addToken('the-token-of-a-reader', 'reader', 'ReadCatalog');
  await server.addToken('the-token-of-an-editor', 'ada', 'EditCatalog');
});
afterAll(async () => {
  await server.end();
  for (const directory of [media, outside]) await rm(directory, { recursive: true, force: true });
});
beforeEach(async () => {
  folder = join(media, `Show ${++count}`);
  await mkdir(folder);
  for (const name of ['a.mkv', 'b.mkv']) await writeFile(join(folder, name), name);
});

const post = <T = ErrorAnswer>(path: string, body: object, headers: Record<string, string> = EDITOR) =>
  server.api<T>('POST', path, body, headers);
const get = <T>(path: string, headers: Record<string, string> = EDITOR) =>
  server.api<T>('GET', path, undefined, headers);

/** A rename plan that waits: the two files swap their names. */
async function swapping(): Promise<{ id: string; hash: string }> {
  const files = [
    { from: `${folder}/a.mkv`, to: `${folder}/b.mkv` },
    { from: `${folder}/b.mkv`, to: `${folder}/a.mkv` },
  ];
  const made = await post<{ plan: { id: string } }>('/v1/plans', {
    task: 'rename-files',
    mediaFolderPath: folder,
    files,
  });
  expect(made.status).toBe(201);
  const { id } = made.body.plan;
  const { body } = await get<PlanPreview>(`/v1/plans/${id}/preview`);
  expect(body.problems).toEqual([]);
  return { id, hash: body.hash };
}
const confirm = <T = ErrorAnswer>(id: string, previewHash: string, headers: Record<string, string> = {}) =>
  post<T>('/api/updatePlan', { planId: id, status: 'completed', previewHash }, { ...EDITOR, ...headers });
const contents = async () => Promise.all(['a.mkv', 'b.mkv'].map((name) => readFile(join(folder, name), 'utf8')));

describe('who may', () => {
  test('PLAN-53 readers neither see nor touch plans, folders and tools; nobody without a token does', async () => {
    const { id } = await swapping();
    const calls: [string, string][] = [
      ['GET', '/api/getPendingPlans'],
      ['GET', '/api/getPendingRenamePlans'],
      ['POST', '/api/updatePlan'],
      ['GET', '/v1/folders'],
      ['GET', '/v1/tools'],
      ['POST', '/v1/tools/listFiles'],
      ['GET', '/v1/plans'],
      ['GET', `/v1/plans/${id}`],
      ['GET', `/v1/plans/${id}/preview`],
      ['POST', `/v1/plans/${id}/undo`],
      ['POST', '/v1/plans/recognize'],
    ];
    for (const [method, path] of calls) {
      const body = method === 'POST' ? {} : undefined;
      expect([path, (await server.api(method, path, body, READER)).status]).toEqual([path, 403]);
      const nobody = await fetch(`${server.url}${path}`, { method, body: body ? '{}' : null });
      expect([path, nobody.status]).toEqual([path, 401]);
    }
    expect((await get('/v1/config', READER)).body).toMatchObject({ ingestion: true });
    expect(JSON.stringify((await get('/v1/config', READER)).body)).not.toContain(media);
    expect((await get('/api/other')).status).toBe(404);
  });

  test('PLAN-50 only folders below the roots are seen, whatever leads out of them', async () => {
    await writeFile(join(outside, 'secret.mkv'), 'secret');
    await symlink(outside, join(media, 'way out'));
    await symlink(join(outside, 'secret.mkv'), join(folder, 'linked.mkv'));
    await symlink(folder, join(media, `again ${count}`));
    const list = (mediaFolderPath: string) =>
      post<{ files: { path: string }[] } & ErrorAnswer>('/v1/tools/listFiles', { mediaFolderPath });
    for (const path of [outside, join(media, 'way out'), '/', '/etc', `${media}x`, `${folder}/a.mkv`, `${media}/../x`])
      expect([path, [400, 404].includes((await list(path)).status)]).toEqual([path, true]);
    const seen = await list(folder);
    expect(seen.body.files.map(({ path }) => path)).toEqual([`${folder}/a.mkv`, `${folder}/b.mkv`]);
    expect((await list(`${media}/again ${count}`)).status).toBe(200);
    const { body } = await post<{ taskId: string }>('/v1/tools/beginRecognizeTask', { mediaFolderPath: folder });
    const linked = { taskId: body.taskId, season: 1, episode: 1, path: `${folder}/linked.mkv` };
    expect((await post('/v1/tools/addRecognizedMediaFile', linked)).status).toBe(400);
    expect((await get<{ folders: string[] }>('/v1/folders')).body).toEqual({ folders: [media] });
  });

  test('PLAN-53 what a tool takes is its schema: an unknown field is refused, an unknown tool is not there', async () => {
    const { body } = await get<{ tools: { name: string; parameters: Record<string, unknown> }[] }>('/v1/tools');
    expect(body.tools).toHaveLength(9);
    expect(body.tools[1]).toMatchObject({
      name: 'addRecognizedMediaFile',
      parameters: { type: 'object', required: ['taskId', 'season', 'episode', 'path'], additionalProperties: false },
    });
    expect((await post('/v1/tools/listFiles', { mediaFolderPath: folder, more: 1 })).status).toBe(400);
    expect((await post('/v1/tools/rm', {})).status).toBe(404);
  });
});

describe('a confirmed rename', () => {
  test('PLAN-60, PLAN-88 is carried out as it was shown, completed after, undone on wish, and who did it is in the log', async () => {
    const { id, hash } = await swapping();
    const key = { 'Idempotency-Key': `confirm-${id}` };
    const done = await confirm<{ outcome: { renamed: number } }>(id, hash, key);
    expect([done.status, done.body.outcome.renamed]).toEqual([200, 2]);
    expect(await contents()).toEqual(['b.mkv', 'a.mkv']);
    // Sent again, it is answered as before and nothing is renamed back.
    const again = await confirm(id, hash, key);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect(await contents()).toEqual(['b.mkv', 'a.mkv']);
    const undone = await post<{ renamed: number }>(`/v1/plans/${id}/undo`, {});
    expect([undone.status, undone.body.renamed]).toEqual([200, 2]);
    expect(await contents()).toEqual(['a.mkv', 'b.mkv']);
    expect((await post(`/v1/plans/${id}/undo`, {})).body.error).toMatchObject({ code: 'conflict', result: 'refused' });
    const log = await server.api<{ items: { action: string; user_id: string }[] }>('GET', `/v1/audit?entity_id=${id}`);
    expect(log.body.items.map(({ action, user_id }) => `${user_id} ${action}`)).toEqual([
      'ada plan.undone',
      'ada plan.renamed',
      'ada plan.proposed',
    ]);
  });

  test('PLAN-60, PLAN-87 that is not what was shown, or has something in its way, touches nothing and stays pending with the reason', async () => {
    const { id, hash } = await swapping();
    expect((await confirm(id, '0'.repeat(64))).body.error).toMatchObject({
      code: 'conflict',
      problems: [{ code: 'preview-changed' }],
    });
    await writeFile(join(folder, 'a.mkv'), 'written since the plan');
    const refused = await confirm(id, hash);
    expect(refused.status).toBe(409);
    expect(refused.body.error).toMatchObject({ result: 'refused', problems: [{ code: 'source-changed', row: 0 }] });
    expect(await contents()).toEqual(['written since the plan', 'b.mkv']);
    const kept = await get<{ plan: { status: string }; state: { problem?: string } }>(`/v1/plans/${id}`);
    expect([kept.body.plan.status, kept.body.state.problem]).toEqual(['pending', refused.body.error.message]);
  });

  test('PLAN-46 rows that the person changed are another plan: the earlier hash does not confirm it', async () => {
    const { id, hash } = await swapping();
    const files = [{ from: `${folder}/a.mkv`, to: `${folder}/c.mkv` }];
    const changed = await server.api('PATCH', `/v1/plans/${id}`, { files }, EDITOR);
    expect(changed.status).toBe(200);
    expect((await confirm(id, hash)).body.error).toMatchObject({ problems: [{ code: 'preview-changed' }] });
    const preview = await get<PlanPreview>(`/v1/plans/${id}/preview`);
    expect((await confirm(id, preview.body.hash)).status).toBe(200);
    expect((await readdir(folder)).sort()).toEqual(['b.mkv', 'c.mkv']);
  });

  test('PLAN-60 two people confirm one plan at once: it is carried out once', async () => {
    const { id, hash } = await swapping();
    const answers = await Promise.all([confirm(id, hash), confirm(id, hash)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await contents()).toEqual(['b.mkv', 'a.mkv']);
  });
});

describe('a server that died', () => {
  test('PLAN-61 in the middle of a rename: at the start every file is as before, and the plan waits with the reason', async () => {
    const data = await mkdtemp(join(tmpdir(), 'plans-crash-'));
    const journal = new MemoryJournalStore();
    const plans = { ...testPlans(join(data, 'plans'), [media]), journal };
    const { plan } = await pendingRename(plans);
    await journal.begin(headOf(plan.id));
    await journal.append('j1', [{ kind: 'intent', step: 0 }]);
    await rename(join(folder, 'a.mkv'), join(folder, 'c.mkv'));
    const started = await testServer({ data, deps: { plans } });
    // Its other file was not moved yet: back is the way.
    expect((await readdir(folder)).sort()).toEqual(['a.mkv', 'b.mkv']);
    const kept = await plans.store.read(plan.id);
    expect([kept?.plan.status, kept?.state.problem]).toEqual([
      'pending',
      'It was interrupted, and every file is as before.',
    ]);
    await started.end();
  });

  test('PLAN-61 between the last file and the word `completed`: the plan is completed at the start', async () => {
    const data = await mkdtemp(join(tmpdir(), 'plans-crash-'));
    const journal = new MemoryJournalStore();
    const plans = { ...testPlans(join(data, 'plans'), [media]), journal };
    const { plan } = await pendingRename(plans);
    await journal.begin(headOf(plan.id));
    for (const [step, [from, to]] of [
      ['a.mkv', 'c.mkv'],
      ['b.mkv', 'd.mkv'],
    ].entries()) {
      await rename(join(folder, from ?? ''), join(folder, to ?? ''));
      await journal.append('j1', [
        { kind: 'intent', step },
        { kind: 'done', step },
      ]);
    }
    await journal.append('j1', [{ kind: 'end', result: 'done', at: 1, note: '' }]);
    const started = await testServer({ data, deps: { plans } });
    const kept = await plans.store.read(plan.id);
    expect([kept?.plan.status, kept?.state.decided_by]).toEqual(['completed', 'ada']);
    await started.end();
  });

  async function pendingRename(plans: ReturnType<typeof testPlans>) {
    const kept = {
      plan: {
        id: '6f9619ff-8b86-4011-b42d-00c04fc964ff',
        task: 'rename-files' as const,
        status: 'pending' as const,
        mediaFolderPath: folder,
        files: files(),
      },
      state: {
        stage: 'ready' as const,
        created_at: 1,
        created_by: 'ada',
        ready_at: 1,
        decided_at: null,
        decided_by: null,
        sources: {},
        notes: {},
      },
    };
    await plans.store.create(kept);
    return kept;
  }

  function files() {
    return [
      { from: `${folder}/a.mkv`, to: `${folder}/c.mkv` },
      { from: `${folder}/b.mkv`, to: `${folder}/d.mkv` },
    ];
  }

  function headOf(planId: string): JournalHead {
    return {
      schemaVersion: 1,
      id: 'j1',
      root: folder,
      plan: { id: planId, hash: '', mediaFolderPath: folder, files: files() },
      steps: [
        { do: 'move', row: 0, from: 'a.mkv', to: 'c.mkv', size: 5, modified: 0 },
        { do: 'move', row: 1, from: 'b.mkv', to: 'd.mkv', size: 5, modified: 0 },
      ],
      started_at: 1,
      started_by: 'ada',
    };
  }
});

test('PLAN-54 a plan that is ready is told over the socket to who may edit, and to nobody else', async () => {
  const hear = async (token: string) => {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/v1/ws`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const messages: { type: string }[] = [];
    socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString('utf8')) as { type: string }));
    await once(socket, 'open');
    await expect.poll(() => messages.length).toBeGreaterThan(0);
    return { socket, messages };
  };
  const [editor, reader] = [await hear('the-token-of-an-editor'), await hear('the-token-of-a-reader')];
  const { body } = await post<{ taskId: string }>('/v1/tools/beginRenameFilesTaskV2', { mediaFolderPath: folder });
  const { taskId } = body;
  await post('/v1/tools/addRenameFileToTaskV2', { taskId, from: `${folder}/a.mkv`, to: `${folder}/c.mkv` });
  await post('/v1/tools/endRenameFilesTaskV2', { taskId });
  const planFilePath = server.deps.plans.planPath(taskId);
  await expect.poll(() => editor.messages).toContainEqual({ type: 'RenameFilesPlanReady', taskId, planFilePath });
  await server.importCatalog({ artists: [{ id: 'ar1', name: 'A' }], albums: [], tracks: [] });
  // Told later than the plan: the reader's socket works, and was told nothing of the plan.
  await expect.poll(() => reader.messages.map(({ type }) => type)).toContain('CatalogChanged');
  expect(JSON.stringify(reader.messages)).not.toContain(taskId);
  for (const { socket } of [editor, reader]) socket.terminate();
});

test('PLAN-62 a folder is recognised against the catalog of shows, and a plan of it waits for a person', async () => {
  const episodes = [1, 2].map((number) => ({ number, title: `Episode ${number}`, air_date: null, absolute: null }));
  const show = {
    id: 'sh_lighthouse',
    title: 'The Lighthouse Keepers',
    titles: [],
    year: 2009,
    seasons: [{ number: 1, title: null, episodes }],
  };
  const imported = await server.api<ErrorAnswer>('POST', '/v1/catalog/shows', show, {
    Authorization: `Bearer ${TOKEN}`,
  });
  expect([imported.status, imported.body.error?.message]).toEqual([201, undefined]);
  const place = join(folder, 'The Lighthouse Keepers');
  await mkdir(place);
  for (const name of [
    'The.Lighthouse.Keepers.S01E01.1080p.mkv',
    'The.Lighthouse.Keepers.S01E02.1080p.mkv',
    'sample.mkv',
  ])
    await writeFile(join(place, name), 'x'.repeat(50));
  const answer = await post<{ planId: string; show: { id: string } }>('/v1/plans/recognize', {
    mediaFolderPath: place,
  });
  expect([answer.status, answer.body.show.id]).toEqual([200, 'sh_lighthouse']);
  const kept = await get<{ plan: { files: object[] }; state: { notes: object } }>(`/v1/plans/${answer.body.planId}`);
  expect(kept.body.plan.files).toEqual([
    { season: 1, episode: 1, path: `${place}/The.Lighthouse.Keepers.S01E01.1080p.mkv` },
    { season: 1, episode: 2, path: `${place}/The.Lighthouse.Keepers.S01E02.1080p.mkv` },
  ]);
  expect(kept.body.state.notes).toMatchObject({
    [`${place}/The.Lighthouse.Keepers.S01E01.1080p.mkv`]: { confidence: expect.any(Number) },
  });
  const pending = await get<{ plans: { id: string }[] }>('/api/getPendingPlans');
  expect(pending.body.plans.map(({ id }) => id)).toContain(answer.body.planId);
  expect((await post('/v1/plans/recognize', { mediaFolderPath: outside })).status).toBe(404);
});

test("PLAN-63 the server's model is asked about what is unclear, where the person wants that; without one it is 404", async () => {
  const place = join(folder, 'Harbour');
  await mkdir(place);
  for (const name of ['Harbour.S01E01.mkv', 'Harbour.S01E02.mkv']) await writeFile(join(place, name), name);
  expect((await post('/v1/plans/recognize', { mediaFolderPath: place, agent: true })).status).toBe(404);

  const data = await mkdtemp(join(tmpdir(), 'plans-model-'));
  const model = new ScriptedModel(choosing('1981', 'Two episodes, as the old one.'), SMALL);
  const llm = {
    provider: 'ollama' as const,
    base_url: 'http://127.0.0.1:9',
    model: 'script',
    temperature: 0,
    timeout_secs: 30,
    context_length: 4096,
    key: { kind: 'none' as const },
    limits: { requests_per_minute: 100, tokens_per_day: 1_000_000 },
  };
  const other = await testServer({
    data,
    deps: { plans: testPlans(join(data, 'plans'), [media]) },
    broker: (deps) => createServerBroker(llm, { ...deps, provider: () => model }),
  });
  const titles = { 1981: ['Ebb', 'Flow'], 2019: ['Arrival', 'Low Tide', 'Departure'] };
  for (const [year, names] of Object.entries(titles)) {
    const episodes = names.map((title, at) => ({ number: at + 1, title, air_date: null, absolute: null }));
    const seasons = [{ number: 1, title: null, episodes }];
    const show = { id: `sh_${year}`, title: 'Harbour', titles: [], year: Number(year), seasons };
    expect((await other.api('POST', '/v1/catalog/shows', show)).status).toBe(201);
  }
  const recognize = (body: object) =>
    other.api<{ planId: string; show: { id: string }; questions: object[]; asked: object[] }>(
      'POST',
      '/v1/plans/recognize',
      { mediaFolderPath: place, ...body },
    );
  const alone = await recognize({});
  expect([alone.body.questions.length, alone.body.asked]).toEqual([1, []]);
  const asked = await recognize({ agent: true });
  expect([asked.body.show.id, asked.body.questions]).toEqual(['sh_1981', []]);
  expect(asked.body.asked).toEqual([
    {
      question: 'Which show is this folder of? Its files say "Harbour".',
      answer: 'Harbour (1981)',
      why: 'Two episodes, as the old one.',
      refused: null,
    },
  ]);
  const kept = await other.deps.plans.store.read(asked.body.planId);
  const notes = kept?.state.notes[`${place}/Harbour.S01E01.mkv`];
  expect(notes?.reasons.at(-1)).toContain('says "Harbour (1981)": Two episodes, as the old one.');
  await other.end();
});
