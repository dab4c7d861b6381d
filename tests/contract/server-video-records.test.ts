/** What a recognition that is confirmed on the server is written down as, over real HTTP: records, feed, undo, history. */
import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { journalsInDirectory } from '#adapters/node/rename-journal-store.ts';
import { executeRename } from '#core/plan/execute-rename.ts';
import { randomUuids } from '#core/ids.ts';
import { previewHash } from '#core/plan/preview-rename.ts';
import { isRename } from '#core/plan/plan.ts';
import type { PastPlan } from '#core/sync/plan-protocol.ts';
import type { VideoExport, VideoRecord } from '#lanes/video/core/records/video-record.ts';
import { recoverPlans } from '#server/plans/recover-plans.ts';
import { smallVideo } from '../fixtures/small-video.ts';
import { onBothStores } from '../fixtures/stores.ts';
import { testPlans, testServer, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';

const SHOW = {
  id: 'sh_harbour',
  title: 'The Quiet Harbour',
  titles: [],
  year: 2019,
  seasons: [
    {
      number: 1,
      title: null,
      episodes: [1, 2, 3].map((number) => ({ number, title: `Part ${number}`, air_date: null, absolute: null })),
    },
  ],
};

let server: TestServer;
let media: string;
let folder: string;
let count = 0;

onBothStores('records of recognised videos', () => {
  beforeAll(async () => {
    const data = await mkdtemp(join(tmpdir(), 'records-data-'));
    media = await realpath(await mkdtemp(join(tmpdir(), 'records-media-')));
    const plans = { ...testPlans(join(data, 'plans'), [media]), journal: journalsInDirectory(join(data, 'plans')) };
    server = await testServer({ data, deps: { plans } });
    expect((await server.api('POST', '/v1/catalog/import', { shows: [SHOW] })).status).toBe(200);
  });
  afterAll(async () => {
    await server.end();
    await rm(media, { recursive: true, force: true });
  });
  beforeEach(async () => {
    folder = join(media, `${++count}`, 'The Quiet Harbour');
    await mkdir(folder, { recursive: true });
    for (const name of ['harbour.s01e01.mkv', 'harbour.s01e02.mkv', 'x.mkv']) await writeFile(join(folder, name), name);
  });

  const post = <T = ErrorAnswer>(path: string, body: object) => server.api<T>('POST', path, body);
  const records = async (of = folder): Promise<VideoRecord[]> =>
    (await server.api<VideoExport>('GET', `/v1/catalog/videos?folder=${encodeURIComponent(of)}`)).body.records;
  const said = async (): Promise<string[]> =>
    (await records()).map(
      ({ path, episodes, source }) => `${path.slice(folder.length + 1)} ${episodes.join()} ${source}`,
    );

  type Files = readonly (readonly [name: string, episode: number])[];
  const rowsOf = (files: Files) => files.map(([name, episode]) => ({ season: 1, episode, path: `${folder}/${name}` }));

  /** A recognition plan that an agent makes by its tools. */
  async function byAgent(files: Files): Promise<string> {
    const { taskId } = (await post<{ taskId: string }>('/v1/tools/beginRecognizeTask', { mediaFolderPath: folder }))
      .body;
    for (const row of rowsOf(files)) await post('/v1/tools/addRecognizedMediaFile', { taskId, ...row });
    await post('/v1/tools/endRecognizeTask', { taskId });
    return taskId;
  }

  type Confirmed = { recorded: { written: number; kept: number } };
  const confirm = (planId: string) => post<Confirmed>('/api/updatePlan', { planId, status: 'completed' });
  const BOTH: Files = [
    ['harbour.s01e01.mkv', 1],
    ['x.mkv', 3],
  ];

  test('PLAN-90, PLAN-92, PLAN-96 an agent’s plan that is confirmed is recorded with show, titles, source and plan, once', async () => {
    await writeFile(join(folder, 'x.mkv'), await smallVideo('mkv'));
    const planId = await byAgent(BOTH);
    expect(await records()).toEqual([]);
    const answer = await confirm(planId);
    expect([answer.status, answer.body.recorded]).toEqual([200, { written: 2, kept: 0 }]);
    const found = await records();
    expect(found[0]).toEqual({
      schema_version: 1,
      id: found[0]?.id,
      folder,
      path: `${folder}/harbour.s01e01.mkv`,
      size: 18,
      modified: found[0]?.modified,
      seconds: null,
      show: { id: SHOW.id, title: SHOW.title, year: 2019 },
      season: 1,
      episodes: [1],
      part: null,
      title: 'Part 1',
      source: 'agent',
      confidence: 1,
      plan_id: planId,
      confirmed_at: server.time.now,
      confirmed_by: 'admin',
    });
    expect(found[1]).toMatchObject({ episodes: [3], title: 'Part 3', seconds: 90 });
    expect((await confirm(planId)).status).toBe(409);
    expect(await records()).toEqual(found);
  });

  test('PLAN-90 a rejected plan, one that is being built and one whose folder is gone record nothing', async () => {
    const rejected = await byAgent(BOTH);
    await post('/api/updatePlan', { planId: rejected, status: 'rejected' });
    const { taskId } = (await post<{ taskId: string }>('/v1/tools/beginRecognizeTask', { mediaFolderPath: folder }))
      .body;
    await post('/v1/tools/addRecognizedMediaFile', { taskId, ...rowsOf(BOTH)[0] });
    expect((await confirm(taskId)).status).toBe(409);
    const planId = await byAgent(BOTH);
    await rename(folder, `${folder}-away`);
    expect((await confirm(planId)).status).toBe(404);
    await rename(`${folder}-away`, folder);
    expect(await records()).toEqual([]);
    expect((await confirm(planId)).status).toBe(200);
    expect(await records()).toHaveLength(2);
  });

  test('PLAN-91 whatever a crash leaves between the records and the plan is whole after the next start', async () => {
    const planId = await byAgent(BOTH);
    const { store } = server.deps.plans;
    const update = store.update.bind(store);
    // The process dies after the records are committed: nothing more happens, not even the taking back.
    const died = new Promise<never>(() => undefined);
    let reached: () => void = () => undefined;
    const committed = new Promise<void>((resolve) => (reached = resolve));
    store.update = () => {
      reached();
      return died;
    };
    const request = confirm(planId).catch(() => null);
    await committed;
    store.update = update;
    expect(await records()).toHaveLength(2);
    expect((await store.read(planId))?.plan.status).toBe('pending');
    await recoverPlans(server.deps);
    expect((await store.read(planId))?.plan.status).toBe('completed');
    expect(await records()).toHaveLength(2);
    void request;
  });

  test('PLAN-91 where the plan cannot be completed after all, its records are taken back', async () => {
    const planId = await byAgent(BOTH);
    const { store } = server.deps.plans;
    const update = store.update.bind(store);
    store.update = () => Promise.reject(new Error('The disk is full.'));
    expect((await confirm(planId)).status).toBe(500);
    store.update = update;
    expect(await records()).toEqual([]);
    expect((await confirm(planId)).status).toBe(200);
    expect(await records()).toHaveLength(2);
  });

  test('PLAN-93 the feed has each record that came, changed and went, for those who may edit', async () => {
    type Page = { items: { kind: string; id: string; op: string; record: VideoRecord | null }[]; next_cursor: string };
    const feed = async (cursor: string) =>
      (await server.api<Page>('GET', `/v1/catalog/changes/videos?limit=2000&cursor=${cursor}`)).body;
    const { next_cursor: start } = await feed('');
    const planId = await byAgent(BOTH);
    await confirm(planId);
    const put = await feed(start);
    expect(put.items).toEqual((await records()).map((record) => ({ kind: 'video', id: record.id, op: 'put', record })));
    await post(`/v1/plans/${planId}/undo`, {});
    const gone = await feed(put.next_cursor);
    expect(gone.items.map(({ id, op }) => [id, op]).sort()).toEqual(put.items.map(({ id }) => [id, 'delete']).sort());
    await server.addToken('the-token-of-a-reader', 'reader', 'ReadCatalog');
    for (const path of ['/v1/catalog/changes/videos', '/v1/catalog/videos']) {
      const refused = await server.raw('GET', path, null, { Authorization: 'Bearer the-token-of-a-reader' });
      expect(refused.status).toBe(403);
    }
  });

  test('PLAN-94, PLAN-96, PLAN-101 a later plan replaces what is said of its files alone, and a person’s word stands against it', async () => {
    await confirm(await byAgent(BOTH));
    const second = await byAgent([['x.mkv', 2]]);
    const corrected = await server.api('PATCH', `/v1/plans/${second}`, { files: rowsOf([['x.mkv', 4]]) });
    expect(corrected.status).toBe(200);
    await confirm(second);
    expect(await said()).toEqual(['harbour.s01e01.mkv 1 agent', 'x.mkv 4 person']);
    const third = await confirm(
      await byAgent([
        ['harbour.s01e01.mkv', 2],
        ['x.mkv', 3],
      ]),
    );
    expect(third.body.recorded).toEqual({ written: 1, kept: 1 });
    expect(await said()).toEqual(['harbour.s01e01.mkv 2 agent', 'x.mkv 4 person']);
  });

  test('PLAN-94 a plan over a folder within, or around, is about the same files', async () => {
    await confirm(await byAgent(BOTH));
    const [first] = await records();
    const around = join(folder, '..');
    const files = [{ season: 1, episode: 2, path: `${folder}/harbour.s01e01.mkv` }];
    const made = await post<{ plan: { id: string } }>('/v1/plans', {
      task: 'recognize-media-file',
      mediaFolderPath: around,
      files,
    });
    await confirm(made.body.plan.id);
    expect(await records(around)).toHaveLength(2);
    expect((await records())[0]).toMatchObject({ id: first?.id, episodes: [2] });
  });

  test('PLAN-97 taking a recognition back restores what was said before it, once', async () => {
    const first = await byAgent(BOTH);
    await confirm(first);
    const before = await records();
    const second = await byAgent([
      ['harbour.s01e01.mkv', 2],
      ['harbour.s01e02.mkv', 3],
    ]);
    await confirm(second);
    expect(await said()).toHaveLength(3);
    const undone = await post(`/v1/plans/${second}/undo`, {});
    expect([undone.status, undone.body]).toEqual([200, { journalId: null, renamed: 0, recorded: 2 }]);
    expect(await records()).toEqual(before);
    expect((await post(`/v1/plans/${second}/undo`, {})).status).toBe(409);
    await post(`/v1/plans/${first}/undo`, {});
    expect(await records()).toEqual([]);
    expect((await confirm(second)).status).toBe(409);
  });

  test('VIDEO-119, PLAN-95 a rename plan is made of the records, and they follow it and its undo', async () => {
    await writeFile(join(folder, 'x.en.srt'), 's');
    await confirm(await byAgent(BOTH));
    const ids = (await records()).map(({ id }) => id);
    const before = await said();
    type Named = { planId: string; files: number; unchanged: number; problems: object[] };
    const { status, body } = await post<Named>('/v1/catalog/videos/rename-plan', { mediaFolderPath: folder });
    expect([status, body]).toEqual([200, { planId: body.planId, files: 3, unchanged: 0, problems: [] }]);
    const { hash } = (await server.api<{ hash: string }>('GET', `/v1/plans/${body.planId}/preview`)).body;
    const done = await post('/api/updatePlan', { planId: body.planId, status: 'completed', previewHash: hash });
    expect(done.status).toBe(200);
    const name = 'Season 01/The Quiet Harbour (2019) - s01e0';
    expect(await said()).toEqual([`${name}1 - Part 1.mkv 1 agent`, `${name}3 - Part 3.mkv 3 agent`]);
    expect((await records()).map(({ id }) => id)).toEqual(ids);
    const again = await post<Named>('/v1/catalog/videos/rename-plan', { mediaFolderPath: folder });
    expect(again.body).toMatchObject({ planId: null, files: 0, unchanged: 3 });
    await post(`/v1/plans/${body.planId}/undo`, {});
    expect(await said()).toEqual(before);
  });

  test('VIDEO-119 without records, or by a bad template, there is no rename plan', async () => {
    expect((await post('/v1/catalog/videos/rename-plan', { mediaFolderPath: folder })).status).toBe(404);
    await confirm(await byAgent(BOTH));
    const bad = await post('/v1/catalog/videos/rename-plan', { mediaFolderPath: folder, template: '{nothing}' });
    expect(bad.status).toBe(400);
  });

  test('PLAN-98 the history names what became of plans and who made them, renames by the command line too', async () => {
    const planId = await byAgent(BOTH);
    await confirm(planId);
    const files = [{ from: `${folder}/x.mkv`, to: `${folder}/y.mkv` }];
    const made = await post<{ plan: { id: string } }>('/v1/plans', {
      task: 'rename-files',
      mediaFolderPath: folder,
      files,
    });
    const renameId = made.body.plan.id;
    const history = async () =>
      (await server.api<{ items: PastPlan[] }>('GET', '/v1/plans/history?limit=500')).body.items.filter(
        ({ mediaFolderPath }) => mediaFolderPath === folder,
      );
    expect(await history()).toMatchObject([
      {
        id: planId,
        result: 'completed',
        files: 2,
        made_by: 'Admin',
        done_by: 'Admin',
        source: 'agent',
        can_undo: true,
      },
    ]);
    // As `accession rename --plan` does beside the server.
    const kept = await server.deps.plans.store.read(renameId);
    if (kept === null || !isRename(kept.plan)) throw new Error('the plan is not there');
    const seen = await server.deps.plans.folders.see(folder);
    if (seen === null) throw new Error('the folder is not there');
    const run = {
      ...seen,
      journal: journalsInDirectory(join(server.data, 'plans')),
      clock: { now: () => server.time.now + 5 },
    };
    const hash = await previewHash(kept.plan);
    await executeRename({ ...run, ids: randomUuids, by: 'root', plan: kept.plan, hash });
    expect((await history())[0]).toMatchObject({ id: renameId, result: 'renamed', done_by: 'root', can_undo: true });
    // It waits for nobody any more, and the next look completes it.
    server.time.now += 120_000;
    await history();
    expect((await server.deps.plans.store.read(renameId))?.plan.status).toBe('completed');
    // Who looks finds the records at the new names.
    expect(await said()).toEqual(['harbour.s01e01.mkv 1 agent', 'y.mkv 3 agent']);
    await writeFile(join(folder, 'y.mkv'), 'another file');
    const refused = await post<{ error: { problems: { code: string; path: string }[] } }>(
      `/v1/plans/${renameId}/undo`,
      {},
    );
    expect(refused.status).toBe(409);
    expect(refused.body.error.problems).toMatchObject([{ code: 'source-changed' }]);
  });
});
