/** The server's disk is full, read-only or broken: a clear answer, nothing half there, and it goes on by itself. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openDiskMedia } from '#adapters/node/disk-media-store.ts';
import type { MediaStore } from '#core/ports.ts';
import { ServerProcess } from '../fixtures/faults/server-process.ts';
import { smallDisk, whereMounting, type Disk } from '../fixtures/mounts.ts';
import { commitOf, SMALL_CATALOG, testServer, TOKEN, type ErrorAnswer, type TestServer } from '../fixtures/server.ts';
import { vorbisFile } from '../fixtures/vorbis-file.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const FILE = vorbisFile({ durationMs: 255_000 });
const TUS = { 'Tus-Resumable': '1.0.0' };

function commit(server: TestServer) {
  return server.api<ErrorAnswer>('POST', '/v1/ingestion/commits', commitOf(FILE, 'tr_h1'), {
    'Idempotency-Key': 'once',
  });
}

/** Files under `media`, whatever their folders. */
async function placed(data: string): Promise<string[]> {
  const found = await readdir(join(data, 'media'), { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

const availability = async (server: TestServer): Promise<string> =>
  (await server.api<{ availability: string }>('GET', '/v1/catalog/tracks/tr_h1')).body.availability;

function broken(code: string): Error {
  return Object.assign(new Error(`${code}: injected`), { code });
}

describe('a disk that fails at one step', () => {
  /** The store, one of whose methods fails as long as `fault` says so. */
  async function setUp(method: keyof MediaStore) {
    const data = await mkdtemp(join(tmpdir(), 'accession-disk-'));
    ends.push(() => rm(data, { recursive: true, force: true }));
    const media = await openDiskMedia(data);
    const fault = { code: null as string | null };
    const blobs = new Proxy<MediaStore>(media, {
      get(target, name) {
        const own: unknown = Reflect.get(target, name, target);
        if (typeof own !== 'function') return own;
        return (...args: unknown[]): unknown => {
          if (name === method && fault.code !== null) throw broken(fault.code);
          return Reflect.apply(own, target, args);
        };
      },
    });
    const server = await testServer({ data, deps: { blobs } });
    ends.push(() => server.end());
    await server.importCatalog(SMALL_CATALOG);
    await server.upload(FILE);
    return { server, data, fault };
  }

  test.each([
    ['place', 'ENOSPC', 507, 'storage_full'],
    ['place', 'EROFS', 503, 'storage_failed'],
    ['readUpload', 'EIO', 503, 'storage_failed'],
  ] as const)(
    'SYNC-33 %s with %s is %i, publishes nothing, and works once the disk does',
    async (method, code, status, said) => {
      const { server, data, fault } = await setUp(method);
      fault.code = code;
      const refused = await commit(server);
      expect([refused.status, refused.body.error.code]).toEqual([status, said]);
      expect([await availability(server), await placed(data)]).toEqual(['missing', []]);
      fault.code = null;
      expect((await commit(server)).status).toBe(200);
      expect([await availability(server), (await placed(data)).length]).toEqual(['available', 1]);
    },
  );

  test('SYNC-33, FAULT-19 what is left of an accepted commit that could not be tidied up is no failure of it', async () => {
    const { server, fault } = await setUp('removeUpload');
    fault.code = 'EROFS';
    const first = await commit(server);
    fault.code = null;
    const again = await commit(server);
    expect([first.status === 200 || first.status === 503, again.status]).toEqual([true, 200]);
    expect(await availability(server)).toBe('available');
  });
});

whereMounting('a small disk (where mounting is allowed)', () => {
  async function mounted(megabytes: number): Promise<Disk> {
    const disk = await smallDisk(megabytes);
    ends.push(() => disk.end());
    return disk;
  }

  async function setUp() {
    const { path: data } = await mounted(6);
    const server = await testServer({ data });
    ends.push(() => server.close());
    await server.importCatalog(SMALL_CATALOG);
    return { server, data };
  }

  /** Takes all that is left. */
  function fill(data: string): void {
    const file = openSync(join(data, 'filler'), 'w');
    try {
      for (let size = 65_536; size >= 1; size = Math.floor(size / 16)) {
        for (let n = 0; n < 1000; n += 1) writeSync(file, Buffer.alloc(size));
      }
    } catch {
      // Full, as it should be.
    } finally {
      closeSync(file);
    }
  }

  test('SYNC-34 full: uploads and changes are 507, what arrived is kept, and it goes on when there is space', async () => {
    const { server, data } = await setUp();
    fill(data);
    const metadata = `sha256 ${Buffer.from(FILE.sha256).toString('base64')}`;
    const begin = () =>
      server.raw('POST', '/v1/uploads', null, {
        ...TUS,
        'Upload-Length': String(FILE.size),
        'Upload-Metadata': metadata,
      });
    const bytes = (from: number) =>
      server.raw('PATCH', `/v1/uploads/${FILE.sha256}`, new Blob([FILE.bytes.slice(from)]), {
        ...{ ...TUS, 'Upload-Offset': String(from), 'Content-Type': 'application/offset+octet-stream' },
      });
    const made = await begin();
    const refused = made.status === 201 ? await bytes(0) : made;
    expect(refused.status).toBe(507);
    expect(((await refused.json()) as ErrorAnswer).error.code).toBe('storage_full');
    expect((await server.api('GET', '/v1/catalog/tracks/tr_h1')).status).toBe(200);
    await rm(join(data, 'filler'));
    const told = await server.raw('HEAD', `/v1/uploads/${FILE.sha256}`, null, TUS);
    const from = told.status === 200 ? Number(told.headers.get('upload-offset')) : 0;
    if (told.status !== 200) expect((await begin()).status).toBe(201);
    expect((await bytes(from)).status).toBe(204);
    expect((await commit(server)).status).toBe(200);
  });

  test('FAULT-7, FAULT-20 a server on a disk that fills up says so, loses nothing when it is killed then, and goes on with space', async () => {
    const disk = await mounted(12);
    const { path: data } = disk;
    const server = new ServerProcess(data, {});
    ends.push(() => server.end('SIGKILL'));
    await server.start(0);
    let sent = 0;
    const ask = async (
      method: string,
      path: string,
      body?: object,
    ): Promise<[number, ErrorAnswer & { id: string }]> => {
      const headers = { Authorization: `Bearer ${TOKEN}`, 'Idempotency-Key': `key-${String((sent += 1))}` };
      const init = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await fetch(`${server.url}${path}`, { method, headers, ...init });
      return [answer.status, (await answer.json()) as ErrorAnswer & { id: string }];
    };
    const made: string[] = [];
    const artist = () => ask('POST', '/v1/catalog/artists', { name: `Nobody ${String(sent)} `.repeat(40) });
    expect((await ask('POST', '/v1/catalog/import', SMALL_CATALOG))[0]).toBe(200);
    fill(data);
    // The database may have room in files it already has (its log is written over from the start after a checkpoint).
    let [status, body] = await artist();
    for (; status === 201 && made.length < 2000; [status, body] = await artist()) made.push(body.id);
    expect([status, body.error.code]).toEqual([507, 'storage_full']);
    const health = async (): Promise<number> => (await ask('GET', '/health'))[0];
    await expect.poll(health).toBe(503);
    expect((await ask('GET', '/v1/catalog/tracks/tr_h1'))[0]).toBe(200);
    await server.end('SIGKILL');
    await rm(join(data, 'filler'));

    disk.remount('ro');
    await expect(server.start(0)).rejects.toThrow(/takes no writes|cannot be written/);
    disk.remount('rw');
    await server.start(0);
    expect(await health()).toBe(200);
    expect((await ask('GET', '/v1/catalog/tracks/tr_h1'))[0]).toBe(200);
    for (const id of made) expect((await ask('GET', `/v1/catalog/artists/${id}`))[0]).toBe(200);
    expect((await artist())[0]).toBe(201);
  });
});
