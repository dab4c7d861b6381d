import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { realpathSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { describe, test, type TestContext } from 'vitest';
import { programFile, type Script } from '../fixtures/program-file.ts';
import { commitOf, SMALL_CATALOG } from '../fixtures/server.ts';
import { curlForm } from '../fixtures/worker.ts';
import { vorbisFile } from '../fixtures/vorbis-file.ts';

/** Starting Node takes a while when the machine is busy. */
const TIMEOUT = 240_000;
const TUS = { 'Tus-Resumable': '1.0.0' };

/**
 * OPS-5: Node refuses the server every file but the app's own, for reading, and its data directory: a test that
 * passes has touched nothing else.
 */
function confined(data: string): string[] {
  const project = fileURLToPath(new URL('../..', import.meta.url));
  // The installed packages may be links to another place.
  const read = [project, realpathSync(join(project, 'node_modules')), data];
  return ['--permission', ...read.map((path) => `--allow-fs-read=${path}`), `--allow-fs-write=${data}`];
}

/** Programs on a data directory of a test's own, all gone when it has ended: the tests wait side by side. */
async function programs(onTestFinished: TestContext['onTestFinished']) {
  const data = await mkdtemp(join(tmpdir(), 'accession-process-'));
  const children: ChildProcess[] = [];
  onTestFinished(async () => {
    for (const child of children) child.kill('SIGKILL');
    await rm(data, { recursive: true, force: true });
  });

  function run(script: Script, args: string[], env: Record<string, string> = {}) {
    const own = script === 'server/main.ts' ? confined(data) : [];
    const child = spawn(process.execPath, [...own, programFile(script), ...args], {
      env: { ...process.env, ACCESSION_DATA: data, PORT: '0', ACCESSION_DEMO: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString('utf8')));
    child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString('utf8')));
    const exited = once(child, 'close').then(([code]) => code as number | null);
    return { child, output, exited };
  }

  async function start(env: Record<string, string> = {}) {
    const server = run('server/main.ts', [], env);
    await Promise.race([once(server.child.stdout, 'data'), server.exited]);
    const [, url = '', token = ''] = /^(http:\/\/127\.0\.0\.1:\d+)\/#token=(\S+)\n$/.exec(server.output.stdout) ?? [];
    const ask = (
      method: string,
      path: string,
      body?: BodyInit | null,
      headers: Record<string, string> = {},
    ): Promise<Response> =>
      fetch(`${url}${path}`, { method, body: body ?? null, headers: { Authorization: `Bearer ${token}`, ...headers } });
    return { ...server, url, token, ask };
  }

  return { data, run, start };
}

describe.concurrent('the server as a program', () => {
  test(
    'OPS-7 OPS-20: goes by what [ingestion] of its file says of uploads, and keeps them where it says',
    async ({ expect, onTestFinished }) => {
      const { data, start } = await programs(onTestFinished);
      await writeFile(
        join(data, 'accession.toml'),
        `[ingestion]
        temp_dir = "{db_dir}/elsewhere"
        max_upload_size_mb = 1
        auto_approve_threshold = 0.97
        output_bitrate = "192k"
        [ingestion.limits]
        files_per_upload = 2
        fields_per_upload = 3
        upload_total_mb = 2
        waiting_mb_per_user = 1
        unfinished_mb_per_user = 1
        least_bytes_per_second = 1`,
      );
      const server = await start();
      const send = async (sizes: readonly number[], fields: Record<string, string> = {}) => {
        const flac = (size: number): Uint8Array =>
          Buffer.concat([Buffer.from('fLaC\0\0\0\x22'), Buffer.alloc(size - 8)]);
        const form = curlForm(
          sizes.map((size, at) => ({ name: `${at}.flac`, bytes: flac(size) })),
          fields,
        );
        const answer = await server.ask('POST', '/v1/ingestion/upload', form.body, form.headers);
        return `${answer.status} ${await answer.text()}`;
      };
      expect(await send([100, 100, 100])).toMatch(/^413.*2 files/);
      expect(await send([100], { a: 'x', b: 'x', c: 'x', d: 'x' })).toMatch(/^413.*3 fields/);
      expect(await send([1_200_000, 1_200_000])).toMatch(/^413.*2 MB in all/);
      expect(await send([1_100_000])).toMatch(/^413/);
      expect(await send([900_000])).toMatch(/^201/);
      expect(await send([900_000])).toMatch(/^413.*not worked on yet/);
      expect(await readdir(join(data, 'elsewhere'))).toHaveLength(1);
      const begin = async (sha256: string): Promise<string> => {
        const metadata = `sha256 ${Buffer.from(sha256).toString('base64')}`;
        const headers = { 'Tus-Resumable': '1.0.0', 'Upload-Length': '900000', 'Upload-Metadata': metadata };
        const answer = await server.ask('POST', '/v1/uploads', null, headers);
        return `${answer.status} ${await answer.text()}`;
      };
      expect(await begin('a'.repeat(64))).toMatch(/^201/);
      expect(await begin('b'.repeat(64))).toMatch(/^429.*1 MB/);
      const told = await (await server.ask('GET', '/v1/config')).json();
      expect(told).toMatchObject({ max_upload_size_mb: 1, auto_approve_threshold: 0.97, output_bitrate: '192k' });
      server.child.kill('SIGTERM');
      expect(await server.exited).toBe(0);
    },
    TIMEOUT,
  );

  test(
    'SERVE-1 OPS-5: one ready line that signs in, a token kept for its owner alone, a clean end',
    async ({ expect, onTestFinished }) => {
      const { data, start } = await programs(onTestFinished);
      const first = await start();
      expect(first.output.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=\S{40,}\n$/);
      expect((await first.ask('GET', '/v1/me')).status).toBe(200);
      const kept = (await readFile(join(data, 'admin-token'), 'utf8')).trim();
      expect(first.token).not.toBe(kept);
      expect((await first.ask('GET', '/v1/me', null, { Authorization: `Bearer ${kept}` })).status).toBe(200);
      for (const file of ['admin-token', 'url-key', 'catalog.db', 'catalog.db-wal', 'catalog.db-shm'])
        expect((await stat(join(data, file))).mode & 0o777, file).toBe(0o600);
      expect(first.output.stderr).not.toContain(first.token);
      first.child.kill('SIGTERM');
      expect(await first.exited).toBe(0);

      const second = await start();
      expect((await readFile(join(data, 'admin-token'), 'utf8')).trim()).toBe(kept);
      expect((await second.ask('GET', '/v1/me')).status).toBe(200);
      second.child.kill('SIGINT');
      expect(await second.exited).toBe(0);

      const own = await start({ ACCESSION_TOKEN: 'my-own-long-token' });
      const by = (token: string) => own.ask('GET', '/v1/me', null, { Authorization: `Bearer ${token}` });
      expect((await by('my-own-long-token')).status).toBe(200);
      for (const former of [kept, first.token]) expect((await by(former)).status).toBe(401);
    },
    TIMEOUT,
  );

  test(
    'OPS-35: does not start on a damaged, a newer or a lost database, says what to do in one sentence, and changes nothing',
    async ({ expect, onTestFinished }) => {
      const { data, run } = await programs(onTestFinished);
      const path = join(data, 'catalog.db');
      const refused = async (...args: string[]): Promise<string> => {
        const server = run('server/main.ts', args);
        expect(await server.exited).toBe(1);
        expect(server.output.stderr.trim().split('\n')).toHaveLength(1);
        return server.output.stderr;
      };
      await writeFile(path, 'this is no database, and it is long enough to be one'.repeat(100));
      expect(await refused()).toContain('is damaged');
      expect(await readFile(path, 'utf8')).toContain('this is no database');

      await rm(path);
      const newer = new DatabaseSync(path);
      newer.exec('create table kysely_migration (name text primary key, timestamp text not null)');
      newer.exec("insert into kysely_migration values ('9999-of-the-future', '2030-01-01T00:00:00.000Z')");
      newer.close();
      expect(await refused()).toContain('newer version of Accession (9999-of-the-future)');

      for (const name of ['catalog.db', 'catalog.db-wal', 'catalog.db-shm'])
        await rm(join(data, name), { force: true });
      await mkdir(join(data, 'media', 'Somebody'), { recursive: true });
      expect(await refused()).toContain('start once with --new');
      expect(await readdir(data)).not.toContain('catalog.db');
      const begun = run('server/main.ts', ['--new']);
      await Promise.race([once(begun.child.stdout, 'data'), begun.exited]);
      expect(begun.output.stdout).toContain('/#token=');
    },
    TIMEOUT,
  );

  test(
    'SERVE-2: the demo is loaded on the first start alone, with two requests waiting',
    async ({ expect, onTestFinished }) => {
      const { start } = await programs(onTestFinished);
      const first = await start({ ACCESSION_DEMO: '1' });
      const { items } = (await (await first.ask('GET', '/v1/download-requests?status=pending')).json()) as {
        items: unknown[];
      };
      expect(items).toHaveLength(2);
      const found = (await (await first.ask('GET', '/v1/catalog/search?q=ok%20computer')).json()) as {
        albums: { title: string }[];
      };
      expect(found.albums[0]?.title).toBe('OK Computer');
      first.child.kill('SIGTERM');
      await first.exited;
      const second = await start({ ACCESSION_DEMO: '1' });
      expect(second.output.stderr).not.toContain('demo catalog loaded');
    },
    TIMEOUT,
  );

  test(
    'SERVE-3: what is wrong with the environment is said, and the exit code tells',
    async ({ expect, onTestFinished }) => {
      const { data, run, start } = await programs(onTestFinished);
      const bad = run('server/main.ts', [], { PORT: 'eighty' });
      expect(await bad.exited).toBe(1);
      expect(bad.output.stderr).toContain('PORT must be a whole number');
      const first = await start();
      const taken = run('server/main.ts', [], { PORT: new URL(first.url).port, ACCESSION_DATA: join(data, 'other') });
      const second = run('server/main.ts', []);
      // STORE-10: whatever its port is, a second server on one directory would undo what the first has under way.
      expect(await second.exited).toBe(1);
      expect(second.output.stderr).toContain('Another Accession server works on');
      expect(await taken.exited).toBe(1);
      expect(taken.output.stderr).toContain('is in use');
      expect(taken.output.stdout).toBe('');
    },
    TIMEOUT,
  );

  test(
    'UPLOAD-2: killed in the middle of an upload it goes on where it was, and publishes once',
    async ({ expect, onTestFinished }) => {
      const { start } = await programs(onTestFinished);
      const file = vorbisFile({ durationMs: 255_000, bytesPerSecond: 3000 });
      const half = Math.floor(file.size / 2);
      const before = await start();
      await before.ask('POST', '/v1/catalog/import', JSON.stringify(SMALL_CATALOG));
      const metadata = `sha256 ${Buffer.from(file.sha256).toString('base64')}`;
      await before.ask('POST', '/v1/uploads', null, {
        ...TUS,
        'Upload-Length': String(file.size),
        'Upload-Metadata': metadata,
      });
      const bytes = { ...TUS, 'Content-Type': 'application/offset+octet-stream' };
      const path = `/v1/uploads/${file.sha256}`;
      expect(
        (await before.ask('PATCH', path, new Blob([file.bytes.slice(0, half)]), { ...bytes, 'Upload-Offset': '0' }))
          .status,
      ).toBe(204);
      before.child.kill('SIGKILL');
      await before.exited;

      const after = await start();
      const told = await after.ask('HEAD', path, null, TUS);
      expect([told.status, told.headers.get('upload-offset')]).toEqual([200, String(half)]);
      const rest = await after.ask('PATCH', path, new Blob([file.bytes.slice(half)]), {
        ...bytes,
        'Upload-Offset': String(half),
      });
      expect(rest.status).toBe(204);
      const commit = (): Promise<Response> =>
        after.ask('POST', '/v1/ingestion/commits', JSON.stringify(commitOf(file, 'tr_h1')), {
          'Idempotency-Key': 'once',
        });
      const [first, second] = [await commit(), await commit()];
      expect([first.status, second.status, second.headers.get('idempotent-replayed')]).toEqual([200, 200, 'true']);
      const album = (await (await after.ask('GET', '/v1/catalog/albums/al_homogenic')).json()) as {
        tracks: { availability: string }[];
      };
      expect(album.tracks.map((track) => track.availability)).toEqual(['available', 'missing']);
    },
    TIMEOUT,
  );
});

describe.concurrent('accession catalog import', () => {
  test(
    'CLI-1: works beside a running server, which finds what came; twice changes nothing',
    async ({ expect, onTestFinished }) => {
      const { data, run, start } = await programs(onTestFinished);
      const server = await start();
      const path = join(data, 'small.json');
      await writeFile(path, JSON.stringify(SMALL_CATALOG));
      const first = run('cli/main.ts', ['catalog', 'import', path]);
      expect(await first.exited).toBe(0);
      expect(first.output.stdout).toContain('tracks: 6 created, 0 updated, 0 unchanged');
      const found = (await (await server.ask('GET', '/v1/catalog/search?q=huntr')).json()) as {
        tracks: { id: string }[];
      };
      expect(found.tracks[0]?.id).toBe('tr_h1');
      const again = run('cli/main.ts', ['catalog', 'import', path]);
      expect(await again.exited).toBe(0);
      expect(again.output.stdout).toContain('tracks: 0 created, 0 updated, 6 unchanged');
    },
    TIMEOUT,
  );

  test(
    'CLI-2: says what is wrong with a file, by row, and exits with 1; with 2 when it was called wrongly',
    async ({ expect, onTestFinished }) => {
      const { data, run } = await programs(onTestFinished);
      const path = join(data, 'bad.json');
      await writeFile(path, JSON.stringify({ ...SMALL_CATALOG, tracks: [{ id: 'tr_1' }] }));
      const bad = run('cli/main.ts', ['catalog', 'import', path]);
      const missing = run('cli/main.ts', ['catalog', 'import', join(data, 'nothing.json')]);
      const wrong = run('cli/main.ts', ['catalogue']);
      expect([await bad.exited, await missing.exited, await wrong.exited]).toEqual([1, 1, 2]);
      expect(bad.output.stderr).toContain('Nothing was imported. tracks[0] "album_id"');
      expect(missing.output.stderr).toContain('nothing.json" cannot be read');
      expect(wrong.output.stderr).toContain("unknown command 'catalogue'");
    },
    TIMEOUT,
  );
});
