/** Two servers on one database, over HTTP, asked at the same instant: everything is done once. */
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { ChangesPage } from '#lanes/music/core/catalog.ts';
import type { ServerMessage } from '#core/sync/socket-messages.ts';
import { job, review } from '../fixtures/mirrored.ts';
import { commitOf, SMALL_CATALOG, testServer, TOKEN, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';
import { onBothStores } from '../fixtures/stores.ts';
import { vorbisFile } from '../fixtures/vorbis-file.ts';

let first: TestServer;
let second: TestServer;
const sockets: WebSocket[] = [];

const both = <T>(ask: (server: TestServer, at: number) => Promise<T>): Promise<T[]> =>
  Promise.all([first, second].map(ask));

onBothStores('two servers', () => {
  beforeEach(async () => {
    first = await testServer();
    await first.importCatalog(SMALL_CATALOG);
    second = await testServer({ data: first.data });
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.terminate();
    await second.close();
    await first.end();
  });

  describe('API-20 at once', () => {
    test('API-3: one Idempotency-Key makes one thing, and both hear of the same', async () => {
      const headers = { 'Idempotency-Key': 'the-same-key' };
      const body = { name: 'Sigur Rós' };
      const answers = await both((server) => server.api<{ id: string }>('POST', '/v1/catalog/artists', body, headers));
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      expect(answers[0]?.body).toEqual(answers[1]?.body);
      const rows = await first.store.db.selectFrom('artists').select('id').where('name', '=', 'Sigur Rós').execute();
      expect(rows).toEqual([{ id: answers[0]?.body.id }]);
    });

    test('COMMIT-3: of two results for one track one is published, and nothing of the other is', async () => {
      const files = [vorbisFile({ durationMs: 1000 }), vorbisFile({ durationMs: 1000, seed: 1 })];
      await both((server, at) => server.upload(files[at] ?? vorbisFile({ durationMs: 1000 })));
      const answers = await both((server, at) => {
        const file = files[at] ?? vorbisFile({ durationMs: 1000 });
        return server.api('POST', '/v1/ingestion/commits', commitOf(file, 'tr_h1'), { 'Idempotency-Key': `key-${at}` });
      });
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const winner = files[answers.findIndex(({ status }) => status === 200)];
      const audio = await second.raw('GET', '/v1/catalog/tracks/tr_h1/audio');
      expect(audio.headers.get('etag')).toBe(`"${winner?.sha256}"`);
      await audio.arrayBuffer();
      expect(await first.store.db.selectFrom('former_media').selectAll().execute()).toEqual([]);
    });

    test('ANSWER-2: of two answers the first counts, and the other is told which', async () => {
      const question = { jobs: [job('j1', { status: 'AWAITING_REVIEW' })], steps: [], reviews: [review('r1', ['j1'])] };
      await first.api('PUT', '/v1/ingestion/mirror', question);
      const options = ['none', 'cancelled'];
      const answers = await both((server, at) =>
        server.api<{ selected_option: string } & ErrorAnswer>('POST', '/v1/ingestion/review/j1', {
          selected_option: options[at],
        }),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      const won = answers.findIndex(({ status }) => status === 200);
      const row = await first.store.db.selectFrom('ingestion_reviews').select('selected_option').execute();
      expect(row).toEqual([{ selected_option: options[won] }]);
    });

    test('WORK-1: of two workers one gets the upload', async () => {
      const form = new FormData();
      form.append('files', new Blob(['fLaC', new Uint8Array(40)]), 'one.flac');
      const sent = await first.raw('POST', '/v1/ingestion/upload', form);
      expect(sent.status).toBe(201);
      await sent.text();
      const claims = await both((server, at) =>
        server.api<{ claim: object | null }>('POST', '/v1/ingestion/claims', { worker: `worker ${at}` }),
      );
      expect(claims.map(({ status }) => status)).toEqual([200, 200]);
      expect(claims.filter(({ body }) => body.claim !== null)).toHaveLength(1);
    });

    test('AUTH-1 API-11: an invitation is used once, and tries are counted across both', async () => {
      const { body } = await first.api<{ secret: string }>('POST', '/v1/invites', { name: 'Vera', role: 'editor' });
      const tried = (server: TestServer, secret: string): Promise<number> =>
        server.api('POST', '/v1/invites/accept', { secret }).then(({ status }) => status);
      expect((await both((server) => tried(server, body.secret))).sort()).toEqual([201, 404]);
      const tries = Array.from({ length: 24 }, (_, at) => tried(at % 2 === 0 ? first : second, 'wrong'));
      const statuses = await Promise.all(tries);
      expect([404, 429].map((status) => statuses.filter((one) => one === status).length)).toEqual([19, 5]);
    });
  });

  test('FEED-2: what either writes is in the feed of both, once and in one order', async () => {
    const page = async (server: TestServer, cursor: string) =>
      (await server.api<ChangesPage>('GET', `/v1/catalog/changes?cursor=${cursor}`)).body;
    const { next_cursor: from } = await page(first, '');
    const names = Array.from({ length: 8 }, (_, at) => `Artist ${at}`);
    const made = names.map((name, at) =>
      (at % 2 === 0 ? first : second).api<{ id: string }>('POST', '/v1/catalog/artists', { name }),
    );
    const ids = (await Promise.all(made)).map(({ body }) => body.id);
    const [one, other] = await both((server) => page(server, from));
    expect(one?.items.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    expect(other).toEqual(one);
  });

  test('UPLOAD-6: the bound of resumable uploads holds whichever is asked', async () => {
    for (const { deps } of [first, second])
      deps.uploadLimits = { ...deps.uploadLimits, unfinishedTotalBytes: 2_000_000 };
    const begin = async (server: TestServer, sha256: string): Promise<number> => {
      const metadata = `sha256 ${Buffer.from(sha256).toString('base64')}`;
      const headers = { 'Tus-Resumable': '1.0.0', 'Upload-Length': '900000', 'Upload-Metadata': metadata };
      return (await server.raw('POST', '/v1/uploads', null, headers)).status;
    };
    const statuses: number[] = [];
    for (const [at, digit] of ['a', 'b', 'c'].entries())
      statuses.push(await begin(at % 2 === 0 ? first : second, digit.repeat(64)));
    expect(statuses).toEqual([201, 429, 429]);
  });

  describe('sockets', () => {
    const open = async (server: TestServer, token: string, path = '/v1/ws') => {
      const socket = new WebSocket(`${server.url.replace('http', 'ws')}${path}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      sockets.push(socket);
      const heard: string[] = [];
      socket.on('message', (data: Buffer) => {
        heard.push((JSON.parse(data.toString('utf8')) as ServerMessage).type);
      });
      const closed = once(socket, 'close').then(([code]) => code as number);
      await once(socket, 'open');
      await expect.poll(() => heard).toEqual(['Hello']);
      return { heard, closed };
    };

    test('SOCKET-13, SOCKET-14: close on both servers when the token is revoked, the person removed or the role lowered', async () => {
      const made = await first.api<{ id: string; token: string }>('POST', '/v1/tokens', {
        label: 'script',
        scope: 'Admin',
      });
      const revoked = await both((server) => open(server, made.body.token));
      const stays = await both((server) => open(server, TOKEN));
      expect((await first.api('DELETE', `/v1/tokens/${made.body.id}`)).status).toBe(204);
      expect(await Promise.all(revoked.map(({ closed }) => closed))).toEqual([1008, 1008]);

      const { body } = await first.api<{ secret: string }>('POST', '/v1/invites', { name: 'Vera', role: 'admin' });
      const vera = await first.api<{ token: string; user_id: string }>('POST', '/v1/invites/accept', body);
      const person = `/v1/users/${vera.body.user_id}`;
      const all = await open(second, vera.body.token, '/v1/ws?all=true');
      const jobs = await open(second, vera.body.token);
      expect((await first.api('PATCH', person, { role: 'reader' })).status).toBe(200);
      expect([await all.closed, await jobs.closed]).toEqual([1008, 1008]);
      // Come again as a reader, it hears that the catalog changed.
      const own = await open(second, vera.body.token);
      await first.api('POST', '/v1/catalog/artists', { name: 'Somebody' });
      await expect.poll(() => own.heard).toContain('CatalogChanged');
      expect((await first.api('DELETE', person)).status).toBe(204);
      expect(await own.closed).toBe(1008);
      for (const { heard } of stays) expect(heard).toContain('Hello');
      expect(sockets.filter(({ readyState }) => readyState === WebSocket.OPEN)).toHaveLength(2);
    });
  });

  test('OPS-6: a server that stops ends what is under way, says good-bye to sockets, and takes nothing new', async () => {
    const socket = new WebSocket(`${second.url.replace('http', 'ws')}/v1/ws`, {
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    sockets.push(socket);
    await once(socket, 'open');
    const closed = once(socket, 'close').then(([code]) => code as number);
    let finish = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      const authenticate = second.deps.auth.authenticate.bind(second.deps.auth);
      second.deps.auth.authenticate = (token) => {
        resolve();
        return authenticate(token);
      };
    });
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"name":'));
        finish = () => {
          controller.enqueue(new TextEncoder().encode('"Late"}'));
          controller.close();
        };
      },
    });
    const init = { method: 'POST', body, duplex: 'half' };
    const headers = { Authorization: `Bearer ${TOKEN}`, 'Content-Type': 'application/json' };
    const late = fetch(`${second.url}/v1/catalog/artists`, { ...init, headers });
    // The server has begun to read it.
    await begun;
    const stopped = second.close();
    expect(await closed).toBe(1001);
    await expect(fetch(`${second.url}/health`)).rejects.toThrow();
    finish();
    expect((await late).status).toBe(201);
    await stopped;
    expect((await first.api('GET', '/health')).status).toBe(200);
  });
});
