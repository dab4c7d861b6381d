import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCatalogClient } from '#lanes/music/http/catalog-client.ts';
import { createUploader } from '#adapters/http/upload.ts';
import type { Result } from '#core/result.ts';
import { commitOf, SMALL_CATALOG, testServer, TOKEN, type TestServer } from '../fixtures/server.ts';
import { vorbisFile } from '../fixtures/vorbis-file.ts';

const file = vorbisFile({ durationMs: 255_000, bytesPerSecond: 3000 });
/** The workstation's blob store, as far as an upload looks into it. */
const blobs = {
  size: (sha256: string) => Promise.resolve(sha256 === file.sha256 ? file.size : null),
  async *read(_sha256: string, start = 0, end = file.size) {
    await Promise.resolve();
    yield file.bytes.slice(start, end);
  },
};

let server: TestServer;
beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.end());

function value<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`);
  return result.value;
}

describe('the app’s client and the server mean the same', () => {
  const connection = () => ({ baseUrl: server.url, token: () => Promise.resolve(TOKEN) });
  const client = () => createCatalogClient(connection());

  test('API-9: every answer of the catalog is what the client expects', async () => {
    const it = client();
    value(await it.health());
    expect(value(await it.importCatalog(SMALL_CATALOG)).tracks.created).toBe(6);
    expect(value(await it.search('huntr')).tracks[0]?.id).toBe('tr_h1');
    expect(value(await it.album('al_homogenic')).tracks).toHaveLength(2);
    expect(value(await it.albums({ limit: 2 })).items).toHaveLength(2);
    value(await it.artist('ar_bjork'));
    value(await it.track('tr_h1'));
    const artist = value(await it.createArtist({ name: 'New' }));
    value(await it.patchArtist(artist.id, { name: 'Newer' }));
    const album = value(await it.createAlbum({ title: 'Fresh', artist_id: artist.id, artist: 'Newer' }));
    value(await it.patchAlbum(album.id, { year: 2001 }));
    const track = value(
      await it.createTrack({ album_id: album.id, title: 'One', artist_id: artist.id, artist: 'Newer', position: 1 }),
    );
    value(await it.patchTrack(track.id, { duration_ms: 1000 }));
    expect(value(await it.createDownloadRequest({ album_id: 'al_homogenic' })).status).toBe('pending');
    expect(value(await it.downloadRequests({ status: 'pending' })).items).toHaveLength(1);
    expect(value(await it.changes(null, 5000))).toMatchObject({ kind: 'page', page: { more: false } });
    expect(value(await it.changes('00000000.1', 10))).toEqual({ kind: 'start_over' });
    const refused = await it.patchTrack('tr_x', {});
    expect(refused.ok ? null : refused.failure.code).toBe('not_found');
  });

  test('API-9: an upload is sent in pieces, taken up again, committed, and not sent twice', async () => {
    const send = createUploader({ ...connection(), blobs, chunkBytes: 200_000 });
    const upload = { sha256: file.sha256, size: file.size, name: 'x.ogg' };
    const stop = new AbortController();
    const stopped = await send({ ...upload, onProgress: (bytes) => bytes > 0 && stop.abort(), signal: stop.signal });
    expect(stopped.ok).toBe(false);
    const rest = value(await send(upload));
    expect(rest.resumed_from).toBeGreaterThan(0);
    expect(rest.sent).toBe(file.size - rest.resumed_from);
    expect(value(await client().commit(commitOf(file, 'tr_h1'), 'key-1')).outcome).toBe('created');
    expect(value(await send(upload))).toEqual({ sent: 0, resumed_from: file.size });
    expect(value(await client().commit(commitOf(file, 'tr_h1'), 'key-2')).outcome).toBe('unchanged');
    expect(value(await send({ ...upload, fresh: true })).resumed_from).toBe(file.size);
    const signed = value(await client().signedUrl('/v1/catalog/tracks/tr_h1/audio'));
    expect((await (await fetch(signed.url)).arrayBuffer()).byteLength).toBe(file.size);
  });

  test('API-9: jobs, the mirror and reviews read back', async () => {
    value(await client().mirror({ jobs: [], steps: [], reviews: [] }));
    expect(value(await client().jobs()).items.map((job) => job.status)).toEqual(['COMPLETED']);
    value(await client().job('job-tr_h1'));
    expect(value(await client().reviews()).items).toEqual([]);
  });
});
