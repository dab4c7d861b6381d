/** Large requests on both stores: how much of one request is done before others have their turn. */
import { describe, expect, test } from 'vitest';
import { guideRequests, hostileRequests } from '../../scripts/bench/server/hostile.ts';
import { leaseOf } from '../../scripts/bench/server/hostile-saves.ts';
import { MOST_LISTED } from '#lanes/music/core/catalog.ts';
import { AT_ONCE } from '#server/http/body.ts';
import { isSchema, route, type RouteSpec } from '#server/api/route.ts';
import { catalogRoutes } from '#server/api/routes.ts';
import { AT_A_TIME, MOST_WAITING } from '#server/http/person-queue.ts';
import { createLimits } from '#server/rates/limits.ts';
import { Metrics } from '#server/watch/metrics.ts';
import type { Claim } from '#core/sync/work-protocol.ts';
import { LEASE_MS } from '#server/work/lease.ts';
import { job, step } from '../fixtures/mirrored.ts';
import { LANES, testServer, TOKEN, type ErrorAnswer } from '../fixtures/server.ts';
import { monitorTurns } from '../fixtures/turn-monitor.ts';

/** Of the largest body that a route takes; `npm run bench -- load` sends all of it. */
const SCALE = 0.01;
/** Of a worker's saves, so that one of them is longer than a turn may be. */
const SCALE_OF_SAVES = 0.03;
/** Of a guide of 16 MB, so that all of it is longer than a turn may be. */
const SCALE_OF_GUIDES = 0.15;
/** Characters of one turn. A body is parsed 128 kB at a time; a fast machine does some of those before 5 ms are over. */
const MOST = 2_000_000;

/** Null: it has no bound. */
const bytesOf = (most: RouteSpec['maxBody']): number =>
  most === undefined ? 0 : typeof most === 'number' ? most : Infinity;

describe('large requests', () => {
  test('API-107 of the largest bodies of all routes no turn parses, makes or stores more than a part', async ({
    onTestFinished,
  }) => {
    // Imports in turns as well: not everywhere a thread can be started.
    const server = await testServer();
    onTestFinished(() => server.end());
    await server.addToken('hostile-token-of-one', 'hostile', 'EditCatalog');
    const lease = await leaseOf(server.url, 'hostile-token-of-one');
    const requests = [...hostileRequests(SCALE, lease, SCALE_OF_SAVES), ...guideRequests(SCALE_OF_GUIDES)];
    const routes = catalogRoutes(server.deps, createLimits(server.store), new Metrics(server.deps));
    const large = routes.flatMap(({ spec: { method, path, body, maxBody } }) => {
      // What is neither JSON nor a text goes to the disk as it comes.
      const isRead = body !== undefined && (isSchema(body) || /xml|text/.test(body.type));
      const bytes = isRead ? bytesOf(maxBody) : 0;
      return bytes <= AT_ONCE ? [] : [`${method} ${path}`];
    });
    const tried = new Set<string>();
    for (const { method, path } of requests)
      for (const one of large)
        if (new RegExp(`^${one.replace(/:\w+/g, '[^/]+')}$`).test(`${method} ${path}`)) tried.add(one);
    expect([...tried].sort()).toEqual(large.toSorted());

    const bodies = requests.map((request) => ({ ...request, bytes: new Blob([request.body ?? '']) }));
    const monitor = monitorTurns();
    onTestFinished(() => monitor.end());
    const wrong: unknown[] = [];
    for (const { name, method, path, body, bytes, status, unread = false } of bodies) {
      monitor.begin();
      const headers = { Authorization: 'Bearer hostile-token-of-one', 'Content-Type': 'application/json' };
      const answer = await fetch(`${server.url}${path}`, { method, body: body === null ? null : bytes, headers }).catch(
        () => null,
      );
      const said = await answer?.text();
      const { json, bound } = monitor.most();
      if (json > MOST || bound > MOST) wrong.push({ name, json, bound });
      if (answer === null ? !unread : !status.includes(answer.status))
        wrong.push({ name, status: answer?.status, said });
    }
    expect(wrong).toEqual([]);
  });

  test('API-108 of one person some requests are worked on at a time, and everybody else is answered in between', async ({
    onTestFinished,
  }) => {
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const slow = route('GET /v1/slow/:who', {
      ...{ scope: 'ReadCatalog', tag: 'Catalog', summary: 'Answers when the test says so.' },
      replies: { 204: { description: 'It does.' } },
      async answer(c) {
        begun.push(c.req.param('who'));
        await new Promise<void>((end) => ends.push(end));
        return c.body(null, 204);
      },
    });
    const server = await testServer({
      lanes: () =>
        Promise.resolve(
          LANES.map((lane, at) => (at > 0 ? lane : { ...lane, routes: (deps) => [...lane.routes(deps), slow] })),
        ),
    });
    onTestFinished(() => server.end());
    for (const who of ['ann', 'bob']) await server.addToken(`the-token-of-${who}`, who, 'ReadCatalog');
    const ask = (who: string): Promise<number> =>
      fetch(`${server.url}/v1/slow/${who}`, { headers: { Authorization: `Bearer the-token-of-${who}` } }).then(
        ({ status }) => status,
      );
    const counts = (): object =>
      Object.fromEntries(['ann', 'bob'].map((who) => [who, begun.filter((one) => one === who).length]));
    const all = Array.from({ length: AT_A_TIME + MOST_WAITING + 5 }, () => ask('ann'));
    // Those that find no place are told so while all others still wait.
    await expect.poll(() => counts()).toEqual({ ann: AT_A_TIME, bob: 0 });
    expect(await Promise.race(all)).toBe(429);
    const bob = ask('bob');
    await expect.poll(() => counts()).toEqual({ ann: AT_A_TIME, bob: 1 });
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    ends.at(-1)?.();
    expect([await bob, counts()]).toEqual([204, { ann: AT_A_TIME, bob: 1 }]);
    const ended = new Set<() => void>();
    const goOn = setInterval(() => {
      for (const end of ends) if (!ended.has(end)) end();
      for (const end of ends) ended.add(end);
    }, 1);
    const statuses = await Promise.all(all);
    clearInterval(goOn);
    expect([204, 429].map((status) => statuses.filter((one) => one === status).length)).toEqual([
      AT_A_TIME + MOST_WAITING,
      5,
    ]);
    expect(await server.raw('GET', '/v1/catalog/albums').then(({ status }) => status)).toBe(200);
  });

  test('API-108 each route whose body has no bound is known, and holds a share of its own for each person', async ({
    onTestFinished,
  }) => {
    const server = await testServer();
    onTestFinished(() => server.end());
    const routes = catalogRoutes(server.deps, createLimits(server.store), new Metrics(server.deps));
    const unbound = routes.flatMap(({ spec: { method, path, maxBody } }) =>
      maxBody === null ? [`${method} ${path}`] : [],
    );
    expect(unbound.sort()).toEqual([
      // To the disk as they come: OPS-21, WORK-65 (bytes that wait of one person).
      'PATCH /v1/uploads/:sha256',
      'POST /v1/ingestion/bundles',
      'POST /v1/ingestion/upload',
      // One of a person at a time: GUIDE-183.
      'PUT /v1/guide/guides/:id',
    ]);
  });

  test('API-109 a log that stands for a million steps of another job is answered in its first part', async ({
    onTestFinished,
  }) => {
    const server = await testServer();
    onTestFinished(() => server.end());
    const all = Array.from({ length: 1500 }, (_, at) => step('a', at + 1));
    const pointing = Array.from({ length: 700 }, (_, at) => {
      const row = step('b', at + 1);
      return { ...row, step: { ...row.step, same_as: { job_id: 'a', step_number: 1, count: 1500 } } };
    });
    const body = { jobs: [job('a'), job('b')], steps: [...all, ...pointing], reviews: [] };
    expect((await server.api('PUT', '/v1/ingestion/mirror', body)).status).toBe(200);
    const log = async (id: string) =>
      (await server.api<{ id: string; reasoning_steps: object[] }>('GET', `/v1/ingestion/jobs/${id}`)).body;
    const [whole, first] = [await log('a'), await log('b')];
    expect([whole.id, whole.reasoning_steps.length]).toEqual(['a', 1500]);
    // 700 rows of its own: 1,300 steps in the place of the first, and all others as they are.
    expect([first.id, first.reasoning_steps.length]).toEqual(['b', 1300 + 699]);
    const long = Array.from({ length: 1000 }, (_, at) => step('c', at + 1, 'x'.repeat(15_000)));
    await server.api('PUT', '/v1/ingestion/mirror', { jobs: [job('c')], steps: long, reviews: [] });
    expect((await log('c')).reasoning_steps.length).toBe(532);
  });

  test('API-110 an album of more tracks than a person looks at is answered with the first, and none is made with so many', async ({
    onTestFinished,
  }) => {
    const server = await testServer();
    onTestFinished(() => server.end());
    const tracks = Array.from({ length: MOST_LISTED + 1 }, (_, at) => ({
      ...{ title: `Track ${at}`, disc: 1 + Math.floor(at / 1000), position: 1 + (at % 1000), duration_ms: 1000 },
    }));
    const album = { title: 'Endless', artist: 'Nobody' };
    expect((await server.api('POST', '/v1/catalog/albums', { ...album, tracks })).status).toBe(400);
    const made = await server.api<{ id: string }>('POST', '/v1/catalog/albums', { ...album, tracks: tracks.slice(1) });
    expect(made.status).toBe(201);
    const { id: album_id } = made.body;
    expect((await server.api('POST', '/v1/catalog/tracks', { ...tracks[0], album_id })).status).toBe(201);
    const { body } = await server.api<{ tracks: { title: string }[] }>('GET', `/v1/catalog/albums/${album_id}`);
    expect([body.tracks.length, body.tracks[0]?.title]).toEqual([MOST_LISTED, 'Track 0']);
  });

  test("API-106 a worker's document goes in and out in parts, word for word, and only whole", async ({
    onTestFinished,
  }) => {
    const server = await testServer();
    onTestFinished(() => server.end());
    const claim = async (): Promise<Claim | null> =>
      (await server.api<{ claim: Claim | null }>('POST', '/v1/ingestion/claims', { worker: 'a test' })).body.claim;
    const { id, revision } = await leaseOf(server.url, TOKEN);
    const document = Array.from({ length: 90_000 }, (_, at) => `\u{1f600}"\\${at}ü\n`).join('');
    const rows = { state: 'ready', jobs: [], steps: [], reviews: [] };
    const save = (body: object) => server.api<ErrorAnswer>('PUT', `/v1/ingestion/claims/${id}`, { ...rows, ...body });
    expect((await save({ revision, document: `${document}.`.repeat(2) })).status).toBe(200);
    expect((await save({ revision: revision + 1, document })).status).toBe(200);
    const parts = await server.store.db.selectFrom('work_documents').select(['revision', 'content']).execute();
    expect(parts.length).toBeGreaterThan(6);
    expect(Math.max(...parts.map(({ content }) => content.length))).toBeLessThan(256 * 1024);
    // No text stands for a list of its parts.
    expect((await save({ revision: revision + 2, document: ['a'] })).status).toBe(400);

    server.time.now += LEASE_MS + 1;
    expect((await claim())?.document === document).toBe(true);
    server.time.now += LEASE_MS + 1;
    await server.store.write((tx) => tx.deleteFrom('work_documents').where('part', '=', 5).execute());
    const cut = await fetch(`${server.url}/v1/ingestion/claims`, {
      ...{ method: 'POST', body: '{"worker":"a test"}' },
      headers: { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' },
    });
    await expect(cut.text()).rejects.toThrow();
  });
});
