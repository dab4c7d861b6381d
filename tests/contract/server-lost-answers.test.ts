/** A transaction that is done, and whose answer never came: nothing that it says is undone. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CommitRequest, CommitResponse } from '#core/sync/protocol.ts';
import { recover } from '#server/ingest/recover.ts';
import type { Store } from '#server/store/store.ts';
import { commitOf, SMALL_CATALOG, testServer, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';
import { vorbisFile } from '../fixtures/vorbis-file.ts';

const HUNTER = vorbisFile({ durationMs: 255_000, bytesPerSecond: 200 });
const OTHER = vorbisFile({ durationMs: 255_000, bytesPerSecond: 200, seed: 2 });

let server: TestServer;
/** What befalls the next transaction for which it is asked. */
let befalls: ((done: boolean) => Error | null) | null;
beforeEach(async () => {
  befalls = null;
  server = await testServer();
  await server.importCatalog(SMALL_CATALOG);
  const { write: really } = server.store;
  const write: Store['write'] = async (work) => {
    const before = befalls?.(false);
    if (before) throw before;
    const value = await really(work);
    const after = befalls?.(true);
    if (after) throw after;
    return value;
  };
  Object.assign(server.store, { write });
});
afterEach(() => server.end());

const lost = (): Error => new Error('Connection terminated unexpectedly');
/** The answer of the n-th transaction from now on is lost; `after`: and no later one can begin. */
function loseAnswer(of: number, after = false): void {
  let count = 0;
  befalls = (done) => {
    if (done) return count === of ? lost() : null;
    count += 1;
    return after && count > of ? lost() : null;
  };
}

const commit = (body: CommitRequest, key = `key-${body.sha256}`) =>
  server.api<CommitResponse & ErrorAnswer>('POST', '/v1/ingestion/commits', body, { 'Idempotency-Key': key });
const audio = async (id = 'tr_h1') => {
  const response = await server.raw('GET', `/v1/catalog/tracks/${id}/audio`);
  return response.status === 200 ? new Uint8Array(await response.arrayBuffer()) : response.status;
};
const media = async () =>
  (await readdir(join(server.data, 'media'), { recursive: true })).filter((name) => name.endsWith('.ogg'));

for (const after of [false, true]) {
  const how = after ? ', and the database stays away' : '';
  test(`COMMIT-8 a commit that was done and whose answer was lost keeps its file${how}`, async () => {
    await server.upload(HUNTER);
    // The first transaction notes the path, the second publishes.
    loseAnswer(2, after);
    expect((await commit(commitOf(HUNTER, 'tr_h1'))).status).toBe(503);
    befalls = null;
    const again = await commit(commitOf(HUNTER, 'tr_h1'));
    expect([again.status, again.body.outcome, again.headers.get('idempotent-replayed')]).toEqual([
      200,
      'created',
      'true',
    ]);
    await recover(server.deps);
    expect(await audio()).toEqual(HUNTER.bytes);
  });
}

test('COMMIT-8, FAULT-6 a commit that was not done takes its file away, at the next start where it cannot do so now', async () => {
  await server.upload(HUNTER);
  let count = 0;
  befalls = (done) => (!done && (count += 1) === 2 ? lost() : null);
  expect((await commit(commitOf(HUNTER, 'tr_h1'))).status).toBe(503);
  expect(await media()).toEqual([]);
  befalls = (done) => (!done && (count += 1) > 4 ? lost() : null);
  expect((await commit(commitOf(HUNTER, 'tr_h1'))).status).toBe(503);
  expect(await media()).toHaveLength(1);
  befalls = null;
  await recover(server.deps);
  expect(await media()).toEqual([]);
  expect((await commit(commitOf(HUNTER, 'tr_h1'))).status).toBe(200);
  expect(await audio()).toEqual(HUNTER.bytes);
});

test('COMMIT-8 an answer that was given counts while what it published is there', async () => {
  await server.upload(HUNTER);
  const first = await commit(commitOf(HUNTER, 'tr_h1'));
  await server.deps.blobs.remove(first.body.output_file_path);
  expect((await commit(commitOf(HUNTER, 'tr_h1'))).status).toBe(422);
  await server.upload(HUNTER);
  expect((await commit(commitOf(HUNTER, 'tr_h1'))).status).toBe(200);
  expect((await commit(commitOf(HUNTER, 'tr_h1'))).headers.get('idempotent-replayed')).toBe('true');
  expect(await audio()).toEqual(HUNTER.bytes);
  // What somebody took back on purpose is not published anew by an answer that comes late.
  await server.api('POST', '/v1/catalog/tracks/tr_h1/unpublish', {});
  expect((await commit(commitOf(HUNTER, 'tr_h1'))).headers.get('idempotent-replayed')).toBe('true');
  expect(await audio()).toBe(404);
});

test('COMMIT-8 a restore of former audio that was done and whose answer was lost keeps its file', async () => {
  for (const file of [HUNTER, OTHER]) {
    await server.upload(file);
    await commit(commitOf(file, 'tr_h1', { replace: true }));
  }
  loseAnswer(2);
  const restored = () => server.api('POST', '/v1/catalog/tracks/tr_h1/restore', { sha256: HUNTER.sha256 });
  expect((await restored()).status).toBe(503);
  befalls = null;
  expect((await restored()).status).toBe(200);
  expect(await audio()).toEqual(HUNTER.bytes);
});

test('COMMIT-9 audio that was moved away, and whose move was not noted, is not moved over what has its name now', async () => {
  await server.upload(HUNTER);
  const { output_file_path } = (await commit(commitOf(HUNTER, 'tr_h1'))).body;
  let count = 0;
  // The first transaction takes the audio out of the catalog; that it was moved cannot be written.
  befalls = (done) => (done && (count += 1) === 2 ? lost() : null);
  await server.api('POST', '/v1/catalog/tracks/tr_h1/unpublish', {});
  befalls = null;
  await server.store.write((tx) => tx.updateTable('former_media').set({ moved: 0 }).execute());
  await server.upload(OTHER);
  expect((await commit(commitOf(OTHER, 'tr_h1'))).body.output_file_path).toBe(output_file_path);
  await recover(server.deps);
  expect(await audio()).toEqual(OTHER.bytes);
  expect((await server.api('POST', '/v1/catalog/tracks/tr_h1/restore', { sha256: HUNTER.sha256 })).status).toBe(200);
  expect(await audio()).toEqual(HUNTER.bytes);
});

test('COMMIT-10 two tracks that had one path in turn, with the same audio, each get it back', async () => {
  const at = { artist_id: 'ar_x', artist: 'X', disc: 1, position: 1, title: 'Same', duration_ms: null };
  await server.importCatalog({
    artists: [{ id: 'ar_x', name: 'X' }],
    albums: ['tr_x1', 'tr_x2'].map((id) => ({ id: `al_${id}`, title: 'X', artist_id: 'ar_x', artist: 'X' })),
    tracks: ['tr_x1', 'tr_x2'].map((id) => ({ ...at, id, album_id: `al_${id}` })),
  });
  const paths: string[] = [];
  for (const id of ['tr_x1', 'tr_x2']) {
    await server.upload(HUNTER);
    paths.push((await commit(commitOf(HUNTER, id), `key-${id}`)).body.output_file_path);
    await server.api('POST', `/v1/catalog/tracks/${id}/unpublish`, {});
  }
  expect(paths[0]).toBe(paths[1]);
  for (const id of ['tr_x2', 'tr_x1']) {
    const back = await server.api('POST', `/v1/catalog/tracks/${id}/restore`, { sha256: HUNTER.sha256 });
    expect(back.status).toBe(200);
    expect(await audio(id)).toEqual(HUNTER.bytes);
  }
});

test('COMMIT-9 what could not be moved yet is restored from where it is', async () => {
  await server.upload(HUNTER);
  await commit(commitOf(HUNTER, 'tr_h1'));
  let count = 0;
  befalls = (done) => (!done && (count += 1) === 2 ? lost() : null);
  await server.api('POST', '/v1/catalog/tracks/tr_h1/unpublish', {});
  befalls = null;
  expect(await media()).toHaveLength(1);
  expect((await server.api('POST', '/v1/catalog/tracks/tr_h1/restore', { sha256: HUNTER.sha256 })).status).toBe(200);
  expect(await audio()).toEqual(HUNTER.bytes);
});
