import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CatalogFile, ChangesPage } from '#lanes/music/core/catalog.ts';
import { musicKeeping } from '#lanes/music/server/store/keeping.ts';
import { searchTrouble } from '#server/search/check-search.ts';
import type { ImportResult } from '#core/sync/fields.ts';
import { commitOf, SMALL_CATALOG, testServer, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';
import { vorbisFile } from '../fixtures/vorbis-file.ts';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
});
afterEach(() => server.end());

const load = (file: unknown, headers = {}) =>
  server.api<ImportResult & ErrorAnswer>('POST', '/v1/catalog/import', file, headers);
const feed = async (cursor = ''): Promise<ChangesPage> =>
  (await server.api<ChangesPage>('GET', `/v1/catalog/changes?limit=5000&cursor=${cursor}`)).body;

/** The small catalog, changed. */
function changed(change: (file: CatalogFile) => void): CatalogFile {
  const file = structuredClone(SMALL_CATALOG);
  change(file);
  return file;
}

function at<T>(list: T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new Error(`there is no item ${index}`);
  return item;
}

describe('POST /v1/catalog/import', () => {
  test('IMPORT-6: thousands of tracks that all change places in albums that are named anew are written part by part', async () => {
    const many = 2400;
    const one = (title: string, placeOf: (track: number) => number) => ({
      artists: [{ id: 'ar_1', name: 'Somebody' }],
      albums: Array.from({ length: many / 12 }, (_, at) => ({
        ...{ id: `al_${at}`, title: `${title} ${at}`, artist_id: 'ar_1', artist: 'Somebody', year: null },
      })),
      tracks: Array.from({ length: many }, (_, at) => ({
        ...{ id: `tr_${at}`, title: `Song ${at}`, artist_id: 'ar_1', artist: 'Somebody', duration_ms: 1000 },
        ...{ album_id: `al_${Math.floor(placeOf(at) / 12)}`, disc: 1, position: 1 + (placeOf(at) % 12) },
      })),
    });
    const created = { artists: { created: 1 }, albums: { created: 200 }, tracks: { created: many } };
    expect((await load(one('Before', (at) => at))).body).toMatchObject(created);
    const moved = one('After', (at) => many - 1 - at);
    expect((await load(moved)).body).toMatchObject({
      artists: { unchanged: 1 },
      albums: { updated: 200 },
      tracks: { created: 0, updated: many, unchanged: 0 },
    });
    expect((await load(moved)).body).toMatchObject({ albums: { unchanged: 200 }, tracks: { unchanged: many } });
    const { body: last } = await server.api<{ tracks: { id: string }[] }>('GET', '/v1/catalog/albums/al_199');
    expect(last.tracks.map(({ id }) => id)).toEqual(Array.from({ length: 12 }, (_, at) => `tr_${11 - at}`));
    const find = async (q: string) => (await server.api('GET', `/v1/catalog/search?limit=3&q=${q}`)).body;
    expect(JSON.stringify(await find('After 199'))).toContain('"al_199"');
    expect(await searchTrouble(server.store.db, [musicKeeping])).toEqual([]);

    const { tracks } = moved;
    const twice = { ...moved, tracks: [...tracks.slice(0, -1), { ...at(tracks, 2399), position: 2 }] };
    const refused = await load(twice);
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      expect.stringContaining('tracks[2399] "position": disc 1, position 2 of album "al_0" is taken by tracks[2398]'),
    ]);
  });

  test('IMPORT-2: says what it made; the same file again changes nothing and tells nobody', async () => {
    const first = await load(SMALL_CATALOG);
    expect([first.status, first.body]).toEqual([
      200,
      {
        artists: { created: 2, updated: 0, unchanged: 0 },
        albums: { created: 3, updated: 0, unchanged: 0 },
        tracks: { created: 6, updated: 0, unchanged: 0 },
      },
    ]);
    const { next_cursor } = await feed();
    const second = await load(SMALL_CATALOG);
    expect(second.body.tracks).toEqual({ created: 0, updated: 0, unchanged: 6 });
    expect(second.body.albums).toEqual({ created: 0, updated: 0, unchanged: 3 });
    expect((await feed(next_cursor)).items).toEqual([]);
  });

  test('IMPORT-2: only what differs is written and announced', async () => {
    await load(SMALL_CATALOG);
    const { next_cursor } = await feed();
    const answer = await load(changed((file) => (at(file.tracks, 1).title = 'Joga')));
    expect(answer.body.tracks).toEqual({ created: 0, updated: 1, unchanged: 5 });
    expect((await feed(next_cursor)).items).toMatchObject([
      { kind: 'track', id: 'tr_h2', op: 'put', record: { title: 'Joga' } },
    ]);
  });

  test('IMPORT-4: fields that the catalog does not know are left out; counts that are missing are counted', async () => {
    await load(changed((file) => Object.assign(at(file.albums, 0), { source: 'somewhere', script: 'Latn' })));
    const { body } = await server.api<Record<string, unknown>>('GET', '/v1/catalog/albums/al_homogenic');
    expect(body).toMatchObject({ track_count: 2, discs: 1 });
    expect(Object.keys(body)).not.toContain('source');
    const rem = await server.api('GET', '/v1/catalog/albums/al_automatic');
    expect(rem.body).toMatchObject({ track_count: 12 });
  });

  test('IMPORT-4: a disc 0 is kept', async () => {
    const answer = await load(changed((file) => (at(file.tracks, 1).disc = 0)));
    expect(answer.status).toBe(200);
    const { body } = await server.api<{ tracks: { id: string; disc: number }[] }>(
      'GET',
      '/v1/catalog/albums/al_homogenic',
    );
    expect(body.tracks.map(({ id, disc }) => [id, disc])).toEqual([
      ['tr_h2', 0],
      ['tr_h1', 1],
    ]);
  });

  const bad: [string, (file: CatalogFile) => void, number, RegExp][] = [
    [
      'a wrong type',
      (file) => Object.assign(at(file.tracks, 4), { duration_ms: '3:45' }),
      422,
      /tracks\[4\] "duration_ms": .+/,
    ],
    ['an id that is no id', (file) => (at(file.tracks, 3).id = '../x'), 422, /tracks\[3\] "id": .+/],
    ['no title', (file) => (at(file.albums, 1).title = '  '), 422, /albums\[1\] "title": .+/],
    ['a row that is no object', (file) => Object.assign(file.tracks, { 2: 'x' }), 422, /tracks\[2\]: .+/],
    [
      'an unknown album',
      (file) => (at(file.tracks, 5).album_id = 'al_x'),
      422,
      /tracks\[5\] "album_id": there is no album "al_x"/,
    ],
    [
      'an unknown artist',
      (file) => (at(file.albums, 2).artist_id = 'ar_x'),
      422,
      /albums\[2\] "artist_id": there is no artist "ar_x"/,
    ],
    [
      'an id twice',
      (file) => (at(file.tracks, 5).id = 'tr_h1'),
      409,
      /tracks\[5\] "id": "tr_h1" stands in tracks\[0\] already/,
    ],
    [
      'a position twice',
      (file) => (at(file.tracks, 1).position = 1),
      409,
      /tracks\[1\] "position": disc 1, position 1 .+ taken by tracks\[0\]/,
    ],
  ];
  test.each(bad)('IMPORT-1, IMPORT-5: %s is named, and nothing is imported', async (_name, change, status, message) => {
    const answer = await load(changed(change));
    expect(answer.status).toBe(status);
    expect(answer.body.error.code).toBe(status === 409 ? 'conflict' : 'invalid');
    expect(answer.body.error.message).toMatch(message);
    expect((await feed()).items).toEqual([]);
    const search = await server.api('GET', '/v1/catalog/search?q=hunter');
    expect(search.body).toEqual({ artists: [], albums: [], tracks: [] });
  });

  test('IMPORT-1: a position that a track of the catalog holds is a conflict', async () => {
    await load(SMALL_CATALOG);
    const answer = await load({ artists: [], albums: [], tracks: [{ ...at(SMALL_CATALOG.tracks, 0), id: 'tr_new' }] });
    expect([answer.status, answer.body.error.message]).toEqual([
      409,
      expect.stringContaining('taken by track "tr_h1" of the catalog'),
    ]);
  });

  test('IMPORT-1, IMPORT-5: every bad row is counted, the first are named', async () => {
    const tracks = Array.from({ length: 50 }, () => ({}));
    const answer = await load({ artists: [], albums: [], tracks });
    expect(answer.body.error.message).toContain('tracks[0] "id"');
    expect(answer.body.error.message).toContain('and 30 more');
  });

  test('IMPORT-1: a body that is no catalog is refused', async () => {
    expect((await load({ tracks: [] })).status).toBe(400);
    expect((await server.raw('POST', '/v1/catalog/import', '{"artists":[')).status).toBe(400);
  });

  test('IMPORT-3: tracks may change places, across albums and in circles', async () => {
    await load(SMALL_CATALOG);
    const moved = changed((file) => {
      at(file.tracks, 2).position = 3;
      at(file.tracks, 3).position = 1;
      at(file.tracks, 4).position = 2;
    });
    expect((await load(moved)).body.tracks).toEqual({ created: 0, updated: 3, unchanged: 3 });
    const { body } = await server.api<{ tracks: { id: string }[] }>('GET', '/v1/catalog/albums/al_automatic');
    expect(body.tracks.map((track) => track.id)).toEqual(['tr_a2', 'tr_a3', 'tr_a1']);
  });

  test('IMPORT-3: an import never takes a track its audio and never removes what the file leaves out', async () => {
    await load(SMALL_CATALOG);
    const file = vorbisFile({ durationMs: 255_000 });
    await server.upload(file);
    const key = { 'Idempotency-Key': 'k' };
    expect((await server.api('POST', '/v1/ingestion/commits', commitOf(file, 'tr_h1'), key)).status).toBe(200);
    await load(changed((catalog) => (at(catalog.tracks, 0).title = 'The Hunter')));
    await load({ artists: [], albums: [], tracks: [] });
    const { body } = await server.api('GET', '/v1/catalog/tracks/tr_h1');
    expect(body).toMatchObject({ title: 'The Hunter', availability: 'available' });
    expect((await server.raw('GET', '/v1/catalog/tracks/tr_h1/audio')).status).toBe(200);
  });

  test('IMPORT-4: an album grows with tracks that are imported for it later', async () => {
    await load(SMALL_CATALOG);
    const track = { ...at(SMALL_CATALOG.tracks, 0), id: 'tr_new', disc: 2, position: 1 };
    const answer = await load({ artists: [], albums: [], tracks: [track] });
    expect(answer.body).toMatchObject({ albums: { created: 0, updated: 0, unchanged: 0 }, tracks: { created: 1 } });
    expect((await server.api('GET', '/v1/catalog/albums/al_homogenic')).body).toMatchObject({
      discs: 2,
      track_count: 3,
    });
  });

  test('API-3, API-64: sent twice under one key it is done once; the key with another body is refused', async () => {
    const key = { 'Idempotency-Key': 'import-1' };
    const first = await load(SMALL_CATALOG, key);
    const again = await load(SMALL_CATALOG, key);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const other = await load({ artists: [], albums: [], tracks: [] }, key);
    expect([other.status, other.body.error.code]).toEqual([422, 'invalid']);
  });
});

describe('GET /v1/catalog/changes', () => {
  test('FEED-1: a fresh replica reads every entity once, references first, whatever happened before', async () => {
    await load(SMALL_CATALOG);
    await load(changed((file) => (at(file.artists, 0).name = 'Bjork')));
    const seen: string[] = [];
    let cursor = '';
    for (;;) {
      const { body } = await server.api<ChangesPage>('GET', `/v1/catalog/changes?limit=4&cursor=${cursor}`);
      seen.push(...body.items.map((item) => `${item.kind}:${item.id}`));
      cursor = body.next_cursor;
      if (!body.more) break;
    }
    expect(seen).toHaveLength(11);
    expect(new Set(seen).size).toBe(11);
    expect(seen.at(-1)).toBe('artist:ar_bjork');
  });

  test('FEED-2: the cursor stays where nothing is new, and goes on from there', async () => {
    await load(SMALL_CATALOG);
    const { next_cursor } = await feed();
    const idle = await feed(next_cursor);
    expect(idle).toMatchObject({ items: [], next_cursor, more: false });
    await server.api('POST', '/v1/download-requests', { track_id: 'tr_h1' });
    expect((await feed(idle.next_cursor)).items).toMatchObject([
      { kind: 'download_request', record: { status: 'pending', track_id: 'tr_h1' } },
    ]);
  });

  test('FEED-3: a cursor of another database, or of this one before it was put back, is 410', async () => {
    await load(SMALL_CATALOG);
    const { next_cursor, catalog_id } = await feed();
    const [, of = '', seq = '', mark = ''] = /^(\w{8})\.(\d+)\.([0-9a-f]{12})$/.exec(next_cursor) ?? [];
    expect(mark).not.toBe('');
    const other = mark.replaceAll(/./g, (one) => (one === '0' ? '1' : '0'));
    for (const cursor of ['00000000.3', `${of}.999999.${mark}`, `${of}.${seq}.${other}`]) {
      expect((await server.api('GET', `/v1/catalog/changes?cursor=${cursor}`)).status, cursor).toBe(410);
    }
    expect((await server.api('GET', '/v1/catalog/changes?cursor=nonsense')).status).toBe(400);
    expect((await server.api('GET', '/v1/catalog/changes?limit=5001')).status).toBe(400);
    expect(catalog_id).toMatch(/^[0-9a-f-]{36}$/);
    // What a client kept from a server of before there were marks is believed as far as those go back.
    expect((await server.api('GET', `/v1/catalog/changes?cursor=${of}.${seq}`)).status).toBe(200);
    await server.api('POST', '/v1/download-requests', { track_id: 'tr_h1' });
    expect((await server.api('GET', `/v1/catalog/changes?cursor=${of}.${Number(seq) + 1}`)).status).toBe(410);
  });
});
