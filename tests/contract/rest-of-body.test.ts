/** Requests that are answered before all of their body has come, from clients that read nothing until they have sent it. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { testServer, TOKEN } from '../fixtures/server.ts';

const MB = 1024 * 1024;
const JSON_BODY = { 'Content-Type': 'application/json' };

/** Sends all of the request without reading, then gives what came: null where the connection was closed before. */
async function sendAll(socket: Socket, head: string, body: Buffer): Promise<string | null> {
  socket.pause();
  const broken = once(socket, 'error').then(([error]) => error as Error);
  const sent = new Promise<null>((resolve) => {
    socket.write(head);
    socket.write(body, () => resolve(null));
  });
  if ((await Promise.race([sent, broken])) !== null) return null;
  socket.resume();
  const [chunk] = (await Promise.race([once(socket, 'data'), broken.then(() => [null])])) as [Buffer | null];
  return chunk === null ? null : chunk.toString('latin1').slice(0, 'HTTP/1.1 400'.length);
}

const headOf = (method: string, path: string, bytes: number, headers: Record<string, string>): string =>
  [`${method} ${path} HTTP/1.1`, 'Host: localhost', `Content-Length: ${bytes}`]
    .concat(Object.entries(headers).map(([name, value]) => `${name}: ${value}`))
    .join('\r\n')
    .concat('\r\n\r\n');

const mine = { Authorization: `Bearer ${TOKEN}` };

test.each([
  ['a first row that is wrong', '/v1/ingestion/mirror', 'PUT', '400', { ...mine, ...JSON_BODY }, '{"jobs":[1,'],
  ['no sign-in', '/v1/ingestion/mirror', 'PUT', '401', JSON_BODY, '{"jobs":['],
  ['an album that is too large', '/v1/catalog/albums', 'POST', '413', { ...mine, ...JSON_BODY }, '{'],
  [
    'a form without a field of files',
    '/v1/ingestion/upload',
    'POST',
    '400',
    { ...mine, 'Content-Type': 'multipart/form-data; boundary=x', 'Idempotency-Key': 'a-form-of-nothing' },
    'no boundary at all',
  ],
])(
  'API-133 %s is said to who sends everything first, and the connection goes on',
  async (_, path, method, status, headers, begin) => {
    const server = await testServer();
    try {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
      await once(socket, 'connect');
      // More than the system holds on the way.
      const body = Buffer.alloc(7 * MB, ' ');
      body.write(begin);
      expect(await sendAll(socket, headOf(method, path, body.length, headers), body)).toBe(`HTTP/1.1 ${status}`);
      const next = headOf('GET', '/v1/catalog/albums', 0, mine);
      expect(await sendAll(socket, next, Buffer.alloc(0))).toBe('HTTP/1.1 200');
      socket.destroy();
    } finally {
      await server.end();
    }
  },
);
