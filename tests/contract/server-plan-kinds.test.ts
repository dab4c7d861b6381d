/** A kind of plan that a made-up lane brings, over HTTP: tools, lists, decisions, and renames beside it. */
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Plan } from '#core/plan/plan.ts';
import { testPlans, testServer, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';
import { sortParcels } from '../lanes/parcels/core/sort-parcels.ts';

let server: TestServer;
let data: string;
let media: string;
let folder: string;
const heard: unknown[] = [];

beforeAll(async () => {
  data = await mkdtemp(join(tmpdir(), 'kinds-data-'));
  media = await realpath(await mkdtemp(join(tmpdir(), 'kinds-media-')));
  folder = join(media, 'Monday');
  await mkdir(folder);
  for (const name of ['a.box', 'b.box']) await writeFile(join(folder, name), name);
  const plans = testPlans(join(data, 'plans'), [media], [{ kinds: [sortParcels], tools: () => [] }]);
  server = await testServer({ data, deps: { plans } });
  server.deps.events.listen((event) => heard.push(event));
});
afterAll(async () => {
  await server.end();
  await rm(media, { recursive: true, force: true });
});

test('PLAN-51 a plan is made by the tools of its kind, announced, listed, corrected and decided', async () => {
  const tool = <T>(name: string, input: object) => server.api<T>('POST', `/v1/tools/${name}`, input);
  const { body: begun } = await tool<{ taskId: string }>('beginSortParcels', { mediaFolderPath: folder });
  const { taskId } = begun;
  const entry = { parcel: `${folder}/a.box`, shelf: 'A1' };
  expect((await tool('addSortedParcel', { taskId, ...entry })).body).toEqual({ success: true });
  expect((await tool<ErrorAnswer>('addSortedParcel', { taskId, ...entry })).status).toBe(409);
  expect((await tool<ErrorAnswer>('endRenameFilesTaskV2', { taskId })).status).toBe(404);
  expect((await tool('endSortParcels', { taskId })).status).toBe(200);
  expect(heard).toEqual([
    { type: 'SortParcelsPlanReady', taskId, planFilePath: join(data, 'plans', `${taskId}.plan.json`) },
  ]);

  const listed = await server.api<{ items: { plan: Plan }[] }>('GET', '/v1/plans?status=pending');
  expect(listed.body.items.map(({ plan }) => [plan.task, plan.files])).toEqual([['sort-parcels', [entry]]]);
  const files = [{ ...entry, shelf: 'B2' }];
  const changed = await server.api<{ plan: Plan }>('PATCH', `/v1/plans/${taskId}`, { files });
  expect(changed.body.plan.files).toEqual(files);
  // Nothing is carried out for such a plan, so that there is nothing to preview.
  expect((await server.api('GET', `/v1/plans/${taskId}/preview`)).status).toBe(400);
  const decided = await server.api<{ plan: Plan }>('POST', '/api/updatePlan', { planId: taskId, status: 'completed' });
  expect([decided.status, decided.body.plan.status]).toEqual([200, 'completed']);
  const document = await readFile(join(data, 'plans', `${taskId}.plan.json`), 'utf8');
  expect(document).toBe(
    `${JSON.stringify({ id: taskId, task: 'sort-parcels', status: 'completed', mediaFolderPath: folder, files }, null, 2)}\n`,
  );
});

test('PLAN-46 it is proposed at once, and what other lanes bring is not known here', async () => {
  const propose = (task: string, files: object[]) =>
    server.api<{ plan: Plan }>('POST', '/v1/plans', { task, mediaFolderPath: folder, files });
  expect((await propose('sort-parcels', [{ parcel: `${folder}/b.box`, shelf: 'C3' }])).status).toBe(201);
  expect((await propose('rename-files', [{ from: `${folder}/b.box`, to: `${folder}/c.box` }])).status).toBe(201);
  const unknown = [{ season: 1, episode: 1, path: `${folder}/b.box` }];
  expect((await propose('recognize-media-file', unknown)).status).toBe(400);
  expect((await server.api('GET', '/api/getPendingPlans')).status).toBe(404);
  expect((await server.api('GET', '/api/getPendingRenamePlans')).status).toBe(200);
});
