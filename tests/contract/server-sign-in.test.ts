/** Links that sign a browser in, tokens that end, and under which hosts the server answers. */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { printLink } from '#cli/print-link.ts';
import { randomIds } from '#core/ids.ts';
import type { TokenInfoSchema } from '#core/sync/people.ts';
import { makeLinkToken, setAdminToken } from '#server/auth/tokens.ts';
import type * as v from 'valibot';
import { testServer, TOKEN, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';

const HOUR = 3600_000;
const DAY = 24 * HOUR;
let server: TestServer;

beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.end());

const as = (token: string) => ({ Authorization: `Bearer ${token}` });
const using = () => ({ clock: { now: () => server.time.now }, ids: randomIds });
const link = () => makeLinkToken(server.store, using());
const me = (token: string) => server.api<{ link: boolean; user_id: string }>('GET', '/v1/me', undefined, as(token));
const session = (token: string) =>
  server.api<{ token: string; user_id: string } & ErrorAnswer>('POST', '/v1/session', undefined, as(token));
type Made = { token: string } & v.InferOutput<typeof TokenInfoSchema> & ErrorAnswer;
const make = (token: string, wish: object) =>
  server.api<Made>('POST', '/v1/tokens', { label: 'script', scope: 'ReadCatalog', ...wish }, as(token));

describe('a sign-in link', () => {
  test('AUTH-35: is good for an hour, and is exchanged for a token of the browser alone', async () => {
    const token = await link();
    expect((await me(token)).body).toMatchObject({ user_id: 'admin', name: 'Admin', link: true });
    const made = await session(token);
    expect([made.status, made.body.user_id]).toEqual([201, 'admin']);
    expect(made.body.token).not.toBe(token);
    server.time.now += HOUR;
    expect((await me(token)).status).toBe(401);
    expect((await session(token)).status).toBe(401);
    expect((await me(made.body.token)).body).toMatchObject({
      user_id: 'admin',
      link: false,
      scopes: ['EditCatalog', 'Admin'],
    });
    server.time.now += 365 * DAY;
    expect((await me(made.body.token)).status).toBe(401);
  });

  test('AUTH-35: no other token is exchanged, whatever it is called', async () => {
    const { body } = await make(TOKEN, { label: 'sign-in link', scope: 'Admin', days: 1 });
    for (const token of [TOKEN, body.token]) {
      const refused = await session(token);
      expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict']);
    }
  });

  test('AUTH-35: a new admin token ends what the former one, and its links, let in', async () => {
    const before = await link();
    const { body } = await session(before);
    await setAdminToken(server.store, using().clock, 'another-token-of-the-admin');
    for (const token of [before, body.token, TOKEN]) expect((await me(token)).status).toBe(401);
    await setAdminToken(server.store, using().clock, TOKEN);
    expect((await me(TOKEN)).status).toBe(200);
    expect((await me(body.token)).status).toBe(401);
  });

  test('AUTH-36: the command line prints a new one beside a running server', async () => {
    const said: string[] = [];
    await printLink(server.store, using(), 'https://music.example/', (line) => said.push(line));
    const [, token = ''] = /^https:\/\/music\.example\/#token=(\S{40,})$/.exec(said[0] ?? '') ?? [];
    expect((await me(decodeURIComponent(token))).body).toMatchObject({ user_id: 'admin', link: true });
    await expect(printLink(server.store, using(), 'music', () => undefined)).rejects.toThrow('--server: "music"');
  });
});

describe('a token that ends', () => {
  test('AUTH-37: makes none that ends later, or not by itself; unless a day is named it ends with its maker', async () => {
    const week = (await make(TOKEN, { scope: 'EditCatalog', days: 7 })).body;
    for (const days of [null, 8, 365]) {
      const refused = await make(week.token, { days });
      expect([refused.status, refused.body.error.code], String(days)).toEqual([403, 'forbidden']);
      expect(refused.body.error.message).toContain(new Date(week.expires_at ?? 0).toISOString().slice(0, 10));
    }
    expect((await make(week.token, { days: 6 })).status).toBe(201);
    const usual = await make(week.token, {});
    expect([usual.status, usual.body.expires_at]).toEqual([201, week.expires_at]);
    // Nor through one that it made.
    expect((await make(usual.body.token, { days: 8 })).status).toBe(403);
    expect((await make(week.token, { scope: 'Admin', days: 1 })).status).toBe(403);
    expect((await make(TOKEN, { days: null })).body.expires_at).toBeNull();
    expect((await make(TOKEN, {})).body.expires_at).toBe(server.time.now + 365 * DAY);
  });
});

describe('the hosts that are answered', () => {
  const port = () => Number(new URL(server.url).port);
  const ask = (host: string, path: string): Promise<{ status: number; text: string }> =>
    new Promise((resolve, reject) => {
      const headers = { host, ...as(TOKEN) };
      const asked = request({ host: '127.0.0.1', port: port(), path, headers }, (answer) => {
        let text = '';
        answer.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      });
      asked.on('error', reject).end();
    });

  test.for([
    ['127.0.0.1', 200],
    ['localhost:8787', 200],
    ['app.localhost', 200],
    ['[::1]:8787', 200],
    ['MUSIC.example', 200],
    ['music.example:443', 200],
    ['evil.example', 421],
    ['127.0.0.1.evil.example', 421],
    ['localhost.evil.example', 421],
    ['music.example.evil.example', 421],
    ['192.168.1.5:8787', 421],
  ] as const)('AUTH-38: asked as "%s" it answers %d', async ([host, status]) => {
    for (const path of ['/v1/me', '/health', '/']) {
      const answer = await ask(host, path);
      // There is no app in this test, so that its page is 404 where it is let through.
      expect(answer.status, path).toBe(path === '/' && status === 200 ? 404 : status);
      if (status === 421 && path !== '/') expect(answer.text).toContain('[server] hosts');
    }
  });

  test('AUTH-38: a socket under another host is refused', async () => {
    const open = (host: string) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(`${server.url.replace('http', 'ws')}/v1/ws`, { headers: { host, ...as(TOKEN) } });
        socket.on('open', () => {
          resolve('open');
          socket.close();
        });
        socket.on('error', (error) => resolve(error.message));
      });
    expect(await open('music.example')).toBe('open');
    expect(await open('evil.example')).toContain('421');
  });
});
