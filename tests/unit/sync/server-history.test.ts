import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PastPlan } from '#core/sync/plan-protocol.ts';
import { openDatabase } from '#lanes/database.ts';
import { makerWords, pastWords, ServerHistoryList } from '#lanes/video/ui/page/server-history.svelte.ts';
import { db, setDatabase } from '#ui/client/db.ts';
import { storeToken } from '#ui/client/server-client.ts';
import { toasts } from '#ui/parts/toasts.svelte.ts';

setDatabase(openDatabase());

const ID = 'f0f9dd3d-2a4d-4f3a-9a2f-8f2b1f1d9c11';
const past: PastPlan = {
  ...{ id: ID, task: 'rename-files', mediaFolderPath: '/media/tv/Show', files: 1, problem: null },
  ...{ made_by: 'Kim', source: 'agent', done_by: 'root', at: 5, result: 'renamed', can_undo: true },
};
const plan = {
  ...{ id: ID, task: 'rename-files', status: 'completed', mediaFolderPath: '/media/tv/Show' },
  files: [{ from: '/media/tv/Show/a.mkv', to: '/media/tv/Show/b.mkv' }],
};
const state = {
  ...{ stage: 'ready', created_at: 1, created_by: 'kim', ready_at: 2, decided_at: 3, decided_by: 'kim' },
};
const problem = {
  ...{ code: 'source-changed', row: 0, path: '/media/tv/Show/b.mkv' },
  ...{ message: '"/media/tv/Show/b.mkv" changed since it was renamed.', remedy: 'Rename it by hand.' },
};

/** What the server answers to an undo. */
let undo: () => Response;
let asked: string[];

const json = (body: object, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

beforeEach(async () => {
  asked = [];
  const answers: Record<string, () => Response> = {
    'GET /v1/plans/history?limit=20&task=recognize-media-file%2Crename-files': () =>
      json({ items: [past], more: false }),
    [`GET /v1/plans/${ID}`]: () => json({ plan, state }),
    [`POST /v1/plans/${ID}/undo`]: () => undo(),
    'POST /v1/catalog/videos/rename-plan': () => json({ planId: ID, files: 2, unchanged: 0, problems: [] }),
  };
  vi.stubGlobal('fetch', async (url: string, { method = 'GET' }: RequestInit) => {
    const at = `${method} ${url.replace('http://127.0.0.1:8787', '')}`;
    asked.push(at);
    return answers[at]?.() ?? json({ error: { code: 'not_found', message: `${at} is not there.`, remedy: '' } }, 404);
  });
  await db.settings.put({ key: 'server_url', value: 'http://127.0.0.1:8787' });
  await storeToken('the-token');
});
afterEach(() => vi.unstubAllGlobals());

test('VIDEO-120 plans of the server are listed with who made and did them, their files are read when looked at, and undone once', async () => {
  const list = new ServerHistoryList();
  await list.load();
  expect(list.items).toEqual([past]);
  expect([pastWords(past), makerWords(past)]).toEqual(['Renamed', 'Kim, by an agent or a program']);
  expect(asked).toEqual(['GET /v1/plans/history?limit=20&task=recognize-media-file%2Crename-files']);
  await list.open(ID);
  await list.open(ID);
  expect(list.plans.get(ID)?.files).toEqual(plan.files);
  expect(asked.filter((at) => at === `GET /v1/plans/${ID}`)).toHaveLength(1);

  undo = () => json({ journalId: 'j', renamed: 1 });
  const said = vi.spyOn(toasts, 'say');
  const first = list.undo(past);
  expect(list.undoing).toBe(ID);
  await Promise.all([first, list.undo(past)]);
  expect(asked.filter((at) => at.endsWith('/undo'))).toHaveLength(1);
  expect(said).toHaveBeenCalledWith('1 file has its former name again.');
  expect(list.refused.size).toBe(0);
  await list.rename({ ...past, task: 'recognize-media-file' });
  expect(said).toHaveBeenCalledWith('A plan of new names for 2 files waits above.');
});

test('VIDEO-121 what stands in the way of an undo is kept at its plan, file by file, until it is tried again', async () => {
  const list = new ServerHistoryList();
  const error = { code: 'conflict', message: problem.message, remedy: problem.remedy };
  undo = () => json({ error: { ...error, result: 'refused', problems: [problem] } }, 409);
  await list.undo(past);
  expect(list.refused.get(ID)).toMatchObject({ result: 'refused', problems: [problem], standing: [] });
  expect(list.undoing).toBeNull();
  undo = () => json({ error: { code: 'internal', message: 'The disk is full.', remedy: 'Free some.' } }, 500);
  const failed = vi.spyOn(toasts, 'fail');
  await list.undo(past);
  expect(failed).toHaveBeenCalledWith(expect.objectContaining({ code: 'server_error', message: 'The disk is full.' }));
  expect(list.refused.size).toBe(0);
});
