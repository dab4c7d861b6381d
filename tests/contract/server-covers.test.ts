/** The covers of albums: seen, replaced, had back, damaged. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pictureData } from '#adapters/media/vorbis-comment.ts';
import type { AlbumCovers } from '#lanes/music/core/catalog.ts';
import { keptFiles, musicKeeping } from '#lanes/music/server/store/keeping.ts';
import { makeCover, pictureBlock } from '../fixtures/cover.ts';
import { commitOf, SMALL_CATALOG, testServer, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';
import { sha256, vorbisFile } from '../fixtures/vorbis-file.ts';

const RED = makeCover(1).bytes;
const BLUE = makeCover(2).bytes;
const ALBUM = '/v1/catalog/albums/al_homogenic';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
  await server.importCatalog(SMALL_CATALOG);
});
afterEach(() => server.end());

const put = (bytes: Uint8Array<ArrayBuffer>, path = ALBUM) =>
  server.raw('PUT', `${path}/cover`, new Blob([bytes]), { 'Content-Type': 'image/png' });
const choose = (hash: string | null) =>
  server.api<AlbumCovers & ErrorAnswer>('POST', `${ALBUM}/cover`, { sha256: hash });
const covers = async () => (await server.api<AlbumCovers>('GET', `${ALBUM}/covers`)).body;
const hashes = ({ present, former }: AlbumCovers) => [present?.sha256 ?? null, former.map((one) => one.sha256)];
const picture = (hash: string, headers: Record<string, string> = {}) =>
  server.raw('GET', `/v1/catalog/covers/${hash}`, null, headers);
async function publish(picture: string | null, seed: number, track = 'tr_h1'): Promise<void> {
  const comments = picture === null ? {} : { METADATA_BLOCK_PICTURE: picture };
  const file = vorbisFile({ durationMs: 255_000, seed, comments });
  await server.upload(file);
  const key = { 'Idempotency-Key': `covers-${seed}` };
  const body = commitOf(file, track, { replace: true });
  expect((await server.api('POST', '/v1/ingestion/commits', body, key)).status).toBe(200);
}

describe('API-187 the cover of an album', () => {
  test('API-187 is replaced by a picture, the one before is kept, had back, and taken away', async () => {
    expect(hashes(await covers())).toEqual([null, []]);
    expect((await put(RED)).status).toBe(200);
    server.time.now += 1000;
    expect((await put(BLUE)).status).toBe(200);
    expect(hashes(await covers())).toEqual([sha256(BLUE), [sha256(RED)]]);
    expect((await covers()).present).toMatchObject({ mime: 'image/png', size: BLUE.length, source: 'person' });
    server.time.now += 1000;
    expect(hashes((await choose(sha256(RED))).body)).toEqual([sha256(RED), [sha256(BLUE)]]);
    const none = (await choose(null)).body;
    expect([none.present, none.former.map((one) => one.sha256)]).toEqual([null, [sha256(RED), sha256(BLUE)]]);
    expect((await choose(sha256(RED))).status).toBe(200);
    const seen = await picture(sha256(BLUE));
    expect(Buffer.from(await seen.arrayBuffer()).equals(BLUE)).toBe(true);
    expect([seen.headers.get('content-type'), seen.headers.get('etag')]).toEqual(['image/png', `"${sha256(BLUE)}"`]);
    expect((await picture(sha256(BLUE), { 'If-None-Match': `"${sha256(BLUE)}"` })).status).toBe(304);
  });

  test('API-187 the same picture again changes nothing, two albums may have it, and what is no picture is refused', async () => {
    expect([(await put(RED)).status, (await put(RED)).status]).toEqual([200, 200]);
    expect(hashes(await covers())).toEqual([sha256(RED), []]);
    expect((await put(RED, '/v1/catalog/albums/al_tokyo')).status).toBe(200);
    expect((await put(new TextEncoder().encode('<svg onload=alert(1)>'))).status).toBe(415);
    expect((await put(RED, '/v1/catalog/albums/al_nobody')).status).toBe(404);
    expect((await choose(sha256(BLUE))).status).toBe(404);
    expect((await picture(sha256(BLUE))).status).toBe(404);
    expect(await server.store.db.selectFrom('placements').selectAll().execute()).toEqual([]);
  });
});

describe('API-188 the cover of what is published', () => {
  test('API-188 an album that never had a cover gets that of its first file with one; a person’s word stands', async () => {
    await publish(null, 1);
    expect(hashes(await covers())).toEqual([null, []]);
    await publish(pictureBlock(RED, 'image/png'), 2);
    expect((await covers()).present).toMatchObject({ sha256: sha256(RED), source: 'file' });
    await publish(pictureBlock(BLUE, 'image/png'), 3);
    expect(hashes(await covers())).toEqual([sha256(RED), []]);
    await choose(null);
    await publish(pictureBlock(BLUE, 'image/png'), 4);
    expect(hashes(await covers())).toEqual([null, [sha256(RED)]]);
  });

  test('API-188 a picture that is none, or is cut off, keeps no file from being published', async () => {
    const block = Buffer.from(pictureBlock(RED, 'image/png'), 'base64');
    const wrong = ['', '!', block.subarray(0, 40).toString('base64'), block.subarray(0, -1).toString('base64')];
    for (const [at, text] of wrong.entries()) await publish(text, 10 + at);
    expect(hashes(await covers())).toEqual([null, []]);
    for (let end = 0; end < block.length; end += 1) expect(pictureData(block.subarray(0, end))).toBeNull();
    expect(Buffer.from(pictureData(block) ?? []).equals(RED)).toBe(true);
  });
});

test('API-189 covers are looked at with all kept files: a damaged one is not sent, and given up it is no cover any more', async () => {
  await put(RED);
  await put(RED, '/v1/catalog/albums/al_tokyo');
  await publish(null, 1);
  const { db } = server.store;
  const files = [];
  for await (const file of keptFiles(db)) files.push(file);
  const cover = files.find(({ sha256: hash }) => hash === sha256(RED));
  expect(files).toHaveLength(2);
  if (cover === undefined) throw new Error('no cover among the kept files');
  // From any place on the rest follows.
  for (const [at, file] of files.entries()) {
    const rest = [];
    for await (const one of keptFiles(db, file)) rest.push(one.path);
    expect(rest).toEqual(files.slice(at + 1).map(({ path }) => path));
  }
  expect([...(await musicKeeping.named(db, 'media', [cover.path, 'covers/other.jpg']))]).toEqual([cover.path]);
  await writeFile(join(server.data, 'media', cover.path), 'damaged');
  expect((await picture(sha256(RED))).status).toBe(500);
  expect(await musicKeeping.names(db, cover)).toBe(true);
  await server.store.write((tx) => musicKeeping.giveUp(tx, cover, { ids: server.deps.ids, at: 5, by: 'admin' }));
  expect([await musicKeeping.names(db, cover), hashes(await covers())]).toEqual([false, [null, []]]);
  // The same picture again is set aside the damaged one.
  expect((await put(RED)).status).toBe(200);
  expect((await picture(sha256(RED))).status).toBe(200);
});
