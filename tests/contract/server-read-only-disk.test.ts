/** A disk that takes no writes any more while the server runs, for real: nothing is half there, and all goes on later. */
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { everything } from '../fixtures/broken-disk.ts';
import { failingDisk, smallDisk, whereMounting, whereMountingImages } from '../fixtures/mounts.ts';
import { commitOf, SMALL_CATALOG, testServer, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';
import { vorbisFile, type VorbisFile } from '../fixtures/vorbis-file.ts';
import { curlForm } from '../fixtures/worker.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const [FILE, OTHER, BEGUN, NEW] = [0, 1, 2, 3].map((seed) => vorbisFile({ durationMs: 255_000, seed })) as [
  VorbisFile,
  VorbisFile,
  VorbisFile,
  VorbisFile,
];
const TUS = { 'Tus-Resumable': '1.0.0' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

interface Asked {
  method?: string;
  path: string;
  body?: BodyInit;
  headers?: Record<string, string>;
}

const begin = ({ size, sha256 }: VorbisFile): Asked => {
  const metadata = `sha256 ${Buffer.from(sha256).toString('base64')}`;
  return {
    path: '/v1/uploads',
    headers: { ...TUS, 'Upload-Length': String(size), 'Upload-Metadata': metadata },
  };
};
const bytes = ({ sha256, bytes }: VorbisFile): Asked => ({
  ...{ method: 'PATCH', path: `/v1/uploads/${sha256}`, body: new Blob([bytes]) },
  headers: { ...TUS, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' },
});
const form = curlForm([{ name: 'a.flac', bytes: Buffer.from(`fLaC\0\0\0\x22${' '.repeat(80)}`) }]);

/** What writes files. */
const REQUESTS: readonly Asked[] = [
  bytes(BEGUN),
  begin(NEW),
  {
    path: '/v1/ingestion/commits',
    body: JSON.stringify(commitOf(OTHER, 'tr_h1', { replace: true, job_id: 'job-other' })),
    headers: JSON_TYPE,
  },
  { path: '/v1/ingestion/upload', ...form },
];
/** What needs the database alone; its files follow. */
const UNPUBLISH = { path: '/v1/catalog/tracks/tr_h1/unpublish' };
const RESTORE = { path: '/v1/catalog/tracks/tr_h1/restore', body: `{"sha256":"${FILE.sha256}"}`, headers: JSON_TYPE };

const send = (server: TestServer, { method = 'POST', path, body, headers }: Asked): Promise<Response> =>
  server.raw(method, path, body ?? null, { 'Idempotency-Key': `once:${path}`, ...headers });

/** Audio that is published, an upload that is ready to be, and one that was begun. */
async function prepare(server: TestServer): Promise<void> {
  await server.importCatalog(SMALL_CATALOG);
  await server.upload(FILE);
  const key = { 'Idempotency-Key': 'before' };
  expect((await server.api('POST', '/v1/ingestion/commits', commitOf(FILE, 'tr_h1'), key)).status).toBe(200);
  await server.upload(OTHER);
  expect((await send(server, begin(BEGUN))).status).toBe(201);
}

async function expectRefused(server: TestServer, asked: Asked): Promise<void> {
  const answer = await send(server, asked);
  const { error } = (await answer.json()) as Partial<ErrorAnswer>;
  const refused = { path: asked.path, status: answer.status, message: error?.message };
  expect(refused).toEqual({ path: asked.path, status: 503, message: expect.stringMatching(/disk/) });
}

async function expectTaken(server: TestServer, asked: Asked): Promise<void> {
  const { status } = await send(server, asked);
  expect({ path: asked.path, done: status < 300, status }).toEqual({ path: asked.path, done: true, status });
}

const health = async (server: TestServer): Promise<[number, string[] | undefined]> => {
  server.time.now += 11_000;
  const { status, body } = await server.api<{ broken?: string[] }>('GET', '/health');
  return [status, body.broken];
};

whereMounting('a disk that becomes read-only under a running server (where mounting is allowed)', () => {
  test('FAULT-10 files are refused with 503 and health says so; reading and the database elsewhere go on, and so does all when it takes writes again', async () => {
    const disk = await smallDisk(8);
    ends.push(() => disk.end());
    // A file that is open for writing would keep the system from it: the database is on another disk.
    const other = await mkdtemp(join(tmpdir(), 'accession-other-disk-'));
    ends.push(() => rm(other, { recursive: true, force: true }));
    await symlink(join(other, 'catalog.db'), join(disk.path, 'catalog.db'));
    const server = await testServer({ data: disk.path });
    ends.push(() => server.close());
    await prepare(server);
    const before = await everything(server.store, server.data);
    disk.remount('ro');
    for (const asked of REQUESTS) await expectRefused(server, asked);
    expect(await health(server)).toEqual([503, ['disk', 'uploads']]);
    expect((await server.api('GET', '/v1/catalog/tracks/tr_h1')).status).toBe(200);
    expect(await everything(server.store, server.data)).toBe(before);
    expect((await server.api('POST', '/v1/catalog/artists', { name: 'New' })).status).toBe(201);
    disk.remount('rw');
    expect(await health(server)).toEqual([200, undefined]);
    for (const asked of [...REQUESTS, UNPUBLISH, RESTORE]) await expectTaken(server, asked);
  });
});

whereMountingImages('a disk that fails under a running server (where mounting of images is allowed)', () => {
  test('FAULT-11 its file system gives up with the database on it: every change is 503, reading goes on, and mounted anew all is as it was', async () => {
    const disk = await failingDisk(24);
    ends.push(() => disk.end());
    const server = await testServer({ data: disk.path });
    await prepare(server);
    const before = await everything(server.store, server.data);
    disk.giveUp();
    for (const asked of [...REQUESTS, UNPUBLISH]) await expectRefused(server, asked);
    await expectRefused(server, { path: '/v1/catalog/artists', body: '{"name":"New"}', headers: JSON_TYPE });
    const [status, broken] = await health(server);
    expect([status, broken]).toEqual([503, expect.arrayContaining(['disk', 'uploads'])]);
    expect((await server.api('GET', '/v1/catalog/tracks/tr_h1')).status).toBe(200);
    expect(await everything(server.store, server.data)).toBe(before);
    await server.close();
    disk.mountAnew();
    const again = await testServer({ data: disk.path });
    ends.push(() => again.close());
    expect(await everything(again.store, again.data)).toBe(before);
    expect(await health(again)).toEqual([200, undefined]);
    for (const asked of [...REQUESTS, UNPUBLISH, RESTORE]) await expectTaken(again, asked);
  });
});
