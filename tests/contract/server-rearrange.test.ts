/** Albums and tracks merged, moved, removed, and all of it taken back. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CommitResponse } from '#core/sync/protocol.ts';
import type { AlbumWithTracks, CatalogEdited, DownloadRequest, Track } from '#lanes/music/core/catalog.ts';
import { commitOf, SMALL_CATALOG, testServer, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';
import { vorbisFile, type VorbisFile } from '../fixtures/vorbis-file.ts';

/** The album once more, as somebody else entered it: one track the same, one of its own at a place that is taken. */
const TWIN = {
  artists: [],
  albums: [{ id: 'al_twin', title: 'Homogenic', artist_id: 'ar_bjork', artist: 'Björk', year: null }],
  tracks: [
    {
      id: 'tr_w1',
      album_id: 'al_twin',
      artist_id: 'ar_bjork',
      artist: 'Björk',
      disc: 1,
      position: 1,
      title: 'HUNTER',
      duration_ms: 256_000,
    },
    {
      id: 'tr_w2',
      album_id: 'al_twin',
      artist_id: 'ar_bjork',
      artist: 'Björk',
      disc: 1,
      position: 2,
      title: 'Bachelorette',
      duration_ms: 312_000,
    },
  ],
};
const HUNTER = vorbisFile({ durationMs: 255_000 });

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
  await server.importCatalog(SMALL_CATALOG);
  await server.importCatalog(TWIN);
});
afterEach(() => server.end());

let keys = 0;
const post = async <T>(path: string, body: unknown) =>
  server.api<T & ErrorAnswer>('POST', path, body, { 'Idempotency-Key': `rearrange-${(keys += 1)}` });
const publish = async (file: VorbisFile, trackId: string) => {
  await server.upload(file);
  return post<CommitResponse>('/v1/ingestion/commits', commitOf(file, trackId));
};
const album = async (id: string) => server.api<AlbumWithTracks & ErrorAnswer>('GET', `/v1/catalog/albums/${id}`);
const tracksOf = async (id: string) =>
  (await album(id)).body.tracks.map(({ id: track, position, availability }) => `${position} ${track} ${availability}`);
const undo = (edit: string) => post<CatalogEdited>(`/v1/catalog/edits/${edit}/undo`, {});
const found = async (words: string) =>
  (await server.api<{ tracks: Track[] }>('GET', `/v1/catalog/search?q=${words}`)).body.tracks.map(({ id }) => id);
const audio = async (id: string): Promise<number> => (await server.raw('GET', `/v1/catalog/tracks/${id}/audio`)).status;

describe('API-181 an album is merged into another one', () => {
  test('API-181 tracks of one title and length become one with its audio, the others move, requests follow, and the feed says so', async () => {
    await publish(HUNTER, 'tr_w1');
    const asked = (await post<DownloadRequest>('/v1/download-requests', { album_id: 'al_twin' })).body;
    const before = await server.api<{ next_cursor: string }>('GET', '/v1/catalog/changes?limit=5000');
    const merged = await post<CatalogEdited>('/v1/catalog/albums/al_twin/merge', { into: 'al_homogenic' });
    expect([merged.status, merged.body]).toMatchObject([
      200,
      { kind: 'merged', gone: ['al_twin', 'tr_w1'], albums: ['al_homogenic'] },
    ]);
    expect(await tracksOf('al_homogenic')).toEqual(['1 tr_h1 available', '2 tr_h2 missing', '3 tr_w2 missing']);
    expect(await audio('tr_h1')).toBe(200);
    expect([(await album('al_twin')).status, await audio('tr_w1')]).toEqual([404, 404]);
    const requests = await server.api<{ items: DownloadRequest[] }>('GET', '/v1/download-requests');
    expect(requests.body.items).toMatchObject([{ id: asked.id, album_id: 'al_homogenic', status: 'pending' }]);
    const feed = await server.api<{ items: { kind: string; id: string; op: string }[] }>(
      'GET',
      `/v1/catalog/changes?cursor=${before.body.next_cursor}`,
    );
    const gone = feed.body.items.filter(({ op }) => op === 'delete').map(({ id }) => id);
    expect(gone.toSorted()).toEqual(['al_twin', 'tr_w1']);
    expect(await found('hunter')).toEqual(['tr_h1']);
    expect(await found('bachelorette')).toEqual(['tr_w2']);
  });

  test('API-183 it is taken back: album, tracks, places, requests, and the audio where it was', async () => {
    await publish(HUNTER, 'tr_w1');
    const asked = (await post<DownloadRequest>('/v1/download-requests', { album_id: 'al_twin' })).body;
    const { body } = await post<CatalogEdited>('/v1/catalog/albums/al_twin/merge', { into: 'al_homogenic' });
    expect((await undo(body.edit_id)).status).toBe(200);
    expect(await tracksOf('al_homogenic')).toEqual(['1 tr_h1 missing', '2 tr_h2 missing']);
    expect(await tracksOf('al_twin')).toEqual(['1 tr_w1 available', '2 tr_w2 missing']);
    expect([await audio('tr_w1'), await audio('tr_h1')]).toEqual([200, 404]);
    const requests = await server.api<{ items: DownloadRequest[] }>('GET', '/v1/download-requests');
    expect(requests.body.items).toMatchObject([{ id: asked.id, album_id: 'al_twin' }]);
    expect((await found('hunter')).toSorted()).toEqual(['tr_h1', 'tr_w1']);
    expect((await undo(body.edit_id)).status).toBe(409);
    expect((await undo('ed_nobody')).status).toBe(404);
  });

  test('API-186 jobs that were matched to what was merged say so again, but for what was matched to something else since', async () => {
    await publish(HUNTER, 'tr_w1');
    const jobs = () =>
      server.store.db.selectFrom('ingestion_jobs').select(['id', 'matched_track_id']).orderBy('id').execute();
    const before = await jobs();
    expect(before.map((job) => job.matched_track_id)).toEqual(['tr_w1']);
    const merge = async () =>
      (await post<CatalogEdited>('/v1/catalog/albums/al_twin/merge', { into: 'al_homogenic' })).body.edit_id;
    const edit = await merge();
    expect((await jobs()).map((job) => job.matched_track_id)).toEqual(['tr_h1']);
    expect((await undo(edit)).status).toBe(200);
    expect(await jobs()).toEqual(before);

    const again = await merge();
    await server.store.write((tx) => tx.updateTable('ingestion_jobs').set({ matched_track_id: 'tr_h2' }).execute());
    expect((await undo(again)).status).toBe(200);
    expect((await jobs()).map((job) => job.matched_track_id)).toEqual(['tr_h2']);
  });

  test('API-183 what was changed since is not taken back', async () => {
    const { body } = await post<CatalogEdited>('/v1/catalog/albums/al_twin/merge', { into: 'al_homogenic' });
    await server.api('PATCH', '/v1/catalog/tracks/tr_w2', { title: 'Bachelorette (edit)' });
    const refused = await undo(body.edit_id);
    expect([refused.status, refused.body.error.message]).toEqual([
      409,
      '"tr_w2" was changed since; this change cannot be taken back.',
    ]);
    expect((await album('al_twin')).status).toBe(404);
  });

  test('API-181 not into itself, nor into what is not there', async () => {
    for (const into of ['al_twin', 'al_nobody'])
      expect((await post('/v1/catalog/albums/al_twin/merge', { into })).status).toBe(422);
    expect((await post('/v1/catalog/albums/al_nobody/merge', { into: 'al_twin' })).status).toBe(404);
    expect(await tracksOf('al_twin')).toHaveLength(2);
  });
});

test('API-182 a track that is merged keeps the other one’s audio, and its own is former audio of it', async () => {
  const other = vorbisFile({ durationMs: 256_000, seed: 2 });
  await publish(HUNTER, 'tr_h1');
  await publish(other, 'tr_w1');
  const { body } = await post<CatalogEdited>('/v1/catalog/tracks/tr_w1/merge', { into: 'tr_h1' });
  const versions = await server.api<{ present: { sha256: string }; former: { sha256: string }[] }>(
    'GET',
    '/v1/catalog/tracks/tr_h1/versions',
  );
  expect([versions.body.present.sha256, versions.body.former.map(({ sha256 }) => sha256)]).toEqual([
    HUNTER.sha256,
    [other.sha256],
  ]);
  expect(await tracksOf('al_twin')).toEqual(['2 tr_w2 missing']);
  expect((await undo(body.edit_id)).status).toBe(200);
  expect([await audio('tr_h1'), await audio('tr_w1')]).toEqual([200, 200]);
});

test('API-184 what is sent for a track that was merged meanwhile is published as the one that it became', async () => {
  await post('/v1/catalog/tracks/tr_w1/merge', { into: 'tr_h1' });
  const sent = await publish(HUNTER, 'tr_w1');
  expect([sent.status, sent.body.track_id]).toEqual([200, 'tr_h1']);
  expect(await audio('tr_h1')).toBe(200);
});

test('API-182 tracks are moved to another album, behind its last where their place is taken, and back', async () => {
  const moved = await post<CatalogEdited>('/v1/catalog/tracks/move', {
    track_ids: ['tr_w2', 'tr_h1'],
    album_id: 'al_tokyo',
  });
  expect(moved.body).toMatchObject({ kind: 'moved', gone: [], albums: ['al_tokyo'] });
  expect(await tracksOf('al_tokyo')).toEqual(['1 tr_t1 missing', '2 tr_w2 missing', '3 tr_h1 missing']);
  expect((await undo(moved.body.edit_id)).status).toBe(200);
  expect(await tracksOf('al_tokyo')).toEqual(['1 tr_t1 missing']);
  expect(await tracksOf('al_homogenic')).toEqual(['1 tr_h1 missing', '2 tr_h2 missing']);
  const refused = await post('/v1/catalog/tracks/move', { track_ids: ['tr_h1', 'tr_nobody'], album_id: 'al_tokyo' });
  expect(refused.status).toBe(404);
  expect(await tracksOf('al_tokyo')).toHaveLength(1);
});

test('API-182 an album is removed with its tracks and requests, a track alone, and both come back with their audio', async () => {
  await publish(HUNTER, 'tr_h1');
  const asked = (await post<DownloadRequest>('/v1/download-requests', { track_id: 'tr_h2' })).body;
  const removed = await server.api<CatalogEdited>('DELETE', '/v1/catalog/albums/al_homogenic');
  expect(removed.body).toMatchObject({ kind: 'removed', gone: ['al_homogenic', 'tr_h1', 'tr_h2'] });
  expect([(await album('al_homogenic')).status, await audio('tr_h1')]).toEqual([404, 404]);
  expect((await server.api<{ items: unknown[] }>('GET', '/v1/download-requests')).body.items).toEqual([]);
  expect(await found('joga')).toEqual([]);
  expect((await server.api('DELETE', '/v1/catalog/albums/al_homogenic')).status).toBe(404);
  expect((await undo(removed.body.edit_id)).status).toBe(200);
  expect(await tracksOf('al_homogenic')).toEqual(['1 tr_h1 available', '2 tr_h2 missing']);
  expect(await audio('tr_h1')).toBe(200);
  expect((await server.api<{ items: DownloadRequest[] }>('GET', '/v1/download-requests')).body.items).toMatchObject([
    { id: asked.id, track_id: 'tr_h2' },
  ]);
  const one = await server.api<CatalogEdited>('DELETE', '/v1/catalog/tracks/tr_h1');
  expect(await tracksOf('al_homogenic')).toEqual(['2 tr_h2 missing']);
  expect((await undo(one.body.edit_id)).status).toBe(200);
  expect(await audio('tr_h1')).toBe(200);
});

test('API-185 albums of one title and artist are listed together', async () => {
  const { body } = await server.api<{ items: unknown[] }>('GET', '/v1/catalog/twins');
  expect(body.items).toEqual([{ title: 'Homogenic', artist: 'Björk', ids: ['al_homogenic', 'al_twin'] }]);
});
