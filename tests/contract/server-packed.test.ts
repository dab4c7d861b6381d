/** Answers of the API, compressed as they go: on a real wire, since fetch would unpack them. */
import { request, type IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SMALL_CATALOG, testServer, TOKEN, type TestServer } from '../fixtures/server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
  await server.importCatalog(SMALL_CATALOG);
});
afterEach(() => server.end());

interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

function ask(path: string, headers: Record<string, string>, method = 'GET', body = ''): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const asked = request(new URL(path, server.url), { method, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(parts) }),
      );
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
const known = { Authorization: `Bearer ${TOKEN}` };
const LONG = '/v1/catalog/changes?limit=100';

describe('GET', () => {
  test('APP-10: a long answer is gzip for who takes it, the same as without, and its caches are told', async () => {
    const plain = await ask(LONG, known);
    const packed = await ask(LONG, { ...known, 'Accept-Encoding': 'br, gzip;q=0.5' });
    expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([undefined, 'gzip']);
    expect([plain.headers.vary, packed.headers.vary]).toEqual([
      expect.stringContaining('Accept-Encoding'),
      expect.stringContaining('Accept-Encoding'),
    ]);
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
    expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
  });

  test.each(['br', 'gzip;q=0', 'identity', '', 'xgzip'])('APP-10: who takes "%s" gets it as it is', async (accepts) => {
    const { headers, bytes } = await ask(LONG, { ...known, 'Accept-Encoding': accepts });
    expect([headers['content-encoding'], JSON.parse(bytes.toString())]).toEqual([undefined, expect.anything()]);
  });

  test('APP-10: a short answer goes as it is, with its length, and one to HEAD has no body', async () => {
    const takes = { ...known, 'Accept-Encoding': 'gzip' };
    const short = await ask('/v1/me', takes);
    expect([short.headers['content-encoding'], short.headers['content-length']]).toEqual([
      undefined,
      String(short.bytes.length),
    ]);
    const head = await ask(LONG, takes, 'HEAD');
    expect([head.status, head.headers['content-encoding'], head.bytes.length]).toEqual([200, undefined, 0]);
  });
});

test('APP-11: secrets, failures and records with an ETag are not compressed', async () => {
  const takes = { ...known, 'Accept-Encoding': 'gzip', 'Content-Type': 'application/json' };
  const label = 'x'.repeat(90);
  const made = await ask('/v1/tokens', takes, 'POST', JSON.stringify({ label, scope: 'ReadCatalog', days: 1 }));
  expect([made.status < 300, made.headers['content-encoding']], made.bytes.toString()).toEqual([true, undefined]);
  const none = await ask(`/v1/catalog/albums/${'x'.repeat(2000)}`, takes);
  expect([none.status >= 400, none.headers['content-encoding']]).toEqual([true, undefined]);
  const album = await ask('/v1/catalog/albums/al_tokyo', takes);
  expect([album.status, album.headers['content-encoding'], album.headers.etag?.startsWith('W/')]).toEqual([
    ...[200, undefined, false],
  ]);
});
