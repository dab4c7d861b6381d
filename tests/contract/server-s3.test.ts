/** The server with its audio in a bucket: the same routes, the same answers. */
import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCatalogApp } from '#server/app.ts';
import { programFile, type Script } from '../fixtures/program-file.ts';
import { openS3Media } from '../fixtures/s3-media.ts';
import { BUCKET, S3_KEYS } from '../fixtures/s3-server.ts';
import { commitOf, SMALL_CATALOG, testServer, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';
import { vorbisFile } from '../fixtures/vorbis-file.ts';

const FILE = vorbisFile({ durationMs: 255_000, bytesPerSecond: 2000 });
const OTHER = vorbisFile({ durationMs: 255_000, bytesPerSecond: 2100 });

let media: Awaited<ReturnType<typeof openS3Media>>;
let server: TestServer;
beforeEach(async () => {
  media = await openS3Media();
  const { store, data } = media;
  server = await testServer({
    data,
    deps: { blobs: store, uploads: store.uploads, checkBlobs: () => store.check() },
  });
  await server.importCatalog(SMALL_CATALOG);
});
afterEach(async () => {
  await server.end();
  await media.close();
});

const commit = (file: typeof FILE, key: string, replace = false) =>
  server.api<ErrorAnswer & { output_file_path: string }>(
    'POST',
    '/v1/ingestion/commits',
    commitOf(file, 'tr_h1', { replace }),
    { 'Idempotency-Key': key },
  );
const PATH = '/v1/catalog/tracks/tr_h1/audio';
const audio = async (headers: Record<string, string> = {}) => {
  const answer = await server.raw('GET', PATH, null, headers);
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
};

test('STORE-20 from the upload to the audio, whole, in part and by a signed address; replaced and back again', async () => {
  await server.upload(FILE);
  const done = await commit(FILE, 'one');
  expect(done.status).toBe(200);
  expect([...media.server.objects.keys()]).toEqual([`a+b/media/${done.body.output_file_path}`]);
  expect((await audio()).bytes.equals(FILE.bytes)).toBe(true);
  const part = await audio({ Range: 'bytes=100-199' });
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-199/${FILE.size}`]);
  expect(part.bytes.equals(FILE.bytes.slice(100, 200))).toBe(true);
  const { body } = await server.api<{ url: string }>('POST', '/v1/sign', { path: PATH });
  const signed = await fetch(server.url + body.url);
  expect(Buffer.from(await signed.arrayBuffer()).equals(FILE.bytes)).toBe(true);

  await server.upload(OTHER);
  expect((await commit(OTHER, 'two', true)).status).toBe(200);
  expect((await audio()).bytes.equals(OTHER.bytes)).toBe(true);
  expect([...media.server.objects.keys()].filter((key) => key.startsWith('a+b/media-former/'))).toHaveLength(1);
  const back = await server.api('POST', `/v1/catalog/tracks/tr_h1/restore`, { sha256: FILE.sha256 });
  expect(back.status).toBe(200);
  expect((await audio()).bytes.equals(FILE.bytes)).toBe(true);
  // The present one, and both that were replaced.
  expect(media.server.objects.size).toBe(3);
});

test('STORE-22 STORE-23 a bucket that is away: 503, nothing published, named in /health; it goes on by itself', async () => {
  await server.upload(FILE);
  const app = createCatalogApp(server.deps);
  const health = async () => ((await (await app.request('/health', {}, {})).json()) as { broken?: string[] }).broken;
  media.server.fault = () => 'slow-down';
  const refused = await commit(FILE, 'one');
  expect([refused.status, refused.body.error.code, refused.headers.get('retry-after')]).toEqual([
    503,
    'storage_failed',
    '30',
  ]);
  expect(await health()).toEqual(['bucket']);
  expect(server.logged.join('\n')).toContain('503 SlowDown');
  expect(server.logged.join('\n')).not.toContain(S3_KEYS.secret);
  expect([media.server.objects.size, (await audio()).status]).toEqual([0, 404]);
  media.server.fault = () => null;
  // Longer than an answer before is given where a new one takes its time.
  server.time.now += 10_001;
  expect(await health()).toBeUndefined();
  expect((await commit(FILE, 'one')).status).toBe(200);
  expect((await audio()).bytes.equals(FILE.bytes)).toBe(true);
});

test('STORE-23 the program says what is wrong with its bucket, and without the key', async () => {
  const start = async (more: Record<string, string>, script: Script = 'server/main.ts', args: string[] = []) => {
    const env = {
      PATH: process.env['PATH'],
      PORT: '0',
      ACCESSION_DATA: `${media.data}/own`,
      ACCESSION_DEMO: '0',
      ACCESSION_INSIDE_WORKERS: '0',
      ACCESSION_S3_ENDPOINT: media.server.url,
      ACCESSION_S3_REGION: S3_KEYS.region,
      ACCESSION_S3_BUCKET: BUCKET,
      AWS_ACCESS_KEY_ID: S3_KEYS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: S3_KEYS.secret,
      ...more,
    };
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', programFile(script), ...args], {
      env,
    });
    let output = '';
    child.stderr.on('data', (text: Buffer) => (output += text.toString()));
    const ready = new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    await Promise.race([ready, exited]);
    child.kill('SIGTERM');
    return { code: await exited, output };
  };
  const wrong = await start({ ACCESSION_S3_BUCKET: 'nowhere' });
  expect(wrong.code).toBe(1);
  expect(wrong.output).toContain(`accession: There is no bucket "nowhere" at ${media.server.url}. Check [blobs]`);
  const right = await start({});
  expect(right.output).toContain('audio is kept in a bucket');
  expect(wrong.output + right.output).not.toContain(S3_KEYS.secret);
  // STORE-25
  const backup = await start({}, 'cli/main.ts', ['backup', '--out', `${media.data}/backup.tar`]);
  expect(backup.code).toBe(1);
  expect(backup.output).toContain(`The audio is in the bucket "${BUCKET}", which this command does not carry`);
  await rm(`${media.data}/own`, { recursive: true, force: true });
});
