import { afterEach, describe, expect, it } from 'vitest';
import { createCatalogClient } from '#lanes/music/http/catalog-client.ts';
import type { FailureCode } from '#core/errors.ts';
import type { Result } from '#core/result.ts';
import { review } from '../../fixtures/mirrored.ts';
import { accepted, outboxItem } from './fixtures.ts';
import { json, loopback, type Handler } from './loopback.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function serve(handler: Handler, token: string | null = 'secret') {
  const server = await loopback(handler);
  open.push(server);
  const client = createCatalogClient({
    baseUrl: `${server.base}/`,
    token: async () => token,
    now: () => Date.parse('2026-01-01T00:00:00Z'),
  });
  return { server, client };
}

function codeOf(result: Result<unknown>): FailureCode | 'ok' {
  return result.ok ? 'ok' : result.failure.code;
}

const ARTIST = { id: 'ar1', name: 'Radiohead' };
const ALBUM = {
  id: 'al1',
  title: 'OK Computer',
  artist_id: 'ar1',
  artist: 'Radiohead',
  year: 1997,
  is_compilation: false,
  discs: 1,
  track_count: 1,
};
const TRACK = {
  id: 'tr1',
  album_id: 'al1',
  title: 'Airbag',
  artist_id: 'ar1',
  artist: 'Radiohead',
  disc: 1,
  position: 1,
  duration_ms: 284_000,
  availability: 'missing',
};
const REQUEST = {
  id: 'rq1',
  status: 'pending',
  album_id: 'al1',
  track_id: null,
  requested_by: 'alice',
  created_at: 1,
  fulfilled_at: null,
};

describe('SYNC-25 answers', () => {
  it('each method asks its route, with the token, and reads its answer', async () => {
    const counts = { created: 1, updated: 0, unchanged: 0 };
    const answers: Record<string, unknown> = {
      'GET /health': { status: 'ok' },
      'GET /v1/catalog/search?q=ok+computer&limit=5': { artists: [ARTIST], albums: [ALBUM], tracks: [TRACK] },
      'GET /v1/catalog/albums?limit=2&missing=true': { items: [{ ...ALBUM, available_count: 0 }], next_cursor: 'n' },
      'GET /v1/catalog/albums/al1': { ...ALBUM, tracks: [TRACK], version: 3 },
      'GET /v1/catalog/artists/ar1': { ...ARTIST, albums: [ALBUM], version: 1 },
      'GET /v1/catalog/tracks/tr1': {
        ...TRACK,
        album: 'OK Computer',
        year: 1997,
        output_file_path: null,
        audio_duration_ms: null,
        version: 1,
      },
      'GET /v1/catalog/changes?cursor=c1&limit=100': { items: [], next_cursor: 'c1', more: false, catalog_id: 'cat' },
      'POST /v1/catalog/import': { artists: counts, albums: counts, tracks: counts },
      'POST /v1/catalog/artists': ARTIST,
      'PATCH /v1/catalog/artists/ar1': ARTIST,
      'POST /v1/catalog/albums': { ...ALBUM, tracks: [] },
      'PATCH /v1/catalog/albums/al1': { ...ALBUM, tracks: [] },
      'POST /v1/catalog/tracks': TRACK,
      'PATCH /v1/catalog/tracks/tr1': TRACK,
      'GET /v1/download-requests?status=pending': { items: [REQUEST], next_cursor: null },
      'POST /v1/download-requests': { id: 'rq1', status: 'pending' },
      'POST /v1/ingestion/commits': accepted('a'),
      'GET /v1/ingestion/jobs': { items: [], next_cursor: null },
      'GET /v1/ingestion/review': {
        items: [review('r', ['j'])],
        next_cursor: null,
      },
      'POST /v1/ingestion/review/j': review('r', ['j'], { selected_option: 'none' }),
      'PUT /v1/ingestion/mirror': { resolved_reviews: [] },
      'POST /v1/sign': { url: '/v1/ws?user=u&signature=s', expires_at: 9 },
    };
    const { server, client } = await serve(({ method, path }, response) =>
      json(response, 200, answers[`${method} ${path}`] ?? null),
    );
    const results: Result<unknown>[] = [
      await client.health(),
      await client.search('ok computer', 5),
      await client.albums({ limit: 2, missing: true }),
      await client.album('al1'),
      await client.artist('ar1'),
      await client.track('tr1'),
      await client.changes('c1', 100),
      await client.importCatalog({ artists: [], albums: [], tracks: [] }),
      await client.createArtist({ name: 'Radiohead' }),
      await client.patchArtist('ar1', { name: 'Radiohead' }),
      await client.createAlbum({ title: 'OK Computer', artist: 'Radiohead' }),
      await client.patchAlbum('al1', { year: 1997 }, 3),
      await client.createTrack({ title: 'Airbag', album_id: 'al1' }),
      await client.patchTrack('tr1', { title: 'Airbag' }),
      await client.downloadRequests({ status: 'pending' }),
      await client.createDownloadRequest({ album_id: 'al1' }),
      await client.commit(outboxItem('a').body, 'key-1'),
      await client.jobs(),
      await client.reviews(),
      await client.answerReview('j', { selected_option: 'none', review_id: 'r' }),
      await client.mirror({ jobs: [], steps: [], reviews: [] }),
      await client.sign('/v1/ws'),
    ];
    expect(results.map(codeOf)).toEqual(results.map(() => 'ok'));
    expect(server.seen.map(({ method, path }) => `${method} ${path}`)).toEqual(Object.keys(answers));
    expect(server.seen.every(({ headers }) => headers.authorization === 'Bearer secret')).toBe(true);
  });

  it('SYNC-2, SYNC-38 every POST has an idempotency key, a commit the one of its item', async () => {
    const { server, client } = await serve((_, response) => json(response, 200, accepted('a')));
    await client.commit(outboxItem('a').body, 'key-1');
    await client.commit(outboxItem('a').body, 'key-1');
    await client.createArtist({ name: 'x' });
    const keys = server.seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys.slice(0, 2)).toEqual(['key-1', 'key-1']);
    expect(keys[2]).toMatch(/^\S{10,}$/);
    expect(server.seen[0]?.body.equals(server.seen[1]?.body ?? Buffer.alloc(0))).toBe(true);
  });

  it('an editor that saw version 3 says so', async () => {
    const { server, client } = await serve((_, response) =>
      json(response, 412, { error: { code: 'conflict', message: 'changed' } }),
    );
    expect(codeOf(await client.patchAlbum('al1', { year: 1 }, 3))).toBe('conflict');
    expect(server.seen[0]?.headers['if-match']).toBe('"3"');
  });

  it('a cursor that the server does not know means starting over; without a cursor it is a failure', async () => {
    for (const status of [410, 400]) {
      const { client } = await serve((_, response) =>
        json(response, status, { error: { code: 'not_found', message: 'gone' } }),
      );
      expect(await client.changes('c', 10)).toEqual({ ok: true, value: { kind: 'start_over' } });
      expect((await client.changes(null, 10)).ok).toBe(false);
    }
  });

  it('a signed URL is absolute and never leads to another server', async () => {
    let url = '/v1/ws?signature=s';
    const { server, client } = await serve((_, response) => json(response, 200, { url, expires_at: 5 }));
    expect(await client.signedUrl('/v1/ws')).toEqual({
      ok: true,
      value: { url: `${server.base}/v1/ws?signature=s`, expires_at: 5 },
    });
    url = `${server.base}/v1/ws?s=1`;
    expect((await client.signedUrl('/v1/ws')).ok).toBe(true);
    url = 'https://elsewhere.example/v1/ws';
    expect(codeOf(await client.signedUrl('/v1/ws'))).toBe('server_error');
  });
});

describe('SYNC-25 failures', () => {
  const cases: [status: number, code: string, expected: FailureCode][] = [
    [401, 'unauthorized', 'unauthorized'],
    [403, 'forbidden', 'forbidden'],
    [404, 'not_found', 'not_found'],
    [408, 'anything', 'offline'],
    [409, 'conflict', 'conflict'],
    [409, 'no_code_of_ours', 'conflict'],
    [412, 'anything', 'conflict'],
    [413, 'anything', 'too_large'],
    [415, 'not_vorbis', 'not_vorbis'],
    [415, 'anything', 'file_unsupported'],
    [422, 'hash_mismatch', 'hash_mismatch'],
    [422, 'not_vorbis', 'not_vorbis'],
    [422, 'toString', 'invalid'],
    [400, 'anything', 'invalid'],
    [500, 'invalid', 'server_error'],
    [503, 'anything', 'server_error'],
    [507, 'storage_full', 'server_error'],
  ];
  it.each(cases)('SYNC-44 %i with "%s" is %s, in the words of the server', async (status, code, expected) => {
    const { client } = await serve((_, response) =>
      json(response, status, { error: { code, message: 'The server says why.' } }),
    );
    const result = await client.album('x');
    expect(result.ok ? null : result.failure).toMatchObject({ code: expected, message: 'The server says why.' });
  });

  it('SYNC-10 429 and 503 carry Retry-After, in seconds or as a date', async () => {
    let value = '7';
    let status = 429;
    const { client } = await serve((_, response) => json(response, status, {}, { 'retry-after': value }));
    const wait = async () => {
      const result = await client.album('x');
      return result.ok ? null : [result.failure.code, result.failure.retryAfterMs];
    };
    expect(await wait()).toEqual(['rate_limited', 7000]);
    value = 'Thu, 01 Jan 2026 00:01:00 GMT';
    expect(await wait()).toEqual(['rate_limited', 60_000]);
    status = 503;
    value = 'Wed, 31 Dec 2025 23:00:00 GMT';
    expect(await wait()).toEqual(['server_error', 0]);
    value = 'soon';
    expect(await wait()).toEqual(['server_error', undefined]);
  });

  it('no token is unauthorized without asking, except for /health', async () => {
    const { server, client } = await serve((_, response) => json(response, 200, { status: 'ok' }), null);
    expect(codeOf(await client.album('x'))).toBe('unauthorized');
    expect(server.seen).toEqual([]);
    expect(codeOf(await client.health())).toBe('ok');
    expect(server.seen[0]?.headers.authorization).toBeUndefined();
  });

  it('SYNC-44 a server that is not there, or breaks off in the middle, is offline', async () => {
    const { server, client } = await serve(({ path }, response) => {
      if (path.endsWith('/torn')) {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"id":', () => response.destroy());
      } else response.destroy();
    });
    expect(codeOf(await client.album('gone'))).toBe('offline');
    expect(codeOf(await client.album('torn'))).toBe('offline');
    await server.close();
    const result = await client.album('x');
    expect(result.ok ? null : result.failure).toMatchObject({
      code: 'offline',
      message: `The server at ${server.base} cannot be reached.`,
    });
  });

  it('SYNC-44 a page where an answer should be (captive portal, another server) is a server error, not an answer', async () => {
    const { client } = await serve(({ path }, response) => {
      if (path.endsWith('/html'))
        response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in to the Wi-Fi</h1>');
      else if (path.endsWith('/moved')) response.writeHead(302, { location: '/elsewhere' }).end();
      else json(response, 200, { hello: 'world' });
    });
    expect(codeOf(await client.album('html'))).toBe('server_error');
    expect(codeOf(await client.album('other'))).toBe('server_error');
    expect(codeOf(await client.album('moved'))).toBe('offline');
  });

  it('a call that is broken off is cancelled; one without an answer in time is offline', async () => {
    const { client } = await serve(() => undefined);
    const stop = new AbortController();
    const result = client.search('x', 1, stop.signal);
    stop.abort();
    expect(codeOf(await result)).toBe('cancelled');
    const slow = createCatalogClient({
      baseUrl: 'http://127.0.0.1:1',
      token: async () => 't',
      fetch: async () => Promise.reject(new DOMException('too long', 'TimeoutError')),
    });
    const answer = await slow.album('x');
    expect(answer.ok ? null : answer.failure).toMatchObject({
      code: 'offline',
      message: expect.stringContaining('(30 s)') as string,
    });
  });
});
