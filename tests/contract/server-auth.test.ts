import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SMALL_CATALOG, testServer, TOKEN, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await testServer();
  await server.importCatalog(SMALL_CATALOG);
  await server.addToken('a-token-without-scopes', 'reader', 'Listen');
  await server.addToken('a-token-of-a-worker', 'worker', 'Work');
});
afterAll(() => server.end());

describe('who asks', () => {
  test('API-1: an address that does not exist tells nobody without a token', async () => {
    expect((await fetch(`${server.url}/v1/nothing`)).status).toBe(401);
    const answer = await server.api<ErrorAnswer>('GET', '/v1/nothing');
    expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
  });

  test('API-1: GET /health is open', async () => {
    const response = await fetch(`${server.url}/health`);
    expect(await response.json()).toMatchObject({ status: 'ok', version: '0.0.0-test' });
  });

  test('API-1: who asks is told', async () => {
    const { body } = await server.api('GET', '/v1/me');
    expect(body).toEqual({
      user_id: 'admin',
      name: 'Admin',
      scopes: ['EditCatalog', 'Admin'],
      link: false,
      expires_at: null,
    });
  });

  test('API-6: tokens are stored hashed and never logged', async () => {
    const rows = await server.store.db.selectFrom('tokens').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(TOKEN);
    expect(server.logged.join('\n')).not.toContain(TOKEN);
  });
});

describe('signed URLs', () => {
  const path = '/v1/catalog/tracks/tr_h1';
  const sign = async (): Promise<string> => {
    const { status, body } = await server.api<{ url: string; expires_at: number }>('POST', '/v1/sign', { path });
    expect(status).toBe(200);
    expect(body.expires_at).toBeGreaterThan(server.time.now);
    return body.url;
  };

  test('API-5: one reads its own path without a header', async () => {
    const url = await sign();
    const response = await fetch(`${server.url}${url}`);
    expect(await response.json()).toMatchObject({ id: 'tr_h1' });
  });

  test('API-5, API-65: it is good for no other path, no writing, no other user and no longer than it says', async () => {
    const url = await sign();
    const query = url.slice(url.indexOf('?'));
    const status = async (target: string, method = 'GET'): Promise<number> =>
      (await fetch(`${server.url}${target}`, { method })).status;
    expect(await status(`/v1/catalog/tracks/tr_h2${query}`)).toBe(401);
    expect(await status(url, 'PATCH')).toBe(401);
    expect(await status(url.replace('user=admin', 'user=reader'))).toBe(401);
    expect(await status(url.replace(/expires=\d/, 'expires=9'))).toBe(401);
    server.time.now += 3_600_000;
    expect(await status(url)).toBe(401);
    server.time.now -= 3_600_000;
    expect(await status(url)).toBe(200);
  });

  test('API-5, API-65: it reads no more than the token that signed it', async () => {
    const wish = { label: 'a player', scope: 'ReadCatalog' };
    const { token } = (await server.api<{ token: string }>('POST', '/v1/tokens', wish)).body;
    const by = { Authorization: `Bearer ${token}` };
    for (const wanted of ['/v1/ingestion/jobs', '/v1/tokens', path]) {
      const direct = await server.raw('GET', wanted, null, by);
      const { body } = await server.api<{ url: string }>('POST', '/v1/sign', { path: wanted }, by);
      const signed = await fetch(`${server.url}${body.url}`);
      expect([direct.status, signed.status], wanted).toEqual(wanted === path ? [200, 200] : [403, 403]);
      const more = await fetch(`${server.url}${body.url.replace('ReadCatalog', 'EditCatalog')}`);
      expect(more.status, wanted).toBe(401);
    }
  });

  test('API-5: signatures are not logged', async () => {
    const url = await sign();
    await fetch(`${server.url}${url}`);
    expect(server.logged.some((line) => line.includes('/v1/catalog/tracks/tr_h1'))).toBe(true);
    expect(server.logged.join('\n')).not.toContain('signature');
  });

  test('API-5: only paths of the API are signed', async () => {
    for (const bad of ['/health', 'https://elsewhere.example/v1/x', '/v1/x?y=1', '']) {
      expect((await server.api('POST', '/v1/sign', { path: bad })).status, bad).toBe(400);
    }
  });
});

describe('other origins', () => {
  test('API-7: exactly the configured ones may call', async () => {
    const preflight = (origin: string): Promise<Response> =>
      fetch(`${server.url}/v1/uploads/x`, {
        method: 'OPTIONS',
        headers: {
          Origin: origin,
          'Access-Control-Request-Method': 'PATCH',
          'Access-Control-Request-Headers': 'authorization,upload-offset',
        },
      });
    const good = await preflight('https://music.example');
    expect(good.status).toBe(204);
    expect(good.headers.get('access-control-allow-origin')).toBe('https://music.example');
    expect(good.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('upload-offset');
    for (const origin of ['https://music.example.evil.example', 'http://music.example', 'null']) {
      expect((await preflight(origin)).headers.get('access-control-allow-origin'), origin).toBeNull();
    }
    const answer = await server.raw('GET', '/v1/me', null, { Origin: 'https://evil.example' });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});

test('API-8: an address that keeps guessing tokens has to wait', async () => {
  const other = await testServer();
  try {
    let status = 0;
    for (let at = 0; at < 400 && status !== 429; at += 1) {
      const response = await fetch(`${other.url}/v1/me`, { headers: { Authorization: `Bearer guess-${at}` } });
      status = response.status;
      if (status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
      await response.arrayBuffer();
    }
    expect(status).toBe(429);
    expect((await other.api('GET', '/v1/me')).status).toBe(200);
    const socket = async (headers = {}): Promise<number> => {
      const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13', ...headers };
      const asked = request(`${other.url}/v1/ws`, { headers: { 'Sec-WebSocket-Key': 'eA==', ...upgrade } }).end();
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      answer.resume();
      return answer.statusCode ?? 0;
    };
    expect(await socket()).toBe(429);
    // What somebody says of themselves counts only from a proxy that is trusted.
    const guess = { Authorization: 'Bearer guess', 'X-Forwarded-For': '203.0.113.9' };
    expect((await other.api('GET', '/v1/me', undefined, guess)).status).toBe(429);
    other.time.now += 61_000;
    expect((await other.api('GET', '/v1/me', undefined, guess)).status).toBe(401);
  } finally {
    await other.end();
  }
});

test.each([
  ['POST', '/v1/ingestion/upload'],
  ['GET', '/v1/ingestion/jobs'],
  ['GET', '/v1/ingestion/jobs/j1'],
  ['DELETE', '/v1/ingestion/jobs/j1'],
  ['GET', '/v1/ingestion/review'],
  ['POST', '/v1/ingestion/review/j1'],
])('API-79: %s %s wants EditCatalog, as the specification says; a worker may claim', async (method, path) => {
  const as = { Authorization: 'Bearer a-token-of-a-worker' };
  expect((await server.api(method, path, undefined, as)).status).toBe(403);
  expect((await server.api('POST', '/v1/ingestion/claims', { worker: 'w' }, as)).status).toBe(200);
});
