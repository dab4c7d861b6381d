/** Names, bodies, files, headers and pages: what is refused or harmless whatever the store is. */
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as v from 'valibot';
import type { RouteSpec } from '#server/api/route.ts';
import { createCatalogApp } from '#server/app.ts';
import { answerError } from '#server/http/http-error.ts';
import { readBody, isTooDeep } from '#server/http/body.ts';
import { createLog } from '#server/log.ts';
import { routeTable } from '../fixtures/answer-check.ts';
import { answersTo } from '../fixtures/route-attacks.ts';
import {
  commitOf,
  SMALL_CATALOG,
  testPlans,
  testServer,
  TOKEN,
  type ErrorAnswer,
  type TestServer,
} from '../fixtures/server.ts';
import { sha256, vorbisFile } from '../fixtures/vorbis-file.ts';

let server: TestServer;
let app: ReturnType<typeof createCatalogApp>;
let specs: RouteSpec[];
/** One that the server may see, with links in it that lead elsewhere. */
let folder: string;

beforeAll(async () => {
  server = await testServer();
  folder = join(server.data, 'plans-folder');
  await mkdir(folder);
  await symlink('/etc', join(folder, 'out'));
  await symlink('/etc/passwd', join(folder, 'passwd.mkv'));
  await server.importCatalog(SMALL_CATALOG);
  app = createCatalogApp({ ...server.deps, plans: testPlans(join(server.data, 'plans'), [folder]) });
  specs = routeTable(server.deps);
});
afterAll(() => server.end());

const ADMIN = { Authorization: `Bearer ${TOKEN}` };

/** A POST whose length nobody has said. */
function streamed(body: ReadableStream, headers: Record<string, string> = {}): RequestInit {
  const init = { method: 'POST', headers, body, duplex: 'half' };
  return init;
}

/** Asks the app without a socket. */
const ask = async (method: string, path: string, headers: Record<string, string> = ADMIN, body?: BodyInit) =>
  app.request(path, { method, headers, ...(body === undefined ? {} : { body }) }, {});

/** What the server says to these very bytes, until the connection ends. */
const spoken = (bytes: string) =>
  new Promise<string>((resolve) => {
    let text = '';
    const socket = connect(server.port, '127.0.0.1', () => socket.end(bytes));
    socket.on('data', (data) => (text += String(data)));
    socket.on('close', () => resolve(text));
  });

/** What lies in the data directory, but for the database and plans: those may be made. */
const files = async () =>
  (await readdir(server.data, { recursive: true })).filter((name) => !/catalog\.db|^plans/.test(name));

describe('names', () => {
  test('API-13: no name of any route leads out of its directory', async () => {
    const before = await files();
    const names = ['a/../../../../../etc/passwd', '..\\..\\secret', '/etc/passwd'];
    // For what takes absolute paths below its folders: out of them by dots, and by a link.
    const below = [`${folder}/../../../../../etc/passwd`, `${folder}/out/passwd`, `${folder}/passwd.mkv`];
    for (const name of [...names, ...below]) {
      for await (const [label, answer] of answersTo(app, specs, name)) {
        expect(answer.status, label).toBeLessThan(500);
        expect(await answer.text(), label).not.toContain('root:');
      }
    }
    expect(await files()).toEqual(before);
    expect(await readdir(folder)).toEqual(['out', 'passwd.mkv']);
  });

  test('API-13: a catalog full of dots and slashes is published inside the media directory', async () => {
    const artist = { id: 'ar_evil', name: '../../../../tmp/evil' };
    const album = { id: 'al_evil', title: '/etc/..', artist_id: artist.id, artist: artist.name };
    const credited = { album_id: album.id, artist_id: artist.id, artist: artist.name };
    const track = { id: 'tr_evil', ...credited, title: '../\\..', position: 1, disc: 1, duration_ms: null };
    await server.importCatalog({ artists: [artist], albums: [album], tracks: [track] });
    const file = vorbisFile({ durationMs: 500, seed: 7 });
    await server.upload(file);
    const body = commitOf(file, track.id, { original_filename: '../../../../etc/cron.d/x' });
    const answer = await server.api<{ output_file_path: string }>('POST', '/v1/ingestion/commits', body, {
      'Idempotency-Key': 'evil',
    });
    expect(answer.status).toBe(200);
    expect(answer.body.output_file_path.split('/').some((part) => part === '..' || part === '')).toBe(false);
    expect(await files()).toContain(`media/${answer.body.output_file_path}`);
  });
});

describe('an address that is none', () => {
  const SOCKET = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n';

  test.each(['//', 'http://', '//:', 'http://:/', '//[', 'ws://%'])('API-38: %s ends nothing', async (target) => {
    const say = (headers: string) => spoken(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`);
    expect(await say('')).toMatch(/^HTTP\/1\.1 40[04]/);
    expect(await say(`${SOCKET}Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n`)).toMatch(/^HTTP\/1\.1 400/);
    expect((await ask('GET', '/health')).status).toBe(200);
  });

  test('API-19: a line break in a header makes no other header', async () => {
    const raw = await spoken(`GET /health HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: a\rX-Evil: 1\r\n\r\n`);
    expect(raw).toMatch(/^HTTP\/1\.1 400/);
  });
});

describe('bodies', () => {
  test('API-15: what is larger than its route takes is refused, said or not', async () => {
    const large = JSON.stringify({ name: 'x'.repeat(1_100_000), role: 'reader' });
    const said = await server.raw('POST', '/v1/invites', large, { 'Content-Type': 'application/json' });
    expect(said.status).toBe(413);
    const stream = new Blob([large]).stream();
    const unsaid = await app.request('/v1/invites', streamed(stream, ADMIN), {});
    expect(unsaid.status).toBe(413);
    const upload = await server.raw('POST', '/v1/uploads', null, {
      'Tus-Resumable': '1.0.0',
      'Upload-Length': '99999999999',
      'Upload-Metadata': `sha256 ${Buffer.from('0'.repeat(64)).toString('base64')}`,
    });
    expect(upload.status).toBe(413);
  });

  test('API-15, API-66: one that trickles is given up, and so is a head', async () => {
    vi.useFakeTimers();
    try {
      const slow = new Hono().post('/', async (c) => c.json((await readBody(c, v.unknown())).sha256));
      slow.onError(answerError(createLog(() => {})));
      const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{')) });
      const answer = slow.request('/', streamed(body));
      await vi.advanceTimersByTimeAsync(31_000);
      expect((await answer).status).toBe(408);
      expect((await answer).headers.get('connection')).toBe('close');
    } finally {
      vi.useRealTimers();
    }
  });

  test('API-15, API-66: depth, zip bombs and lying encodings are refused before they cost', async () => {
    const start = process.cpuUsage();
    expect(isTooDeep('['.repeat(64))).toBe(false);
    expect(isTooDeep('["[[[[", "\\"[["]')).toBe(false);
    for (const open of ['[', '{"a":']) {
      expect(isTooDeep(open.repeat(65))).toBe(true);
      const answer = await ask('POST', '/v1/catalog/import', ADMIN, open.repeat(500_000));
      expect(answer.status).toBe(400);
    }
    const bomb = gzipSync(Buffer.alloc(20_000_000, '['));
    const packed = await ask(
      'POST',
      '/v1/catalog/import',
      { ...ADMIN, 'Content-Encoding': 'gzip' },
      new Uint8Array(bomb),
    );
    expect(packed.status).toBe(400);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1e6).toBeLessThan(2);
  });

  test('API-15: long texts cost a regular expression no more than reading them', async () => {
    const start = process.cpuUsage();
    const long = 'a'.repeat(400_000);
    for (const text of [long, `${' '.repeat(200_000)}!`, `${'-'.repeat(200_000)}\n`]) {
      await ask('POST', '/v1/download-requests', ADMIN, JSON.stringify({ track_id: text }));
      await ask('POST', '/v1/sign', ADMIN, JSON.stringify({ path: `/v1/${text}` }));
      await ask('POST', '/v1/ingestion/review/x', ADMIN, JSON.stringify({ selected_option: text.slice(0, 199) }));
      await ask('GET', `/v1/catalog/search?q=${encodeURIComponent(text.slice(0, 5000))}`);
      await ask('GET', '/v1/me', { Authorization: `Bearer ${text}` });
      await ask('GET', '/v1/catalog/tracks/tr_h1/audio', { ...ADMIN, Range: `bytes=${text.slice(0, 9000)}` });
    }
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1e6).toBeLessThan(3);
  });
});

describe('files', () => {
  test('API-16: what is no whole Ogg Vorbis file is not published, whatever it is called and however it begins', async () => {
    const good = vorbisFile({ durationMs: 900, seed: 3 }).bytes;
    const html = new TextEncoder().encode('<script>alert(1)</script>');
    const zip = new Uint8Array([0x50, 0x4b, 5, 6, ...Array<number>(18).fill(0)]);
    const join = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));
    for (const [at, bytes] of [html, join(html, good), join(good, zip), good.slice(0, 60)].entries()) {
      const file = { bytes, sha256: sha256(bytes), size: bytes.length, durationMs: 900 };
      await server.upload(file);
      const body = commitOf(file, 'tr_a2');
      const answer = await server.api<ErrorAnswer>('POST', '/v1/ingestion/commits', body, {
        'Idempotency-Key': `p${at}`,
      });
      expect([at, answer.status]).toEqual([at, 422]);
    }
  });

  test('API-16: audio is served as audio, and no browser may guess otherwise', async () => {
    const file = vorbisFile({ durationMs: 500, seed: 7 });
    await server.upload(file);
    const body = commitOf(file, 'tr_a3');
    expect((await server.api('POST', '/v1/ingestion/commits', body, { 'Idempotency-Key': 'good' })).status).toBe(200);
    const answer = await server.raw('GET', '/v1/catalog/tracks/tr_a3/audio');
    expect(answer.headers.get('content-type')).toBe('audio/ogg');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});

describe('pages of others', () => {
  test('API-19: no route sets a cookie or lets credentials across origins, and a form without a token does nothing', async () => {
    for (const spec of specs) {
      server.time.now += 61_000;
      const path = spec.path.replace(/:\w+/g, 'x');
      const type = 'application/x-www-form-urlencoded';
      const headers = { Origin: 'https://evil.example', 'Content-Type': type, Cookie: `token=${TOKEN}` };
      const answer = await ask(spec.method, path, headers);
      expect(answer.headers.get('set-cookie'), path).toBeNull();
      expect(answer.headers.get('access-control-allow-origin'), path).toBeNull();
      expect(answer.headers.get('access-control-allow-credentials'), path).toBeNull();
      if (spec.scope !== null) expect(answer.status, path).toBe(401);
      expect(answer.headers.get('x-content-type-options'), path).toBe('nosniff');
      if (spec.scope !== null && path !== '/metrics')
        expect(answer.headers.get('cache-control'), path).toBe('no-store');
    }
  });

  test('API-19: a socket from a foreign origin is refused, also with a good token', async () => {
    const status = (origin: string): Promise<number> =>
      new Promise((resolve, reject) => {
        const upgrade = { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13' };
        const headers = { ...upgrade, 'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==', Origin: origin, ...ADMIN };
        const call = httpRequest(`${server.url}/v1/ws`, { headers });
        call.on('response', (answer) => (answer.destroy(), resolve(answer.statusCode ?? 0)));
        call.on('upgrade', (answer, socket) => (socket.destroy(), resolve(answer.statusCode ?? 0)));
        call.on('error', reject);
        call.end();
      });
    expect(await status('https://evil.example')).toBe(403);
    expect(await status('null')).toBe(403);
    expect(await status('https://music.example')).toBe(101);
  });

  test('API-19: a line break in an address makes no header', async () => {
    for (const path of [
      '/v1/catalog/snapshot/x%0d%0aSet-Cookie:%20a=b',
      '/v1/uploads/%0d%0aX-Evil:%201',
      '/v1/x%0aX-Evil: 1',
    ]) {
      const answer = await ask('GET', path);
      expect(answer.headers.get('set-cookie')).toBeNull();
      expect(answer.headers.get('x-evil')).toBeNull();
    }
  });
});

describe('the log', () => {
  test('OPS-3: has no token, key or signature, whichever route they come to', async () => {
    const secret = 'a-secret-nobody-may-read';
    const first = server.logged.length;
    for (const spec of specs) {
      server.time.now += 61_000;
      const path = `${spec.path.replace(/:\w+/g, 'x')}?token=${secret}&signature=${secret}`;
      const body = spec.body === undefined ? undefined : JSON.stringify({ secret, token: secret, api_key: secret });
      for (const headers of [ADMIN, { Authorization: `Bearer ${secret}`, 'X-Api-Key': secret, Cookie: secret }])
        await ask(spec.method, path, { ...headers, 'Idempotency-Key': secret }, body);
    }
    const lines = server.logged.slice(first).join('\n');
    expect(server.logged.length).toBeGreaterThan(first + specs.length);
    expect(lines).not.toContain(secret);
    expect(lines).not.toContain(TOKEN);
    for (const line of server.logged) expect(() => void JSON.parse(line)).not.toThrow();
  });

  test('OPS-3: a secret that slipped through is left out by its name or its form', () => {
    const lines: string[] = [];
    const log = createLog((line) => void lines.push(line));
    log.error('x', {
      authorization: 'Bearer abc',
      nested: { token: 'abc' },
      error: 'GET /x?signature=abc&b=1 Bearer abc',
    });
    expect(lines.join()).not.toContain('abc');
    expect(lines.join()).toContain('&b=1');
  });
});
