import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AlbumWithTracks, Artist, DownloadRequest, Track } from '#lanes/music/core/catalog.ts';
import { SMALL_CATALOG, testServer, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
  await server.importCatalog(SMALL_CATALOG);
});
afterEach(() => server.end());

interface Hits {
  artists: Artist[];
  albums: { id: string }[];
  tracks: (Track & { album: string })[];
}

describe('reading', () => {
  const find = async (question: string): Promise<Hits> =>
    (await server.api<Hits>('GET', `/v1/catalog/search?q=${encodeURIComponent(question)}&limit=5`)).body;

  test('FIND-1: a track is found as people write it', async () => {
    const questions = [
      ['Hunter', 'tr_h1'],
      ['huntr', 'tr_h1'],
      ['joga bjork', 'tr_h2'],
      ['Jóga', 'tr_h2'],
      ['nightswiming', 'tr_a3'],
      ['rem nightswimming', 'tr_a3'],
      ['R.E.M. breathe', 'tr_a2'],
      ['try not', 'tr_a2'],
      ['東京タワー', 'tr_t1'],
      ['homogenic hunter', 'tr_h1'],
    ] as const;
    for (const [question, id] of questions) expect((await find(question)).tracks[0]?.id, question).toBe(id);
  });

  test('FIND-1: artists and albums are found as well, with typos and in other scripts', async () => {
    expect((await find('byork')).artists.map((artist) => artist.id)).toEqual(['ar_bjork']);
    expect((await find('automatik peple')).albums[0]?.id).toBe('al_automatic');
    expect((await find('test')).albums[0]?.id).toBe('al_tokyo');
    expect((await find('homog')).albums[0]?.id).toBe('al_homogenic');
  });

  test('API-112 in a vocabulary of words of the same few letters a mistyped one is found by how it begins', async () => {
    const parts = ['lo', 'no', 'ka', 'mi', 'ru'];
    const nameOf = (at: number): string =>
      Array.from({ length: 5 }, (_, nth) => parts[Math.floor(at / 5 ** nth) % 5]).join('');
    const artists = Array.from({ length: 3000 }, (_, at) => ({ id: `ar_same${at}`, name: nameOf(at) }));
    await server.importCatalog({ artists, albums: [], tracks: [] });
    for (const at of [0, 777, 1234, 2999]) {
      const name = nameOf(at);
      const found = (await find(`${name.slice(0, 4)}${name.slice(5)}`)).artists;
      expect(
        found.map(({ id }) => id),
        name,
      ).toContain(`ar_same${at}`);
    }
  });

  test('FIND-2: nothing is found for nothing, for what is not there, and for signs', async () => {
    for (const question of ['', '   ', 'zzzzqqqq', '!!!', '%', '" OR 1=1 --']) {
      expect((await find(question)).tracks, question).toEqual([]);
    }
  });

  test('FIND-3: what is renamed is found by its new name alone', async () => {
    await server.api('PATCH', '/v1/catalog/tracks/tr_a1', { title: 'Steering' });
    expect((await find('steering')).tracks.map((track) => track.id)).toEqual(['tr_a1']);
    expect((await find('drive')).tracks).toEqual([]);
    await server.api('PATCH', '/v1/catalog/albums/al_automatic', { title: 'Manual' });
    expect((await find('manual nightswimming')).tracks[0]).toMatchObject({ id: 'tr_a3', album: 'Manual' });
  });

  test('an album has its tracks in playing order with their availability', async () => {
    const { status, headers, body } = await server.api<AlbumWithTracks>('GET', '/v1/catalog/albums/al_homogenic');
    expect(status).toBe(200);
    expect(headers.get('etag')).toMatch(/^"1-[0-9a-f]{16}"$/);
    expect(body).toMatchObject({ id: 'al_homogenic', title: 'Homogenic', artist: 'Björk', year: 1997 });
    expect(body.tracks).toMatchObject([
      { id: 'tr_h1', disc: 1, position: 1, duration_ms: 255_000, availability: 'missing' },
      { id: 'tr_h2', disc: 1, position: 2, availability: 'missing' },
    ]);
  });

  test('tracks and artists are there by id; what is not is 404', async () => {
    expect((await server.api('GET', '/v1/catalog/tracks/tr_h1')).body).toMatchObject({
      title: 'Hunter',
      album: 'Homogenic',
    });
    const artist = await server.api<{ albums: { id: string }[] }>('GET', '/v1/catalog/artists/ar_bjork');
    expect(artist.body.albums.map((album) => album.id).sort()).toEqual(['al_homogenic', 'al_tokyo']);
    for (const path of ['albums/x', 'tracks/x', 'artists/x', 'tracks/x/audio', 'tracks/tr_h1/audio']) {
      const answer = await server.api<ErrorAnswer>('GET', `/v1/catalog/${path}`);
      expect([answer.status, answer.body.error.code], path).toEqual([404, 'not_found']);
    }
  });

  test('albums are browsed page by page in order, those that lack something by themselves', async () => {
    const seen: string[] = [];
    let cursor = '';
    for (;;) {
      const { body } = await server.api<{ items: { id: string }[]; next_cursor: string | null }>(
        'GET',
        `/v1/catalog/albums?limit=2&missing=true&cursor=${cursor}`,
      );
      seen.push(...body.items.map((album) => album.id));
      if (body.next_cursor === null) break;
      cursor = body.next_cursor;
    }
    expect(seen).toEqual(['al_tokyo', 'al_homogenic', 'al_automatic']);
    expect((await server.api('GET', '/v1/catalog/albums?cursor=nonsense')).status).toBe(400);
  });
});

describe('editing', () => {
  const create = <T>(kind: string, body: unknown, headers = {}) =>
    server.api<T & ErrorAnswer>('POST', `/v1/catalog/${kind}`, body, headers);
  const patch = <T>(path: string, body: unknown, headers = {}) =>
    server.api<T & ErrorAnswer>('PATCH', `/v1/catalog/${path}`, body, headers);

  test('EDIT-1: an album is made with its tracks and its new artists in one go', async () => {
    const { status, body } = await create<AlbumWithTracks>('albums', {
      title: 'Obscure Album',
      artist: 'Unknown Artist',
      year: 2020,
      tracks: [
        { title: 'One', duration_ms: 61_000 },
        { title: 'Two' },
        { title: 'Three', disc: 2, artist: 'A Guest' },
        { title: 'Four', disc: 2 },
      ],
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({ title: 'Obscure Album', artist: 'Unknown Artist', discs: 2, track_count: 4 });
    expect(body.tracks.map((track) => [track.disc, track.position, track.title, track.artist])).toEqual([
      [1, 1, 'One', 'Unknown Artist'],
      [1, 2, 'Two', 'Unknown Artist'],
      [2, 1, 'Three', 'A Guest'],
      [2, 2, 'Four', 'Unknown Artist'],
    ]);
    const read = await server.api<AlbumWithTracks>('GET', `/v1/catalog/albums/${body.id}`);
    expect(read.body).toEqual(body);
  });

  test('EDIT-2: an artist is found by name as a person means it, and only made when new', async () => {
    const { body } = await create<AlbumWithTracks>('albums', { title: 'Post', artist: 'bjork' });
    expect(body).toMatchObject({ artist_id: 'ar_bjork', artist: 'bjork' });
    expect((await create('albums', { title: 'Nobody', artist_id: 'ar_nobody' })).status).toBe(422);
    expect((await create('albums', { title: 'By nobody' })).status).toBe(400);
  });

  test('EDIT-1: a bad track leaves no album behind', async () => {
    const twice = await create('albums', {
      title: 'Twice',
      artist: 'Somebody New',
      tracks: [
        { title: 'A', position: 3 },
        { title: 'B', position: 3 },
      ],
    });
    expect([twice.status, twice.body.error.message]).toEqual([409, expect.stringContaining('tracks[1] "position"')]);
    const { body } = await server.api<Hits>('GET', '/v1/catalog/search?q=somebody');
    expect(body.artists).toEqual([]);
  });

  test('EDIT-3: ids and positions that are taken are conflicts', async () => {
    expect((await create('artists', { id: 'ar_bjork', name: 'Another' })).status).toBe(409);
    expect((await create('albums', { id: 'al_tokyo', title: 'x', artist: 'y' })).status).toBe(409);
    expect((await create('tracks', { id: 'tr_h1', album_id: 'al_tokyo', title: 'x' })).status).toBe(409);
    const taken = await create('tracks', { album_id: 'al_homogenic', title: 'x', position: 2 });
    expect([taken.status, taken.body.error.message]).toEqual([409, 'Disc 1, position 2 is taken by "Jóga" (tr_h2).']);
    expect((await patch('tracks/tr_h2', { position: 1 })).status).toBe(409);
    expect((await create('tracks', { album_id: 'al_x', title: 'x' })).status).toBe(422);
  });

  test('EDIT-3: a track without a position is the next one, and the album counts it', async () => {
    const { status, body } = await create<Track>('tracks', { album_id: 'al_homogenic', title: 'Unravel' });
    expect([status, body.position, body.artist]).toEqual([201, 3, 'Björk']);
    expect((await server.api('GET', '/v1/catalog/albums/al_homogenic')).body).toMatchObject({ track_count: 3 });
  });

  test('API-4: If-Match keeps an edit from covering another one', async () => {
    const first = await patch<Track & { version: number }>('tracks/tr_h1', { title: 'One' }, { 'If-Match': '"1"' });
    expect([first.status, first.body.version]).toEqual([200, 2]);
    const late = await patch('tracks/tr_h1', { title: 'Two' }, { 'If-Match': '"1"' });
    expect([late.status, late.body.error.code, late.body.error['version']]).toEqual([412, 'conflict', 2]);
    expect((await patch('tracks/tr_h1', { duration_ms: null }, { 'If-Match': '*' })).status).toBe(200);
    for (const path of ['artists/x', 'albums/x', 'tracks/x']) expect((await patch(path, {})).status, path).toBe(404);
  });

  test('EDIT-4: a patch changes what it names; the same again changes nothing', async () => {
    const { body } = await patch<AlbumWithTracks & { version: number }>('albums/al_homogenic', {
      year: 1998,
      external_ids: { barcode: '5' },
    });
    expect(body).toMatchObject({ title: 'Homogenic', year: 1998, external_ids: { barcode: '5' }, version: 2 });
    expect(body.tracks).toHaveLength(2);
    expect((await patch<{ version: number }>('albums/al_homogenic', { year: 1998 })).body.version).toBe(2);
  });

  test('EDIT-5: a renamed artist is renamed where it was credited by its name; an album given to another takes its tracks along', async () => {
    await patch('artists/ar_bjork', { name: 'Björk Guðmundsdóttir' });
    const album = (await server.api<AlbumWithTracks>('GET', '/v1/catalog/albums/al_homogenic')).body;
    expect([album.artist, album.tracks[0]?.artist]).toEqual(['Björk Guðmundsdóttir', 'Björk Guðmundsdóttir']);
    const given = await patch<AlbumWithTracks>('albums/al_homogenic', { artist: 'R.E.M.' });
    expect(given.body).toMatchObject({
      artist_id: 'ar_rem',
      tracks: [{ artist_id: 'ar_rem' }, { artist_id: 'ar_rem' }],
    });
  });

  test('API-3: a retried POST makes one album', async () => {
    const key = { 'Idempotency-Key': 'album-1' };
    const body = { title: 'Once', artist: 'Only' };
    const first = await create<AlbumWithTracks>('albums', body, key);
    const [second, third] = await Promise.all([
      create<AlbumWithTracks>('albums', body, key),
      create<AlbumWithTracks>('albums', body, key),
    ]);
    expect([second.body.id, third.body.id, second.status]).toEqual([first.body.id, first.body.id, 201]);
    expect((await server.api<Hits>('GET', '/v1/catalog/search?q=once')).body.albums).toHaveLength(1);
    expect((await create('albums', { ...body, year: 2000 }, key)).status).toBe(422);
  });

  test('API-2: what is wrong with a body is named', async () => {
    const answer = await create('artists', { name: 5 });
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid']);
    expect(answer.body.error.message).toContain('"name"');
    expect((await server.raw('POST', '/v1/catalog/artists', 'no json')).status).toBe(400);
  });
});

describe('download requests', () => {
  const ask = (body: unknown, headers = {}) =>
    server.api<DownloadRequest & ErrorAnswer>('POST', '/v1/download-requests', body, headers);

  test('WANT-1: an album or a track is asked for, once a user', async () => {
    const album = await ask({ album_id: 'al_homogenic' });
    expect([album.status, album.body.status, album.body.requested_by]).toEqual([201, 'pending', 'admin']);
    expect((await ask({ album_id: 'al_homogenic' })).body.id).toBe(album.body.id);
    server.time.now += 1000;
    const track = await ask({ track_id: 'tr_a1' });
    const list = await server.api<{ items: DownloadRequest[] }>('GET', '/v1/download-requests?status=pending');
    expect(list.body.items.map((item) => item.id)).toEqual([album.body.id, track.body.id]);
    expect(
      (await server.api<{ items: unknown[] }>('GET', '/v1/download-requests?status=fulfilled')).body.items,
    ).toEqual([]);
  });

  test('API-180 a request that waits is withdrawn, which replicas and the log hear of; a fulfilled one is not', async () => {
    const { id } = (await ask({ album_id: 'al_homogenic' })).body;
    const before = await server.api<{ next_cursor: string }>('GET', '/v1/catalog/changes?limit=5000');
    const gone = await server.api<DownloadRequest>('DELETE', `/v1/download-requests/${id}`);
    expect([gone.status, gone.body.album_id]).toEqual([200, 'al_homogenic']);
    const feed = await server.api<{ items: unknown[] }>('GET', `/v1/catalog/changes?cursor=${before.body.next_cursor}`);
    expect(feed.body.items).toEqual([{ kind: 'download_request', id, op: 'delete', record: null }]);
    const log = await server.store.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'request.withdrawn')
      .execute();
    expect(log.map(({ entity_id, details }) => [entity_id, JSON.parse(details)])).toEqual([
      [id, { album_id: 'al_homogenic', track_id: null, requested_by: 'admin' }],
    ]);
    expect((await server.api('DELETE', `/v1/download-requests/${id}`)).status).toBe(404);
    const again = (await ask({ track_id: 'tr_a1' })).body;
    await server.store.write((tx) =>
      tx.updateTable('download_requests').set({ status: 'fulfilled' }).where('id', '=', again.id).execute(),
    );
    expect((await server.api('DELETE', `/v1/download-requests/${again.id}`)).status).toBe(409);
  });

  test('WANT-1: what is not in the catalog cannot be asked for', async () => {
    expect((await ask({ album_id: 'al_x' })).status).toBe(422);
    expect((await ask({})).status).toBe(400);
    expect((await server.api('GET', '/v1/download-requests?status=x')).status).toBe(400);
  });
});
