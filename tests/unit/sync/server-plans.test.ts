import 'fake-indexeddb/auto';
import { afterEach, expect, test, vi } from 'vitest';
import { openDatabase } from '#lanes/database.ts';
import { db, setDatabase } from '#ui/client/db.ts';
import { storeToken } from '#ui/client/server-client.ts';
import { decisions, ServerPlanList } from '#lanes/video/ui/page/server-plans.svelte.ts';

setDatabase(openDatabase());
afterEach(() => vi.unstubAllGlobals());

const HASH = 'a'.repeat(64);
const plan = {
  id: 'f0f9dd3d-2a4d-4f3a-9a2f-8f2b1f1d9c11',
  task: 'rename-files',
  status: 'pending',
  mediaFolderPath: '/media/tv/Show',
  files: [{ from: '/media/tv/Show/a.mkv', to: '/media/tv/Show/b.mkv' }],
};
const state = {
  ...{ stage: 'ready', created_at: 1, created_by: 'agent', ready_at: 2, decided_at: null, decided_by: null },
};

test('VIDEO-89 a plan of the server is listed with every entry, and confirmed with the hash of the server’s own preview alone', async () => {
  const asked: [method: string, path: string, body: unknown][] = [];
  let waits = true;
  const answers: Record<string, () => unknown> = {
    '/v1/plans?status=pending&task=recognize-media-file%2Crename-files': () => ({
      items: waits ? [{ plan, state }] : [],
    }),
    [`/v1/plans/${plan.id}/preview`]: () => ({
      hash: HASH,
      problems: [{ code: 'source-missing', row: 0, path: 'a.mkv', message: 'It is gone.', remedy: 'Look.' }],
      order: [],
    }),
    '/api/updatePlan': () => ({
      success: true,
      plan: { ...plan, status: 'completed' },
      outcome: { journalId: 'j', renamed: 1, unchanged: 0, made: [], removed: [] },
    }),
  };
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit) => {
    const path = url.replace('http://127.0.0.1:8787', '');
    asked.push([method, path, typeof body === 'string' ? JSON.parse(body) : null]);
    if (path === '/api/updatePlan') waits = false;
    return new Response(JSON.stringify(answers[path]?.() ?? {}), { headers: { 'content-type': 'application/json' } });
  });
  await db.settings.put({ key: 'server_url', value: 'http://127.0.0.1:8787' });
  await storeToken('the-token');

  const list = new ServerPlanList();
  await list.load();
  expect(list.waiting.map((one) => one.plan.files)).toEqual([plan.files]);
  const [waiting] = list.waiting;
  if (waiting === undefined) throw new Error('no plan is listed');
  const preview = await list.preview(plan.id);
  expect(preview).toMatchObject({ hash: HASH, problems: [{ message: 'It is gone.', remedy: 'Look.' }] });
  await list.decide(waiting, 'completed', preview?.hash);
  // VIDEO-120: what became of it is listed at once.
  expect(decisions.count).toBe(1);
  expect(asked.find(([, path]) => path === '/api/updatePlan')).toEqual([
    'POST',
    '/api/updatePlan',
    { planId: plan.id, status: 'completed', previewHash: HASH },
  ]);
  expect([list.waiting, list.busy]).toEqual([[], null]);
});
