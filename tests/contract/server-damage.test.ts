/** Published files that a disk, an operator or a program changed behind the server's back. */
import { readdir, readFile, rename, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checksOf, endsOnlyWhere } from '#server/storage/file-check.ts';
import { commitOf, SMALL_CATALOG, testServer, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';
import { vorbisFile } from '../fixtures/vorbis-file.ts';

const FILE = vorbisFile({ durationMs: 255_000, seed: 1 });
const OTHER = vorbisFile({ durationMs: 255_000, seed: 2 });
const AUDIO = '/v1/catalog/tracks/tr_h1/audio';
const NAME = 'Björk/Homogenic (1997)/1-01 Hunter.ogg';

let server: TestServer;
let path: string;
beforeEach(async () => {
  server = await testServer();
  await server.importCatalog(SMALL_CATALOG);
  await publish('once');
  path = join(server.data, 'media', NAME);
});
afterEach(() => server.end());

async function publish(key: string): Promise<number> {
  await server.upload(FILE);
  const headers = { 'Idempotency-Key': key };
  return (await server.api('POST', '/v1/ingestion/commits', commitOf(FILE, 'tr_h1'), headers)).status;
}

const begins = async (): Promise<string> => (await server.raw('GET', AUDIO, null, { Range: 'bytes=0-3' })).text();

async function flip(at: number): Promise<void> {
  const bytes = await readFile(path);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  await writeFile(path, bytes);
}

const WAYS: Record<string, [method: string, headers: Record<string, string>]> = {
  whole: ['GET', {}],
  'in part': ['GET', { Range: 'bytes=0-9' }],
  'for HEAD': ['HEAD', {}],
  'where it is known': ['GET', { 'If-None-Match': `"${FILE.sha256}"` }],
};
const DAMAGE: Record<string, () => Promise<void>> = {
  'one bit is another': () => flip(1000),
  'it is cut': () => truncate(path, FILE.size - 1),
  'it is longer': () => writeFile(path, Buffer.concat([FILE.bytes, Buffer.from('x')])),
  'another file has its name': () => writeFile(path, OTHER.bytes),
  'a bit is another and its time is put back': async () => {
    const { atime, mtime } = await stat(path);
    await flip(1000);
    await utimes(path, atime, mtime);
  },
};

test('API-174 audio that a put-back database names is served from where it was taken to since', async () => {
  const { db } = server.store;
  const before = await db.selectFrom('tracks').selectAll().where('id', '=', 'tr_h1').executeTakeFirstOrThrow();
  expect((await server.api('POST', '/v1/catalog/tracks/tr_h1/unpublish', {})).status).toBe(200);
  expect(await readdir(join(server.data, 'media-former'), { recursive: true })).toHaveLength(3);
  await server.store.write(async (tx) => {
    await tx.updateTable('tracks').set(before).where('id', '=', 'tr_h1').execute();
  });
  const whole = await server.raw('GET', AUDIO);
  expect([whole.status, Buffer.from(await whole.arrayBuffer()).equals(FILE.bytes)]).toEqual([200, true]);
  expect(await begins()).toBe('OggS');
});

test('API-174 so is audio that was replaced since, whatever has its name now', async () => {
  const { db } = server.store;
  const before = await db.selectFrom('tracks').selectAll().where('id', '=', 'tr_h1').executeTakeFirstOrThrow();
  await server.upload(OTHER);
  const other = { ...commitOf(OTHER, 'tr_h1'), job_id: 'another', replace: true };
  expect((await server.api('POST', '/v1/ingestion/commits', other, { 'Idempotency-Key': 'other' })).status).toBe(200);
  expect(Buffer.from(await (await server.raw('GET', AUDIO)).arrayBuffer()).equals(OTHER.bytes)).toBe(true);
  await server.store.write(async (tx) => {
    await tx.updateTable('tracks').set(before).where('id', '=', 'tr_h1').execute();
  });
  const whole = await server.raw('GET', AUDIO);
  expect([whole.status, Buffer.from(await whole.arrayBuffer()).equals(FILE.bytes)]).toEqual([200, true]);
});

test('API-174 so is audio that was taken back since, where other audio has its very name now', async () => {
  const { db } = server.store;
  const before = await db.selectFrom('tracks').selectAll().where('id', '=', 'tr_h1').executeTakeFirstOrThrow();
  expect((await server.api('POST', '/v1/catalog/tracks/tr_h1/unpublish', {})).status).toBe(200);
  await server.upload(OTHER);
  const other = { ...commitOf(OTHER, 'tr_h1'), job_id: 'another' };
  expect((await server.api('POST', '/v1/ingestion/commits', other, { 'Idempotency-Key': 'other' })).status).toBe(200);
  expect((await readFile(path)).equals(OTHER.bytes)).toBe(true);
  await server.store.write(async (tx) => {
    await tx.updateTable('tracks').set(before).where('id', '=', 'tr_h1').execute();
  });
  const whole = await server.raw('GET', AUDIO);
  expect([whole.status, Buffer.from(await whole.arrayBuffer()).equals(FILE.bytes)]).toEqual([200, true]);
  const { damaged } = (await server.api<{ damaged: { name: string }[] }>('GET', '/v1/storage')).body;
  expect(damaged).toMatchObject([{ name: expect.stringContaining(NAME) as string }]);
});

describe('API-90 a damaged file is not served', () => {
  test.each(Object.keys(DAMAGE))(
    'API-90 where %s, it is 500 with its name in every way, read before or not',
    async (how) => {
      expect(await begins()).toBe('OggS');
      await DAMAGE[how]?.();
      for (const [way, [method, headers]] of Object.entries(WAYS)) {
        const answer = await server.raw(method, AUDIO, null, headers);
        expect([answer.status, answer.headers.get('etag')], way).toEqual([500, null]);
        if (method === 'HEAD') continue;
        const { error } = JSON.parse(await answer.text()) as ErrorAnswer;
        expect([error.code, error.message], way).toEqual(['file_damaged', expect.stringContaining(NAME)]);
      }
      expect(server.logged.join('\n')).toContain('a kept file is not what the catalog says');
    },
  );

  test('API-176 where it is gone, it is 404 with its name in every way, never the old ETag, and known as damage from then on', async () => {
    expect(await begins()).toBe('OggS');
    await rm(path);
    for (const [way, [method, headers]] of Object.entries(WAYS)) {
      const answer = await server.raw(method, AUDIO, null, headers);
      expect([answer.status, answer.headers.get('etag')], way).toEqual([404, null]);
      if (method === 'HEAD') continue;
      const { error } = JSON.parse(await answer.text()) as ErrorAnswer;
      expect([error.code, error.message], way).toEqual(['not_found', expect.stringContaining(NAME)]);
      expect(error['remedy']).toContain('accession verify --repair');
    }
    const { damaged } = (await server.api<{ damaged: { name: string }[] }>('GET', '/v1/storage')).body;
    expect(damaged).toMatchObject([{ name: expect.stringContaining(NAME) as string }]);
    await writeFile(path, FILE.bytes);
    expect(await begins()).toBe('OggS');
  });

  test('API-90 its right bytes are served as before once they are back', async () => {
    await flip(5);
    expect((await server.raw('GET', AUDIO)).status).toBe(500);
    await writeFile(path, FILE.bytes);
    const answer = await server.raw('GET', AUDIO);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.from(FILE.bytes));
  });

  test('API-92 the very audio sent again takes its place, and the damaged file is kept apart', async () => {
    await flip(5);
    // Neither the answer of then nor the upload that is there already counts.
    expect(await publish('once')).toBe(200);
    const answer = await server.raw('GET', AUDIO);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.from(FILE.bytes));
    const apart = await readdir(join(server.data, 'media-damaged'), { recursive: true });
    expect(apart.filter((name) => name.includes('1-01 Hunter.ogg'))).toHaveLength(1);
    const left = await readdir(join(server.data, 'media'), { recursive: true });
    expect(left.filter((name) => name.endsWith('.ogg'))).toHaveLength(1);
  });
});

describe('API-91 what changes by itself or meanwhile is cut off', () => {
  test('API-91 bytes that a disk changed without a mark do not arrive as a whole file', async () => {
    const { blobs } = server.deps;
    const file = { root: 'media', path: NAME, sha256: FILE.sha256, size: FILE.size } as const;
    expect((await checksOf(blobs).check(file)).wrong).toBeNull();
    // The same entry, the same times, other bytes: what a disk does that rots.
    const state = await blobs.state(NAME);
    await flip(1000);
    blobs.state = () => Promise.resolve(state);
    const answer = await server.raw('GET', AUDIO);
    expect(answer.status).toBe(200);
    await expect(answer.arrayBuffer()).rejects.toThrow();
    // From then on it is known.
    expect((await server.raw('GET', AUDIO)).status).toBe(500);
  });

  test('API-91 a part is cut off where the file was changed while it was read', async () => {
    const { blobs } = server.deps;
    const read = blobs.read.bind(blobs);
    expect(await begins()).toBe('OggS');
    blobs.read = async function* (name, start, end, root) {
      await rename(path, `${path}.was`);
      await writeFile(path, OTHER.bytes);
      yield* read(name, start, end, root);
    };
    const answer = await server.raw('GET', AUDIO, null, { Range: 'bytes=0-99' });
    await expect(answer.arrayBuffer()).rejects.toThrow();
  });

  test('API-91 the last bytes wait for the word on all of them', async () => {
    const seen: string[] = [];
    const chunks = async function* () {
      yield* ['one', 'two'].map((text) => Buffer.from(text));
    };
    const read = async (right: boolean): Promise<void> => {
      for await (const chunk of endsOnlyWhere(chunks(), () => right)) seen.push(String(chunk));
    };
    await read(true);
    await expect(read(false)).rejects.toThrow('not what it was');
    expect(seen).toEqual(['one', 'two', 'one']);
  });
});
