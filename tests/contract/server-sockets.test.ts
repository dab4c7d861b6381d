import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { MirrorRequest } from '#core/sync/protocol.ts';
import type { ServerMessage } from '#core/sync/socket-messages.ts';
import { job, review, step } from '../fixtures/mirrored.ts';
import { SMALL_CATALOG, testServer, TOKEN, type TestServer } from '../fixtures/server.ts';

let server: TestServer;
const sockets: WebSocket[] = [];
beforeEach(async () => {
  server = await testServer();
  await server.importCatalog(SMALL_CATALOG);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  await server.end();
});

interface Heard {
  socket: WebSocket;
  messages: ServerMessage[];
}

/** Everything that a socket hears, from its first message on. */
function listen(address: string, options: { origin?: string; token?: string } = {}): Heard {
  const { origin, token } = options;
  const socket = new WebSocket(address, {
    ...(origin === undefined ? {} : { origin }),
    ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
  });
  sockets.push(socket);
  const messages: ServerMessage[] = [];
  socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString('utf8')) as ServerMessage));
  socket.on('error', () => undefined);
  return { socket, messages };
}

const address = (path = '/v1/ws', of: TestServer = server): string => `${of.url.replace('http', 'ws')}${path}`;

async function connect(since?: string, origin?: string, of = server): Promise<Heard> {
  const { body } = await of.api<{ url: string }>('POST', '/v1/sign', { path: '/v1/ws' });
  const url = address(`${body.url}${since === undefined ? '' : `&since=${since}`}`, of);
  const heard = listen(url, origin === undefined ? {} : { origin });
  await Promise.race([
    once(heard.socket, 'open'),
    once(heard.socket, 'unexpected-response').then(([, response]: { statusCode?: number }[]) => {
      throw new Error(String(response?.statusCode));
    }),
  ]);
  await expect.poll(() => heard.messages.length).toBeGreaterThan(0);
  return heard;
}

const mirror = (request: Partial<MirrorRequest>, headers: Record<string, string> = {}, of = server) =>
  of.api('PUT', '/v1/ingestion/mirror', { jobs: [], steps: [], reviews: [], ...request }, headers);
const updates = ({ messages }: Heard) => messages.filter((message) => message.type === 'IngestionUpdate');
const jobsOf = (heard: Heard) => updates(heard).map((message) => message.job_id);
const cursorOf = (heard: Heard): string => {
  const last = heard.messages.findLast((message) => 'cursor' in message);
  return last !== undefined && 'cursor' in last ? (last.cursor ?? '') : '';
};

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

  test('SOCKET-5: a user hears of their own jobs; an administrator, on request, of everybody’s', async () => {
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

  test('SOCKET-10: a reader who takes nothing is dropped, comes again and has missed nothing', async () => {
    const slow = await connect();
    const quick = await connect();
    const cursor = cursorOf(slow);
    slow.socket.pause();
    const content = 'x'.repeat(19_000);
    let number = 0;
    const more = async (): Promise<void> => {
      const steps = Array.from({ length: 250 }, () => step('j1', (number += 1), content));
      await mirror({ jobs: [job('j1')], steps });
    };
    const closed = once(slow.socket, 'close');
    // What the system's buffers take, which nobody knows, and a megabyte.
    for (let round = 0; round < 3; round += 1) await more();
    // Fourteen megabytes: on a busy machine they take their time.
    await expect.poll(() => updates(quick).length, { timeout: 50_000 }).toBe(number);
    slow.socket.resume();
    await closed;
    expect(updates(slow).length).toBeLessThan(number);
    const again = await connect(cursor);
    await expect.poll(() => updates(again).length, { timeout: 50_000 }).toBe(number);
    const last = updates(again).at(-1);
    expect(last?.latest_step?.step_number).toBe(number);
  }, 120_000);

  test('SOCKET-11: a thousand sockets are held, and each hears what it should', async () => {
    const many = 1000;
    const greeted = new Set<number>();
    const heard = new Set<number>();
    const open = Array.from({ length: many }, (_, at) => {
      const socket = new WebSocket(address(), { headers: { authorization: `Bearer ${TOKEN}` } });
      sockets.push(socket);
      socket.on('message', (data: Buffer) => {
        const { type } = JSON.parse(data.toString('utf8')) as ServerMessage;
        if (type === 'Hello') greeted.add(at);
        if (type === 'IngestionUpdate') heard.add(at);
      });
      return once(socket, 'open');
    });
    await Promise.all(open);
    await expect.poll(() => greeted.size).toBe(many);
    await mirror({ jobs: [job('seen-by-all')] });
    await expect.poll(() => heard.size).toBe(many);
  }, 60_000);
});
