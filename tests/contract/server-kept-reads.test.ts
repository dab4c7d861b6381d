/** Albums and tracks as they are read again and again, on both stores: whatever changed is in the next answer. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { importCatalog } from '#lanes/music/server/catalog/import-catalog.ts';
import { keptReads } from '#lanes/music/server/catalog/kept-reads.ts';
import { readAlbum } from '#lanes/music/server/store/rows.ts';
import { commitOf, SMALL_CATALOG, testServer, type TestServer } from '../fixtures/server.ts';
import { onBothStores } from '../fixtures/stores.ts';
import { vorbisFile } from '../fixtures/vorbis-file.ts';

const ALBUM = '/v1/catalog/albums/al_homogenic';
const TRACK = '/v1/catalog/tracks/tr_h1';
const OTHER = '/v1/catalog/tracks/tr_h2';

onBothStores('what is read again', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await testServer();
    await server.importCatalog(SMALL_CATALOG);
    await server.addToken('token-of-a-reader', 'vera', 'ReadCatalog');
    await server.addToken('token-of-nobody', 'eve', 'none');
  });
  afterEach(() => server.end());

  const ask = async (path: string, tag: string | null = null, headers: Record<string, string> = {}) => {
    const known: Record<string, string> = tag === null ? {} : { 'If-None-Match': tag };
    const answer = await server.raw('GET', path, null, { ...known, ...headers });
    return { status: answer.status, tag: answer.headers.get('etag') ?? '', text: await answer.text(), answer };
  };

  /** Every way in which the two can become others; whoever wrote it. */
  const changes: Record<string, [path: string, () => Promise<unknown>]> = {
    'a title': [ALBUM, () => server.api('PATCH', ALBUM, { title: 'Homogenous' })],
    "a track's title": [ALBUM, () => server.api('PATCH', TRACK, { title: 'The Hunter' })],
    'a track that came': [
      ALBUM,
      () => {
        const where = { album_id: 'al_homogenic', disc: 1, position: 9, duration_ms: 1 };
        return server.api('POST', '/v1/catalog/tracks', { ...where, title: 'New', artist: 'Björk' });
      },
    ],
    'a track that went to another album': [
      ALBUM,
      () => server.api('PATCH', TRACK, { album_id: 'al_tokyo', position: 7 }),
    ],
    'a track that was removed': [ALBUM, () => server.api('DELETE', TRACK)],
    'audio that was published': [
      ALBUM,
      async () => {
        const file = vorbisFile({ durationMs: 305_000 });
        await server.upload(file);
        return server.api('POST', '/v1/ingestion/commits', commitOf(file, 'tr_h2'), { 'Idempotency-Key': 'k' });
      },
    ],
    "the album's title, in a track": [OTHER, () => server.api('PATCH', ALBUM, { title: 'Once more' })],
    'what another program imported': [
      OTHER,
      () => {
        const tracks = SMALL_CATALOG.tracks?.map((row) => (row.id === 'tr_h2' ? { ...row, title: 'Joga' } : row));
        const file = { ...SMALL_CATALOG, tracks: tracks ?? [] };
        return server.store.write((tx) => importCatalog(tx, file));
      },
    ],
  };

  test('API-190 an album or track is 304 where nothing of it changed, and after any change another one with another tag', async () => {
    for (const [name, [path, change]] of Object.entries(changes)) {
      const before = await ask(path);
      const same = await ask(path, before.tag);
      expect([same.status, same.text, same.tag.slice(0, -2)], name).toEqual([
        304,
        '',
        before.tag.slice(0, same.tag.length - 2),
      ]);
      await change();
      const after = await ask(path, before.tag);
      expect([after.status, after.text === before.text, after.tag === before.tag], name).toEqual([200, false, false]);
      if (path === ALBUM)
        expect(JSON.parse(after.text), name).toEqual(await readAlbum(server.store.db, 'al_homogenic'));
      expect((await ask(path, `W/${after.tag}, "x"`)).status, name).toBe(304);
    }
    expect((await ask('/v1/catalog/tracks/none', '*')).status).toBe(404);
  });

  test('API-190 a database that was put back beneath the server leaves nothing of what was kept', async () => {
    const before = await ask(ALBUM);
    await server.store.write(async (tx) => {
      await tx.updateTable('albums').set({ title: 'As it was' }).where('id', '=', 'al_homogenic').execute();
      await tx.updateTable('feed_marks').set({ mark: '0123456789ab' }).execute();
    });
    const after = await ask(ALBUM, before.tag);
    expect([after.status, after.text.includes('As it was')]).toEqual([200, true]);
  });

  test('API-191 who may not read it is told so, kept or not and whatever tag they name', async () => {
    const { tag, text } = await ask(ALBUM);
    const as = async (token: string) => (await ask(ALBUM, tag, { Authorization: `Bearer ${token}` })).status;
    expect([await as('token-of-a-reader'), await as('token-of-nobody'), await as('wrong')]).toEqual([304, 403, 401]);
    const { answer, text: others } = await ask(ALBUM, null, { Authorization: 'Bearer token-of-a-reader' });
    expect([others, answer.headers.get('cache-control'), answer.headers.get('vary')]).toEqual([
      ...[text, 'private, no-cache', 'Authorization, Accept-Encoding, Origin'],
    ]);
  });

  test('API-192 from its second reading on a long one is packed, under a tag of its own, and If-Match takes either', async () => {
    const tracks = Array.from({ length: 40 }, (_, at) => ({ title: `Song ${at}`, duration_ms: 1000 }));
    const { body } = await server.api<{ id: string }>('POST', '/v1/catalog/albums', {
      title: 'Long',
      artist: 'A',
      year: 1,
      tracks,
    });
    const path = `/v1/catalog/albums/${body.id}`;
    const plain = await ask(path, null, { 'Accept-Encoding': 'identity' });
    const packed = await ask(path, null, { 'Accept-Encoding': 'gzip' });
    expect([plain, packed].map(({ answer }) => answer.headers.get('content-encoding'))).toEqual([null, 'gzip']);
    expect([packed.text === plain.text, packed.tag === plain.tag]).toEqual([true, false]);
    for (const { tag } of [plain, packed]) expect((await ask(path, tag)).status).toBe(304);
    const patch = (tag: string, title: string) => server.api('PATCH', path, { title }, { 'If-Match': tag });
    expect((await patch(packed.tag, 'Longer')).status).toBe(200);
    expect((await patch(plain.tag, 'Longest')).status).toBe(412);
    expect((await patch((await ask(path)).tag, 'Longest')).status).toBe(200);
  });

  test('API-193 however many read while it is written, an answer has what was committed before it was asked for', async () => {
    // Too small for both: what is kept is dropped again and again.
    const reads = keptReads(server.store.db, 600);
    let committed = 0;
    let over = false;
    let seen = 0;
    const reader = async (): Promise<void> => {
      while (!over) {
        const before = committed;
        const text = new TextDecoder().decode((await reads.album('al_homogenic'))?.bytes);
        expect(Number(/"title":"Round (\d+)"/.exec(text)?.[1] ?? 0)).toBeGreaterThanOrEqual(before);
        await reads.track(`tr_a${1 + (seen % 3)}`);
        seen += 1;
      }
    };
    const readers = [reader(), reader(), reader()];
    for (let round = 1; round <= 12; round += 1) {
      await server.api('PATCH', TRACK, { title: `Round ${round}` });
      committed = round;
    }
    const least = seen;
    over = true;
    await Promise.all(readers);
    expect(least).toBeGreaterThan(0);
  });
});
