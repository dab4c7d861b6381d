/** What a track had is kept, with who ended it, and comes back. */
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TrackVersions } from '#lanes/music/core/catalog.ts';
import { commitOf, SMALL_CATALOG, testServer, type TestServer } from '../fixtures/server.ts';
import { vorbisFile, type VorbisFile } from '../fixtures/vorbis-file.ts';

let server: TestServer;
let first: VorbisFile;
let second: VorbisFile;

beforeAll(async () => {
  server = await testServer();
  await server.importCatalog(SMALL_CATALOG);
  await server.addToken('the-token-of-eva', 'eva', 'EditCatalog');
  [first, second] = [vorbisFile({ durationMs: 1000 }), vorbisFile({ durationMs: 2000, seed: 1 })];
});
afterAll(() => server.end());

const EVA = { Authorization: 'Bearer the-token-of-eva' };

async function publish(file: VorbisFile, replace: boolean): Promise<void> {
  await server.upload(file);
  const headers = { ...EVA, 'Idempotency-Key': `key-${file.sha256}` };
  const answer = await server.api('POST', '/v1/ingestion/commits', commitOf(file, 'tr_h1', { replace }), headers);
  expect(answer.status).toBe(200);
}

const post = (what: string, body: object = {}) => {
  server.time.now += 1000;
  return server.api<TrackVersions>('POST', `/v1/catalog/tracks/tr_h1/${what}`, body);
};
const versions = async () => (await server.api<TrackVersions>('GET', '/v1/catalog/tracks/tr_h1/versions')).body;
const audio = async () => {
  const response = await server.raw('GET', '/v1/catalog/tracks/tr_h1/audio');
  return response.status === 200 ? new Uint8Array(await response.arrayBuffer()) : response.status;
};

test('API-12, API-75: replaced audio is listed with who replaced it, and restored byte by byte', async () => {
  await publish(first, false);
  await publish(second, true);
  expect(await versions()).toMatchObject({
    present: { sha256: second.sha256, published_by: 'eva' },
    former: [{ sha256: first.sha256, ended_by: 'eva', reason: 'replaced', size: first.size }],
  });
  const back = await post('restore', { sha256: first.sha256 });
  expect(back.status).toBe(200);
  expect(back.body).toMatchObject({
    present: { sha256: first.sha256, published_by: 'admin', published_by_name: 'Admin' },
    former: [{ sha256: second.sha256, ended_by: 'admin' }],
  });
  expect(await audio()).toEqual(first.bytes);
  // And the way back from there.
  expect((await post('restore', { sha256: second.sha256 })).body.present?.sha256).toBe(second.sha256);
  expect(await audio()).toEqual(second.bytes);
});

test('API-12: unpublished audio is kept, the track is missing again, and a restore is its undo', async () => {
  const gone = await post('unpublish');
  expect(gone.body).toMatchObject({ present: null });
  expect(gone.body.former[0]).toMatchObject({ sha256: second.sha256, reason: 'unpublished', ended_by: 'admin' });
  expect(await audio()).toBe(404);
  expect((await server.api('GET', '/v1/catalog/tracks/tr_h1')).body).toMatchObject({ availability: 'missing' });
  expect((await post('unpublish')).status).toBe(200);
  const back = await post('restore', { sha256: second.sha256 });
  expect(back).toMatchObject({ status: 200 });
  expect(await audio()).toEqual(second.bytes);
  expect((await post('restore', { sha256: second.sha256 })).status).toBe(200);
});

test('API-12, API-75: what it never had, or what is not kept any more, is not restored', async () => {
  expect((await post('restore', { sha256: '0'.repeat(64) })).status).toBe(404);
  const former = join(server.data, 'media-former');
  expect((await readdir(former, { recursive: true })).length).toBeGreaterThan(0);
  await rm(former, { recursive: true });
  expect((await post('restore', { sha256: first.sha256 })).status).toBe(404);
  expect(await audio()).toEqual(second.bytes);
  expect((await server.api('GET', '/v1/catalog/tracks/nothing/versions')).status).toBe(404);
});

test('API-12: each of these is in the log', async () => {
  const { body } = await server.api<{ items: { action: string }[] }>('GET', '/v1/audit?entity_id=tr_h1');
  expect(body.items.map(({ action }) => action)).toEqual([
    'track.restored',
    'track.unpublished',
    'track.restored',
    'track.restored',
    'track.replaced',
    'track.published',
  ]);
});
