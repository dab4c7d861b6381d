import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { DownloadRequest, Track } from '#lanes/music/core/catalog.ts';
import type { CommitRequest, CommitResponse } from '#core/sync/protocol.ts';
import { recover } from '#server/ingest/recover.ts';
import { commitOf, SMALL_CATALOG, testServer, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';
import { sha256, vorbisFile, type VorbisFile } from '../fixtures/vorbis-file.ts';

let server: TestServer;
beforeEach(async () => {
  server = await testServer();
  await server.importCatalog(SMALL_CATALOG);
});
afterEach(() => server.end());

let keys = 0;
const commit = (body: CommitRequest, key = `key-${(keys += 1)}`) =>
  server.api<CommitResponse & ErrorAnswer>('POST', '/v1/ingestion/commits', body, { 'Idempotency-Key': key });
const publish = async (file: VorbisFile, trackId: string, rest: Partial<CommitRequest> = {}) => {
  await server.upload(file);
  return commit(commitOf(file, trackId, rest));
};
const track = async (id: string): Promise<Track & { output_file_path: string | null }> =>
  (await server.api<Track & { output_file_path: string | null }>('GET', `/v1/catalog/tracks/${id}`)).body;
const files = async (folder: string): Promise<string[]> => {
  const found = await readdir(join(server.data, folder), { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(server.data, folder).length + 1))
    .sort();
};

const HUNTER = vorbisFile({ durationMs: 255_000 });

describe('POST /v1/ingestion/commits', () => {
  test('COMMIT-1, COMMIT-11: a verified upload becomes the audio of its track, under its catalog path', async () => {
    const { status, body } = await publish(HUNTER, 'tr_h1');
    expect(status).toBe(200);
    expect(body).toEqual({
      track_id: 'tr_h1',
      output_file_path: 'Björk/Homogenic (1997)/1-01 Hunter.ogg',
      availability: 'available',
      duration_ms: 255_000,
      outcome: 'created',
      request_status: null,
      catalog_duration_ms: 255_000,
    });
    expect(await files('media')).toEqual([body.output_file_path]);
    expect(sha256(await readFile(join(server.data, 'media', body.output_file_path)))).toBe(HUNTER.sha256);
    expect(await files('uploads')).toEqual([]);
    expect(await track('tr_h1')).toMatchObject({ availability: 'available', output_file_path: body.output_file_path });
    expect(
      (await server.api<{ tracks: Track[] }>('GET', '/v1/catalog/albums/al_homogenic')).body.tracks.map(
        (one) => one.availability,
      ),
    ).toEqual(['available', 'missing']);
  });

  test('COMMIT-2: an Idempotency-Key is required, and a commit sent twice is done once', async () => {
    await server.upload(HUNTER);
    const body = commitOf(HUNTER, 'tr_h1');
    expect((await server.api('POST', '/v1/ingestion/commits', body)).status).toBe(400);
    const [first, second] = await Promise.all([commit(body, 'same'), commit(body, 'same')]);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body).toEqual(first.body);
    expect((await commit(body, 'same')).headers.get('idempotent-replayed')).toBe('true');
    expect((await commit({ ...body, match_confidence: 0.5 }, 'same')).status).toBe(422);
    expect(await files('media')).toHaveLength(1);
  });

  test('COMMIT-3: the same audio again is unchanged, whoever sends it', async () => {
    await publish(HUNTER, 'tr_h1');
    const again = await publish(HUNTER, 'tr_h1', { job_id: 'another-job' });
    expect([again.status, again.body.outcome]).toEqual([200, 'unchanged']);
    expect(await files('media')).toHaveLength(1);
  });

  test('COMMIT-3: other audio for a track that has some is a conflict that names it, and nothing is lost', async () => {
    await publish(HUNTER, 'tr_h1');
    const other = vorbisFile({ durationMs: 255_010, seed: 2 });
    const refused = await publish(other, 'tr_h1');
    expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict']);
    expect(refused.body.error.message).toBe('"Hunter" (Björk) has other audio already.');
    expect(sha256(await readFile(join(server.data, 'media', 'Björk/Homogenic (1997)/1-01 Hunter.ogg')))).toBe(
      HUNTER.sha256,
    );
    // The upload waits for the person's answer.
    const replaced = await commit(commitOf(other, 'tr_h1', { replace: true }));
    expect([replaced.status, replaced.body.outcome]).toEqual([200, 'replaced']);
    const former = await files('media-former');
    expect(former).toEqual([`Björk/Homogenic (1997)/1-01 Hunter [${HUNTER.sha256.slice(0, 8)}].ogg`]);
    expect(sha256(await readFile(join(server.data, 'media-former', former[0] ?? '')))).toBe(HUNTER.sha256);
    expect(await files('media')).toEqual([replaced.body.output_file_path]);
    const audio = await server.raw('GET', '/v1/catalog/tracks/tr_h1/audio');
    expect(sha256(new Uint8Array(await audio.arrayBuffer()))).toBe(other.sha256);
    // And back again: the path that is free now is used again.
    expect((await publish(HUNTER, 'tr_h1', { replace: true })).body.outcome).toBe('replaced');
    expect((await publish(other, 'tr_h1', { replace: true })).body.outcome).toBe('replaced');
    expect(await files('media')).toHaveLength(1);
  });

  test('COMMIT-4: bytes that are not the announced ones are removed and asked for again', async () => {
    const forged = { ...HUNTER, sha256: 'a'.repeat(64) };
    await server.upload(forged);
    const answer = await commit(commitOf(forged, 'tr_h1'));
    expect([answer.status, answer.body.error.code]).toEqual([422, 'hash_mismatch']);
    expect(await files('uploads')).toEqual([]);
    expect(await files('media')).toEqual([]);
    expect((await track('tr_h1')).availability).toBe('missing');
    const nothing = await commit(commitOf(HUNTER, 'tr_h1'));
    expect([nothing.status, nothing.body.error.code]).toEqual([422, 'hash_mismatch']);
    expect((await publish(HUNTER, 'tr_h1')).status).toBe(200);
  });

  test('COMMIT-5: only whole Ogg Vorbis of the announced length is taken', async () => {
    const damaged = HUNTER.bytes.slice();
    damaged[5000] = (damaged[5000] ?? 0) ^ 1;
    const cases: [string, Uint8Array<ArrayBuffer>, RegExp][] = [
      ['text', new Uint8Array(Buffer.from('no audio at all')), /no Ogg page at byte 0/],
      ['cut', HUNTER.bytes.slice(0, -200), /its end is missing/],
      ['damaged', damaged, /is damaged \(CRC\)/],
      ['two in one', new Uint8Array(Buffer.concat([HUNTER.bytes, HUNTER.bytes])), /something follows after its end/],
    ];
    for (const [name, bytes, message] of cases) {
      const bad: VorbisFile = { bytes, sha256: sha256(bytes), size: bytes.length, durationMs: 255_000 };
      const answer = await publish(bad, 'tr_h1');
      expect([answer.status, answer.body.error.code], name).toEqual([422, 'not_vorbis']);
      expect(answer.body.error.message, name).toMatch(message);
    }
    const long = await publish(HUNTER, 'tr_h1', { duration_ms: 255_051 });
    expect([long.status, long.body.error.code]).toEqual([422, 'verification_failed']);
    expect((await publish(HUNTER, 'tr_h1', { duration_ms: 255_050 })).status).toBe(200);
  });

  test('COMMIT-1: a track that is not in the catalog is 404', async () => {
    expect((await publish(HUNTER, 'tr_x')).status).toBe(404);
  });

  test('COMMIT-6: a request is fulfilled when all it wants is there, and not before', async () => {
    const wanted = (await server.api<DownloadRequest>('POST', '/v1/download-requests', { album_id: 'al_homogenic' }))
      .body;
    const single = (await server.api<DownloadRequest>('POST', '/v1/download-requests', { track_id: 'tr_h2' })).body;
    const first = await publish(HUNTER, 'tr_h1', { request_id: wanted.id });
    expect(first.body.request_status).toBe('pending');
    const last = await publish(vorbisFile({ durationMs: 305_000, seed: 3 }), 'tr_h2', { request_id: wanted.id });
    expect(last.body.request_status).toBe('fulfilled');
    const { body } = await server.api<{ items: DownloadRequest[] }>('GET', '/v1/download-requests?status=fulfilled');
    expect(body.items.map((item) => item.id).sort()).toEqual([wanted.id, single.id].sort());
    const late = await server.api<DownloadRequest>('POST', '/v1/download-requests', { album_id: 'al_homogenic' });
    expect(late.body.status).toBe('fulfilled');
  });

  test('COMMIT-7: the job is COMPLETED with its path, also before it was mirrored', async () => {
    const { body } = await publish(HUNTER, 'tr_h1', { job_id: 'job-1' });
    expect((await server.api('GET', '/v1/ingestion/jobs/job-1')).body).toMatchObject({
      status: 'COMPLETED',
      matched_track_id: 'tr_h1',
      output_file_path: body.output_file_path,
      match_source: 'AGENT',
      reasoning_steps: [],
    });
  });
});

describe('the media directory', () => {
  const named = async (artist: string, album: string, title: string, id = 'tr_evil') => {
    await server.importCatalog({
      artists: [{ id: `ar_${id}`, name: artist }],
      albums: [{ id: `al_${id}`, title: album, artist_id: `ar_${id}`, artist }],
      tracks: [
        { id, album_id: `al_${id}`, title, artist_id: `ar_${id}`, artist, disc: 1, position: 1, duration_ms: null },
      ],
    });
    const file = vorbisFile({ durationMs: 1000, seed: (keys += 1) });
    const { body } = await publish(file, id);
    return body.output_file_path;
  };

  test('PLACE-1: no name leads out of it', async () => {
    const paths = [
      await named('../../..', '..', '../../../../tmp/evil', 'tr_1'),
      await named('/etc', 'C:\\Windows', 'a/b\\c', 'tr_2'),
      await named('CON', 'nul.', '.hidden', 'tr_3'),
      await named('x\u0001y\u202ez', '. .', '\u200b', 'tr_4'),
      await named('長'.repeat(300), 'é'.repeat(300), '𝄞'.repeat(300), 'tr_5'),
    ];
    expect(await files('media')).toEqual([...paths].sort());
    for (const path of paths) {
      const parts = path.split('/');
      expect(parts).toHaveLength(3);
      for (const part of parts) {
        expect(part).not.toMatch(/^\.|[<>:"\\|?*\p{Cc}\u202e]|[. ]$/u);
        expect(Buffer.byteLength(part)).toBeLessThanOrEqual(200);
      }
    }
    expect(await readdir(server.data)).not.toContain('evil.ogg');
  });

  test('PLACE-2: two tracks that would have one name stand beside each other; a stranger is never written over', async () => {
    const first = await named('Same', 'Same', 'Same', 'tr_1');
    const second = await named('Same', 'Same', 'Same', 'tr_2');
    expect([first, second]).toEqual(['Same/Same/1-01 Same.ogg', 'Same/Same/1-01 Same [tr_2].ogg']);
    await writeFile(join(server.data, 'media', 'Same/Same/1-01 Other.ogg'), 'of the person');
    expect(await named('Same', 'Same', 'Other', 'tr_3')).toBe('Same/Same/1-01 Other [tr_3].ogg');
    expect(await readFile(join(server.data, 'media', 'Same/Same/1-01 Other.ogg'), 'utf8')).toBe('of the person');
  });

  test('PLACE-3: what a crash left behind is put in order at the start, and nothing else is touched', async () => {
    await publish(HUNTER, 'tr_h1');
    const orphan = vorbisFile({ durationMs: 1000, seed: 9 });
    await server.upload(orphan);
    await server.deps.blobs.place(orphan.sha256, 'Björk/orphan.ogg');
    await writeFile(join(server.data, 'media', 'mine.txt'), 'of the person');
    const published = (await track('tr_h1')).output_file_path ?? '';
    await server.store.write((tx) =>
      tx
        .insertInto('placements')
        .values([
          { path: 'Björk/orphan.ogg', created_at: 1 },
          { path: published, created_at: 1 },
        ])
        .execute(),
    );
    await server.upload({ ...HUNTER });
    await recover(server.deps);
    expect(await files('media')).toEqual([published, 'mine.txt'].sort());
    // The upload of the orphan is still there to be committed.
    expect((await commit(commitOf(orphan, 'tr_h2'))).status).toBe(200);
    expect(await server.store.db.selectFrom('placements').selectAll().execute()).toEqual([]);
  });

  test('PLACE-4: a file that somebody removed is told apart from one that is there, and can be published again', async () => {
    const path = (await publish(HUNTER, 'tr_h1')).body.output_file_path;
    await server.deps.blobs.remove(path);
    expect((await server.api<ErrorAnswer>('GET', '/v1/catalog/tracks/tr_h1/audio')).body.error.message).toContain(
      'gone',
    );
    const again = await publish(HUNTER, 'tr_h1');
    expect(again.status).toBe(200);
    expect((await server.raw('GET', '/v1/catalog/tracks/tr_h1/audio')).status).toBe(200);
  });

  test('PLACE-5: when the file cannot be placed the commit fails, and works when that is over', async () => {
    const media = join(server.data, 'media');
    await writeFile(join(media, 'Björk'), 'a file where a folder should be');
    await server.upload(HUNTER);
    expect((await commit(commitOf(HUNTER, 'tr_h1'))).status).toBe(500);
    expect((await track('tr_h1')).availability).toBe('missing');
    await server.deps.blobs.remove('Björk');
    expect((await commit(commitOf(HUNTER, 'tr_h1'))).status).toBe(200);
    expect((await stat(join(media, 'Björk'))).isDirectory()).toBe(true);
  });
});

describe('GET /v1/catalog/tracks/:id/audio', () => {
  const PATH = '/v1/catalog/tracks/tr_h1/audio';
  beforeEach(async () => {
    await publish(HUNTER, 'tr_h1');
  });

  test('AUDIO-1: the whole file, with its hash as ETag', async () => {
    const answer = await server.raw('GET', PATH);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('audio/ogg');
    expect(answer.headers.get('accept-ranges')).toBe('bytes');
    expect(answer.headers.get('etag')).toBe(`"${HUNTER.sha256}"`);
    expect(sha256(new Uint8Array(await answer.arrayBuffer()))).toBe(HUNTER.sha256);
    expect((await server.raw('GET', PATH, null, { 'If-None-Match': `"${HUNTER.sha256}"` })).status).toBe(304);
    const head = await server.raw('HEAD', PATH);
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(HUNTER.size)]);
  });

  test('AUDIO-2: a range of the bytes', async () => {
    const ranges = [
      ['bytes=0-99', 0, 100],
      ['bytes=100-', 100, HUNTER.size],
      ['bytes=-50', HUNTER.size - 50, HUNTER.size],
      ['bytes=5-5', 5, 6],
      ['bytes=10-999999999', 10, HUNTER.size],
    ] as const;
    for (const [range, start, end] of ranges) {
      const answer = await server.raw('GET', PATH, null, { Range: range });
      const wanted = [206, `bytes ${start}-${end - 1}/${HUNTER.size}`];
      expect([answer.status, answer.headers.get('content-range')], range).toEqual(wanted);
      expect(Buffer.from(await answer.arrayBuffer()), range).toEqual(Buffer.from(HUNTER.bytes.slice(start, end)));
    }
  });

  test('AUDIO-2: no such bytes are 416; a range of another version gets the whole', async () => {
    const beyond = await server.raw('GET', PATH, null, { Range: `bytes=${HUNTER.size}-` });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${HUNTER.size}`]);
    expect((await server.raw('GET', PATH, null, { Range: 'bytes=0-9', 'If-Range': '"older"' })).status).toBe(200);
    expect((await server.raw('GET', PATH, null, { Range: 'bytes=0-9', 'If-Range': `"${HUNTER.sha256}"` })).status).toBe(
      206,
    );
    expect((await server.raw('GET', PATH, null, { Range: 'pages=1-2' })).status).toBe(200);
  });

  test('AUDIO-3: a signed URL plays without a header', async () => {
    const { body } = await server.api<{ url: string }>('POST', '/v1/sign', { path: PATH });
    const answer = await fetch(`${server.url}${body.url}`, { headers: { Range: 'bytes=0-3' } });
    expect(await answer.text()).toBe('OggS');
  });
});
