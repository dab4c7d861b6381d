import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { MirrorRequest } from '#core/sync/protocol.ts';
import { ADVICE, FAILED_ADVICE, job, review, step } from '../fixtures/mirrored.ts';
import { SMALL_CATALOG, testServer, TOKEN, type TestServer } from '../fixtures/server.ts';
import {
  connectTo,
  cursorOf,
  hangUp,
  jobsOf,
  listen,
  mirrorTo,
  socketAddress,
  updates,
  type Heard,
} from '../fixtures/sockets.ts';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
  await server.importCatalog(SMALL_CATALOG);
});
afterEach(async () => {
  hangUp();
  await server.end();
});

const address = (path?: string): string => socketAddress(server, path);
const connect = (since?: string, origin?: string): Promise<Heard> => connectTo(server, since, origin);
const mirror = (request: Partial<MirrorRequest>, headers?: Record<string, string>, of = server) =>
  mirrorTo(of, request, headers);

describe('GET /v1/ws', () => {
  test('SOCKET-5: a token that reads the catalog hears of it, and of no jobs', async () => {
    const wish = { label: 'a player', scope: 'ReadCatalog' };
    const { token } = (await server.api<{ token: string }>('POST', '/v1/tokens', wish)).body;
    const [reader, editor] = [listen(address(), { token }), await connect()];
    await expect.poll(() => reader.messages.length).toBe(1);
    await mirror({ jobs: [job('j1')] });
    await expect.poll(() => updates(editor)).toHaveLength(1);
    await server.importCatalog({
      ...SMALL_CATALOG,
      artists: [...SMALL_CATALOG.artists, { id: 'ar_new', name: 'New' }],
    });
    await expect.poll(() => reader.messages.map(({ type }) => type)).toEqual(['Hello', 'CatalogChanged']);
  });

  test('SOCKET-15: an open question comes with what the agent says of it, or why it could not be asked', async () => {
    const heard = await connect();
    await expect.poll(() => heard.messages).toHaveLength(1);
    await mirror({
      jobs: [job('j1', { status: 'AWAITING_REVIEW' }), job('j2', { status: 'AWAITING_REVIEW' })],
      reviews: [review('r1', ['j1'], { advice: ADVICE }), review('r2', ['j2'], { advice: FAILED_ADVICE })],
    });
    await expect.poll(() => updates(heard).map(({ advice }) => advice)).toEqual([ADVICE, FAILED_ADVICE]);
    await server.api('POST', '/v1/ingestion/review/j1', { selected_option: 'none' });
    await expect
      .poll(() =>
        updates(heard)
          .slice(2)
          .map(({ advice }) => advice),
      )
      .toEqual([undefined]);
  });

  test('SOCKET-1 SOCKET-6: says what the specification says when a job moves, a step comes or a question opens', async () => {
    const heard = await connect();
    expect(heard.messages).toEqual([
      { type: 'Hello', cursor: expect.stringMatching(/^\w+\.0$/), resync: true, heartbeat_ms: 30_000 },
    ]);
    await mirror({
      jobs: [job('j1', { status: 'AWAITING_REVIEW' }), job('j2')],
      steps: [step('j1', 1), step('j1', 2)],
      reviews: [review('r1', ['j1'])],
    });
    await expect.poll(() => updates(heard)).toHaveLength(3);
    const cursor = expect.any(String);
    expect(updates(heard)).toEqual([
      ...[1, 2].map((number) => ({
        type: 'IngestionUpdate',
        job_id: 'j1',
        status: 'AWAITING_REVIEW',
        latest_step: step('j1', number).step,
        needs_review: true,
        cursor,
      })),
      { type: 'IngestionUpdate', job_id: 'j2', status: 'PROCESSING', latest_step: null, needs_review: false, cursor },
    ]);
    // The same again is no news; an answer is.
    await mirror({ jobs: [job('j2')], steps: [step('j1', 2)], reviews: [review('r1', ['j1'])] });
    await server.api('POST', '/v1/ingestion/review/j1', { selected_option: 'none' });
    await expect.poll(() => updates(heard)).toHaveLength(4);
    expect(updates(heard)[3]).toMatchObject({ job_id: 'j1', needs_review: false });
  });

  test('SOCKET-2: says when the catalog changed', async () => {
    const heard = await connect();
    await server.api('POST', '/v1/catalog/artists', { name: 'Somebody' });
    await expect.poll(() => heard.messages.map((message) => message.type)).toEqual(['Hello', 'CatalogChanged']);
  });

  test('SOCKET-3: opens for nobody without a signature, and for no page of a foreign origin', async () => {
    const refused = async (heard: Heard): Promise<number | undefined> => {
      const [, response] = (await once(heard.socket, 'unexpected-response')) as [unknown, { statusCode?: number }];
      return response.statusCode;
    };
    expect(await refused(listen(address()))).toBe(401);
    await expect(connect(undefined, 'https://evil.example')).rejects.toThrow('403');
    await expect(connect(undefined, 'null')).rejects.toThrow('403');
    await connect(undefined, 'https://music.example');
    await connect(undefined, server.url);
    const expired = (await server.api<{ url: string }>('POST', '/v1/sign', { path: '/v1/ws' })).body.url;
    server.time.now += 3_600_000;
    expect(await refused(listen(address(expired)))).toBe(401);
    expect((await server.api('GET', '/v1/ws')).status).toBe(426);
  });

  test('SOCKET-4: a stopping server says good-bye', async () => {
    const { socket } = await connect();
    const closed = once(socket, 'close');
    await server.close();
    expect((await closed)[0]).toBe(1001);
  });

  test('SOCKET-5, API-67: a user hears of their own jobs; an administrator, on request, of everybody’s', async () => {
    await server.addToken('token-of-bob', 'bob', 'EditCatalog');
    const admin = await connect();
    const bob = listen(address('/v1/ws'), { token: 'token-of-bob' });
    const all = listen(address('/v1/ws?all=true'), { token: TOKEN });
    for (const heard of [bob, all]) await expect.poll(() => heard.messages.length).toBe(1);
    await mirror({ jobs: [job('of-bob')] }, { Authorization: 'Bearer token-of-bob' });
    await mirror({ jobs: [job('of-admin')] });
    await expect.poll(() => jobsOf(all)).toEqual(['of-bob', 'of-admin']);
    await expect.poll(() => jobsOf(admin)).toEqual(['of-admin']);
    expect(jobsOf(bob)).toEqual(['of-bob']);
    const greedy = listen(address('/v1/ws?all=true'), { token: 'token-of-bob' });
    const [, response] = (await once(greedy.socket, 'unexpected-response')) as [unknown, { statusCode?: number }];
    expect(response.statusCode).toBe(403);
  });

  test('SOCKET-7: whoever comes back with a cursor hears first what came meanwhile, in order, once', async () => {
    const first = await connect();
    await mirror({ jobs: [job('a')] });
    await expect.poll(() => jobsOf(first)).toEqual(['a']);
    const cursor = cursorOf(first);
    first.socket.terminate();
    for (const id of ['b', 'c']) await mirror({ jobs: [job(id)] });
    const again = await connect(cursor);
    expect(again.messages[0]).toMatchObject({ type: 'Hello', cursor, resync: false });
    await mirror({ jobs: [job('d')] });
    await expect.poll(() => jobsOf(again)).toEqual(['b', 'c', 'd']);
    // The same in a message, for whoever cannot set a query.
    const third = await connect();
    third.socket.send(JSON.stringify({ type: 'Since', cursor }));
    third.socket.send('no json');
    await expect.poll(() => jobsOf(third)).toEqual(['b', 'c', 'd']);
  });

  test('SOCKET-8: a cursor of another database, from the future or from before what is kept, is answered with resync', async () => {
    await mirror({ jobs: ['a', 'b', 'c'].map((id) => job(id)) });
    const own = cursorOf(await connect());
    const mark = own.split('.')[0] ?? '';
    for (const since of ['deadbeef.1', `${mark}.99`, 'nonsense']) {
      const heard = await connect(since);
      expect(heard.messages[0]).toMatchObject({ type: 'Hello', resync: true, cursor: own });
    }
    await server.store.write((tx) => tx.deleteFrom('ingestion_updates').where('seq', '<=', 2).execute());
    expect((await connect(`${mark}.0`)).messages[0]).toMatchObject({ resync: true });
    expect((await connect(`${mark}.2`)).messages[0]).toMatchObject({ resync: false });
  });

  test('SOCKET-9: what another process wrote reaches the sockets here', async () => {
    const other = await testServer({ data: server.data });
    try {
      const heard = await connect();
      await mirror({ jobs: [job('elsewhere')], steps: [step('elsewhere', 1)] }, {}, other);
      await other.api('POST', '/v1/catalog/artists', { name: 'Somebody' });
      await expect.poll(() => jobsOf(heard)).toEqual(['elsewhere']);
      await expect.poll(() => heard.messages.some((message) => message.type === 'CatalogChanged')).toBe(true);
    } finally {
      await other.close();
    }
  });
});
