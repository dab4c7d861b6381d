/** What somebody would try whose outcome the store has a say in: made from the table of routes where it can be. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RouteSpec } from '#server/api/route.ts';
import { createCatalogApp } from '#server/app.ts';
import { folderId, nameFolders } from '#lanes/library/server/folders.ts';
import type { UploadAnswer } from '#core/sync/work-protocol.ts';
import { routeTable } from '../fixtures/answer-check.ts';
import { job as mirroredJob, review } from '../fixtures/mirrored.ts';
import { answersTo } from '../fixtures/route-attacks.ts';
import { SMALL_CATALOG, testServer, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';
import { curlForm } from '../fixtures/worker.ts';

let server: TestServer;
let specs: RouteSpec[];
let app: ReturnType<typeof createCatalogApp>;

beforeAll(async () => {
  server = await testServer();
  await server.importCatalog(SMALL_CATALOG);
  await server.addToken('the-token-of-mallory', 'mallory', 'EditCatalog');
  app = createCatalogApp(server.deps);
  specs = routeTable(server.deps);
});
afterAll(() => server.end());

const MALLORY = { Authorization: 'Bearer the-token-of-mallory' };

describe('strings', () => {
  test('API-14: in every string of every route it is a string', async () => {
    const before = await countTracks();
    for (const text of [`'; drop table tracks; -- ") or 1=1 $1 ? :a @b %_% {"$ne":1}`, "' or '1'='1"]) {
      for await (const [label, answer] of answersTo(app, specs, text)) expect(answer.status, label).toBeLessThan(500);
    }
    expect(await countTracks()).toBeGreaterThanOrEqual(before);
    const nothing = await server.api<ErrorAnswer>('GET', `/v1/catalog/tracks/${encodeURIComponent("' or '1'='1")}`);
    expect(nothing.status).toBe(404);
  });

  test('API-14: a zero byte is refused in an address; there, in a body, half a character and what is far too long break nothing', async () => {
    for await (const [label, answer] of answersTo(app, specs, '/a\u0000b'))
      if (label.includes('%00')) expect(answer.status, label).toBe(400);
      else expect(answer.status, label).toBeLessThan(500);
    for (const text of [`\ud800${'𝄞\u202e'.repeat(100)}`, 'a'.repeat(300_000)])
      for await (const [label, answer] of answersTo(app, specs, text, 'x'))
        expect(answer.status, label).toBeLessThan(500);
  });

  async function countTracks(): Promise<number> {
    const query = server.store.db.selectFrom('tracks').select((eb) => eb.fn.countAll<number | string>().as('rows'));
    return Number((await query.executeTakeFirstOrThrow()).rows);
  }
});

/** Whose things an address with a parameter names, the longest prefix first. */
const OWNERS = [
  ['/v1/ingestion/jobs/', 'job'],
  ['/v1/ingestion/review/', 'review'],
  ['/v1/ingestion/claims/', 'lease'],
  ['/v1/playbooks/runs/', 'playbook'],
  ['/v1/playbooks/claims/', 'playbookLease'],
  ['/v1/tokens/', 'token'],
  ['/v1/library/folders/', 'folder'],
  // The catalog and plans are everybody's who may edit; uploads are named by their content (UPLOAD-1).
  ['/v1/catalog/', 'shared'],
  ['/v1/download-requests/', 'shared'],
  ['/v1/documents/', 'shared'],
  ['/v1/guide/', 'shared'],
  ['/guide/', 'shared'],
  ['/v1/plans/', 'shared'],
  ['/v1/uploads/', 'shared'],
  // Sources of the internet.
  ['/v1/connectors/', 'shared'],
] as const;
type Owned = Record<Exclude<(typeof OWNERS)[number][1], 'shared'>, [string, ...string[]]>;

/** What a route would take if the thing were the caller's. */
const BODIES: Record<string, object> = {
  '/v1/ingestion/review/:job_id': { selected_option: 'none' },
  '/v1/ingestion/claims/:lease_id': { revision: 0, state: 'ready', document: '', jobs: [], steps: [], reviews: [] },
  '/v1/ingestion/claims/:lease_id/learned': { lane: 'music', kind: 'memory' },
};

/** Something of each kind that is the admin's. */
async function ownedByAdmin(): Promise<Owned> {
  const job = mirroredJob('private-job');
  const asking = mirroredJob('private-question', { status: 'AWAITING_REVIEW' });
  const rows = { jobs: [job, asking], steps: [], reviews: [review('private-review', [asking.id])] };
  expect((await server.api('PUT', '/v1/ingestion/mirror', rows)).status).toBe(200);
  const token = await server.api<{ id: string }>('POST', '/v1/tokens', { label: 'private', scope: 'Work' });
  await nameFolders(server.store, server.deps.clock, [{ name: 'Private', path: '/private', readers: [] }]);
  const form = curlForm([{ name: 'private.flac', bytes: Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(100, 1)]) }]);
  const sent = await server.raw('POST', '/v1/ingestion/upload', form.body, form.headers);
  const { batch_id } = (await sent.json()) as UploadAnswer;
  const claimed = await server.api<{ claim: { lease_id: string; files: { id: string }[] } }>(
    'POST',
    '/v1/ingestion/claims',
    { worker: 'of the admin' },
  );
  const { lease_id, files } = claimed.body.claim;
  const run = await server.api<{ id: string }>('POST', '/v1/playbooks/runs', { playbook: 'private' });
  const taken = await server.api<{ run: { lease_id: string } }>('POST', '/v1/playbooks/claims', { worker: 'admin' });
  return {
    playbook: [run.body.id],
    playbookLease: [taken.body.run.lease_id],
    job: [job.id],
    review: [asking.id],
    token: [token.body.id],
    folder: [folderId('Private')],
    lease: [lease_id, files[0]?.id ?? '', batch_id],
  };
}

describe('what belongs to somebody else', () => {
  test('API-17, API-67: jobs, steps and reviews of another user are not there, and cannot be written to', async () => {
    const job = mirroredJob('job-of-admin', { status: 'AWAITING_REVIEW' });
    const review = {
      id: 'rv-admin',
      job_id: job.id,
      job_ids: [job.id],
      question: 'Which?',
      reasoning: '',
      options: [{ id: 'a', label: 'A', confidence: 1 }],
      created_at: 1,
      resolved_at: null,
      resolved_by_user_id: null,
      selected_option: null,
    };
    expect(
      (await server.api('PUT', '/v1/ingestion/mirror', { jobs: [job], steps: [], reviews: [review] })).status,
    ).toBe(200);
    const as = (method: string, path: string, body?: unknown) => server.api<ErrorAnswer>(method, path, body, MALLORY);
    expect((await as('GET', `/v1/ingestion/jobs/${job.id}`)).status).toBe(404);
    expect((await as('GET', '/v1/ingestion/jobs?all=true')).body).toMatchObject({ items: [] });
    expect((await as('GET', '/v1/ingestion/review?all=true')).body).toMatchObject({ items: [] });
    expect((await as('POST', `/v1/ingestion/review/${job.id}`, { selected_option: 'a' })).status).toBe(404);
    const mirror = { jobs: [], steps: [], reviews: [] };
    const step = { id: 'st-m', step_number: 1, timestamp: 1, step_type: 'Context', content: 'mine', duration_ms: null };
    expect((await as('PUT', '/v1/ingestion/mirror', { ...mirror, jobs: [job] })).status).toBe(409);
    expect((await as('PUT', '/v1/ingestion/mirror', { ...mirror, steps: [{ job_id: job.id, step }] })).status).toBe(
      422,
    );
    expect((await as('PUT', '/v1/ingestion/mirror', { ...mirror, reviews: [review] })).status).toBe(409);
    expect((await as('DELETE', `/v1/ingestion/jobs/${job.id}`)).status).toBe(404);
    expect((await server.api('GET', `/v1/ingestion/jobs/${job.id}`)).body).toMatchObject({ reasoning_steps: [] });
  });

  test('API-17: no id of somebody else’s is any use, on whichever route, and no list has one', async () => {
    const own = await ownedByAdmin();
    const ids = Object.values(own).flat();
    for (const spec of specs.filter(({ scope, path }) => scope !== 'Admin' && path !== '/v1/ws')) {
      const whose = OWNERS.find(([prefix]) => spec.path.startsWith(prefix))?.[1];
      // A route with a parameter that is new here has to say whose things it names.
      if (spec.path.includes('/:')) expect(whose, `${spec.method} ${spec.path}`).toBeDefined();
      const name = whose !== undefined && whose !== 'shared' && spec.path.includes('/:') ? whose : null;
      if (name === null && spec.method !== 'GET') continue;
      const [first = '', second = ''] = name === null ? [] : own[name];
      const path = spec.path.replace(/:\w+/, first).replace(/:\w+/, second);
      const body = name === null || spec.body === undefined ? {} : { body: JSON.stringify(BODIES[spec.path] ?? {}) };
      const init = { method: spec.method, headers: MALLORY, ...body };
      const answer = await app.request(`${path}${name === null ? '?all=true' : ''}`, init, {});
      const label = `${spec.method} ${path}`;
      if (name !== null) expect([answer.status, label]).toEqual([404, label]);
      const said = await answer.text();
      if (name === null) for (const id of ids) expect(said, label).not.toContain(id);
    }
    // All of it is as it was.
    expect((await server.api('GET', `/v1/ingestion/jobs/${own.job[0]}`)).body).toMatchObject({ status: 'PROCESSING' });
    expect((await server.api('POST', `/v1/ingestion/claims/${own.lease[0]}/renew`, {})).status).toBe(200);
    expect((await server.api('POST', `/v1/playbooks/claims/${own.playbookLease[0]}/renew`, {})).status).toBe(200);
    expect((await server.api('DELETE', `/v1/tokens/${own.token[0]}`)).status).toBe(204);
  });

  test('API-18: fields that a caller has no business with are dropped', async () => {
    const before = (await server.api<object>('GET', '/v1/catalog/tracks/tr_a3')).body;
    const evil = {
      id: 'x',
      version: 99,
      availability: 'available',
      output_file_path: '/etc/passwd',
      audio_sha256: 'x',
    };
    const patched = await server.api('PATCH', '/v1/catalog/tracks/tr_a3', evil, MALLORY);
    expect(patched.body).toMatchObject({ id: 'tr_a3', availability: 'missing' });
    expect((await server.api('GET', '/v1/catalog/tracks/tr_a3')).body).toEqual(before);
    const asked = { track_id: 'tr_a3', status: 'fulfilled', requested_by: 'admin', id: 'mine' };
    const request = await server.api('POST', '/v1/download-requests', asked, MALLORY);
    expect(request.body).toMatchObject({ status: 'pending', requested_by: 'mallory' });
    const job = { ...mirroredJob('job-of-mallory'), user_id: 'admin', committed: 1 };
    await server.api('PUT', '/v1/ingestion/mirror', { jobs: [job], steps: [], reviews: [] }, MALLORY);
    const row = server.store.db.selectFrom('ingestion_jobs').selectAll().where('id', '=', job.id);
    expect(await row.executeTakeFirst()).toMatchObject({ user_id: 'mallory', committed: 0 });
    const proto = '{"name":"R.E.M.","__proto__":{"role":"admin"},"constructor":{"prototype":{"x":1}}}';
    expect((await server.raw('PATCH', '/v1/catalog/artists/ar_rem', proto, MALLORY)).status).toBe(200);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });
});
