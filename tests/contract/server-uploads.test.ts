import { readdir, stat, utimes } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createUploader } from '#adapters/http/upload.ts';
import { commitOf, SMALL_CATALOG, testServer, TOKEN, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';
import { vorbisFile } from '../fixtures/vorbis-file.ts';

const TUS = { 'Tus-Resumable': '1.0.0' };
const BYTES = { ...TUS, 'Content-Type': 'application/offset+octet-stream' };
const file = vorbisFile({ durationMs: 255_000, bytesPerSecond: 2000 });

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
  await server.importCatalog(SMALL_CATALOG);
});
afterEach(() => server.end());

const metadata = (sha256: string): string => `sha256 ${Buffer.from(sha256).toString('base64')}`;
const begin = (sha256 = file.sha256, size = file.size): Promise<Response> =>
  server.raw('POST', '/v1/uploads', null, {
    ...TUS,
    'Upload-Length': String(size),
    'Upload-Metadata': metadata(sha256),
  });
const head = (sha256 = file.sha256): Promise<Response> => server.raw('HEAD', `/v1/uploads/${sha256}`, null, TUS);
const send = (from: number, to: number, at = from): Promise<Response> =>
  server.raw('PATCH', `/v1/uploads/${file.sha256}`, new Blob([file.bytes.slice(from, to)]), {
    ...BYTES,
    'Upload-Offset': String(at),
  });
const offset = (response: Response): number => Number(response.headers.get('upload-offset'));

describe('/v1/uploads', () => {
  test('UPLOAD-1: an upload is named by its content and goes on where it was', async () => {
    expect((await head()).status).toBe(404);
    const made = await begin();
    expect([made.status, made.headers.get('location'), made.headers.get('tus-resumable')]).toEqual([
      201,
      `/v1/uploads/${file.sha256}`,
      '1.0.0',
    ]);
    const first = await send(0, 1000);
    expect([first.status, offset(first)]).toEqual([204, 1000]);
    const told = await head();
    expect([told.status, offset(told), told.headers.get('upload-length')]).toEqual([200, 1000, String(file.size)]);
    expect((await send(500, 1500, 500)).status).toBe(409);
    expect(offset(await send(1000, file.size))).toBe(file.size);
    expect(offset(await head())).toBe(file.size);
  });

  test('UPLOAD-1: begun twice it is the same upload; nothing that arrived is lost', async () => {
    await begin();
    await send(0, 3000);
    const again = await begin();
    expect([again.status, again.headers.get('location'), offset(again)]).toEqual([
      201,
      `/v1/uploads/${file.sha256}`,
      3000,
    ]);
    await send(3000, file.size);
    expect(offset(await begin())).toBe(file.size);
  });

  test('UPLOAD-2: a connection that breaks in the middle keeps what arrived', async () => {
    await begin();
    const arrived = async (): Promise<number> => (await stat(join(server.data, 'uploads', file.sha256))).size;
    await breakOff(server.url, file.bytes.slice(0, 40_000), file.size, () =>
      expect.poll(arrived, { timeout: 120_000 }).toBeGreaterThan(0),
    );
    const at = offset(await head());
    expect(at).toBeGreaterThan(0);
    expect(at).toBeLessThanOrEqual(40_000);
    expect(offset(await send(at, file.size))).toBe(file.size);
    const answer = await server.api('POST', '/v1/ingestion/commits', commitOf(file, 'tr_h1'), {
      'Idempotency-Key': 'a',
    });
    expect(answer.status).toBe(200);
  });

  test('UPLOAD-3: content that is not what its name says is dropped when it is begun again', async () => {
    const wrong = 'f'.repeat(64);
    await begin(wrong, 100);
    await server.raw('PATCH', `/v1/uploads/${wrong}`, new Blob([new Uint8Array(100)]), {
      ...BYTES,
      'Upload-Offset': '0',
    });
    expect(offset(await head(wrong))).toBe(100);
    expect(offset(await begin(wrong, 100))).toBe(0);
    expect(offset(await head(wrong))).toBe(0);
  });

  test('UPLOAD-3: another size under the same hash begins anew', async () => {
    await begin(file.sha256, 50);
    await begin();
    expect((await head()).headers.get('upload-length')).toBe(String(file.size));
  });

  test('UPLOAD-4: what is published already need not be sent again', async () => {
    await server.upload(file);
    await server.api('POST', '/v1/ingestion/commits', commitOf(file, 'tr_h1'), { 'Idempotency-Key': 'a' });
    expect(await readdir(join(server.data, 'uploads'))).toEqual([]);
    const told = await head();
    expect([told.status, offset(told)]).toEqual([200, file.size]);
    expect(offset(await begin())).toBe(file.size);
    // The same audio for a second track is taken from the first.
    const second = await server.api('POST', '/v1/ingestion/commits', commitOf(file, 'tr_a1'), {
      'Idempotency-Key': 'b',
    });
    expect(second.body).toMatchObject({ outcome: 'created', track_id: 'tr_a1' });
    expect((await server.raw('GET', '/v1/catalog/tracks/tr_a1/audio')).status).toBe(200);
  });

  test('UPLOAD-5: bad requests are refused in words', async () => {
    const bad: [string, Promise<Response>, number, string][] = [
      ['no hash', server.raw('POST', '/v1/uploads', null, { ...TUS, 'Upload-Length': '5' }), 400, 'sha256'],
      ['a name that is no hash', begin('../../etc/passwd'), 400, 'sha256'],
      [
        'no length',
        server.raw('POST', '/v1/uploads', null, { ...TUS, 'Upload-Metadata': metadata(file.sha256) }),
        400,
        'Upload-Length',
      ],
      ['too large', begin(file.sha256, 11 * 1024 * 1024), 413, '10485760'],
      [
        'no protocol version',
        server.raw('POST', '/v1/uploads', null, { 'Upload-Length': '5', 'Upload-Metadata': metadata(file.sha256) }),
        412,
        'Tus-Resumable',
      ],
      [
        'a path',
        server.raw('PATCH', '/v1/uploads/..%2f..%2fx', null, { ...BYTES, 'Upload-Offset': '0' }),
        404,
        'SHA-256',
      ],
      ['a PATCH of nothing', send(0, 10), 404, 'not found'],
      ['reading it back', server.raw('GET', `/v1/uploads/${file.sha256}`), 404, 'read back'],
    ];
    for (const [name, response, status, words] of bad) {
      const answer = await response;
      const body = (await answer.json()) as ErrorAnswer;
      expect([answer.status, body.error.message], name).toEqual([status, expect.stringContaining(words)]);
    }
    expect(await readdir(join(server.data, 'uploads'))).toEqual([]);
  });

  test('UPLOAD-5: more bytes than announced are refused', async () => {
    await begin(file.sha256, 500);
    expect((await send(0, 600)).status).toBe(413);
  });

  test('UPLOAD-10: half an upload belongs to who began it, and nobody keeps a file from the others', async () => {
    server.time.now = Date.now();
    await server.addToken('the-token-of-mallory', 'mallory', 'EditCatalog');
    const as = (method: string, body: BodyInit | null, headers: Record<string, string>) =>
      server.raw(method, method === 'POST' ? '/v1/uploads' : `/v1/uploads/${file.sha256}`, body, {
        ...TUS,
        Authorization: 'Bearer the-token-of-mallory',
        ...headers,
      });
    const other = { 'Upload-Metadata': metadata(file.sha256), 'Upload-Length': String(file.size) };
    const garbage = () => as('PATCH', new Blob([new Uint8Array(3000)]), { ...BYTES, 'Upload-Offset': '0' });

    await begin();
    await send(0, 1000);
    expect((await garbage()).status).toBe(404);
    expect((await as('HEAD', null, {})).status).toBe(404);
    expect((await as('DELETE', null, {})).status).toBe(404);
    const waits = await as('POST', null, other);
    expect([waits.status, waits.headers.get('retry-after')]).toEqual([429, '30']);
    expect(offset(await head())).toBe(1000);
    await server.raw('DELETE', `/v1/uploads/${file.sha256}`, null, TUS);

    // The other way round: what was begun with other bytes is waited for, and then dropped.
    expect((await as('POST', null, other)).status).toBe(201);
    expect((await garbage()).status).toBe(204);
    expect((await begin()).status).toBe(429);
    server.time.now += 11 * 60_000;
    expect([(await begin()).status, offset(await head())]).toEqual([201, 0]);
    expect((await send(0, file.size)).status).toBe(204);
    const key = { 'Idempotency-Key': 'mine' };
    expect((await server.api('POST', '/v1/ingestion/commits', commitOf(file, 'tr_h1'), key)).status).toBe(200);
    const audio = await server.raw('GET', '/v1/catalog/tracks/tr_h1/audio');
    expect(Buffer.from(await audio.arrayBuffer()).equals(file.bytes)).toBe(true);
  });

  test('UPLOAD-10: an upload that gets a byte now and then is waited for as long as a slow line takes, no longer', async () => {
    server.time.now = Date.now();
    await server.addToken('the-token-of-mallory', 'mallory', 'EditCatalog');
    const as = { ...TUS, Authorization: 'Bearer the-token-of-mallory' };
    const size = 600_000;
    const announced = { 'Upload-Metadata': metadata(file.sha256), 'Upload-Length': String(size) };
    await server.raw('POST', '/v1/uploads', null, { ...as, ...announced });
    // 600,000 bytes at 10,000 a second are a minute.
    const part = join(server.data, 'uploads', file.sha256);
    const touch = async (now: number) => {
      server.time.now = now;
      await utimes(part, now / 1000, now / 1000);
    };
    const start = server.time.now;
    await touch(start + 10 * 60_000);
    expect((await begin(file.sha256, size)).status).toBe(429);
    await touch(start + 12 * 60_000);
    expect((await begin(file.sha256, size)).status).toBe(201);
    expect((await server.raw('HEAD', `/v1/uploads/${file.sha256}`, null, as)).status).toBe(404);
  });

  test('UPLOAD-10: a whole upload whose bytes are not those of its name is dropped for who sends the right ones', async () => {
    await server.addToken('the-token-of-mallory', 'mallory', 'EditCatalog');
    const as = { ...BYTES, Authorization: 'Bearer the-token-of-mallory' };
    const announced = { 'Upload-Metadata': metadata(file.sha256), 'Upload-Length': String(file.size) };
    await server.raw('POST', '/v1/uploads', null, { ...as, ...announced });
    const wrong = new Blob([new Uint8Array(file.size)]);
    await server.raw('PATCH', `/v1/uploads/${file.sha256}`, wrong, { ...as, 'Upload-Offset': '0' });
    const blobs = {
      size: () => Promise.resolve(file.size),
      read: async function* (_sha: string, start = 0, end = file.size) {
        yield await Promise.resolve(file.bytes.subarray(start, end));
      },
    };
    const upload = createUploader({ baseUrl: server.url, token: () => Promise.resolve(TOKEN), blobs });
    const item = { sha256: file.sha256, size: file.size, name: 'a.flac' };
    expect((await upload(item)).ok).toBe(true);
    expect((await upload({ ...item, fresh: true })).ok).toBe(true);
    const key = { 'Idempotency-Key': 'mine' };
    expect((await server.api('POST', '/v1/ingestion/commits', commitOf(file, 'tr_h1'), key)).status).toBe(200);
  });

  test('an upload can be given up', async () => {
    await begin();
    expect((await server.raw('DELETE', `/v1/uploads/${file.sha256}`, null, TUS)).status).toBe(204);
    expect((await head()).status).toBe(404);
  });
});

/** Sends the first bytes of a PATCH that announces more, waits for some of them to arrive, and cuts the connection. */
async function breakOff(
  url: string,
  bytes: Uint8Array,
  announced: number,
  arrival: () => Promise<unknown>,
): Promise<void> {
  const sending = request(`${url}/v1/uploads/${file.sha256}`, {
    method: 'PATCH',
    headers: { ...BYTES, Authorization: `Bearer ${TOKEN}`, 'Upload-Offset': '0', 'Content-Length': String(announced) },
  });
  const closed = new Promise<void>((resolve) => {
    sending.on('error', () => undefined);
    sending.on('close', () => resolve());
  });
  sending.write(bytes);
  await arrival();
  sending.destroy();
  await closed;
}
