/** Rules of the server that no other test holds. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import JSZip from 'jszip';
import { afterEach, expect, test } from 'vitest';
import { BUNDLE_FORMAT, BUNDLE_MANIFEST } from '#core/sync/bundle-head.ts';
import { BUNDLE_AUDIO, BUNDLE_DECISION, BUNDLE_TRANSCRIPT, type BundleManifest } from '#core/sync/bundle-manifest.ts';
import { bodySha, prepareOutboxItems } from '#core/sync/outbox-item.ts';
import type { CommitRequest } from '#core/sync/protocol.ts';
import type { Claim, WorkSave } from '#core/sync/work-protocol.ts';
import type { Store } from '#server/store/store.ts';
import { USUAL_UPLOAD_LIMITS } from '#server/work/upload-limits.ts';
import { job as mirroredJob } from '../fixtures/mirrored.ts';
import { programFile, type Script } from '../fixtures/program-file.ts';
import {
  commitOf,
  SMALL_CATALOG,
  testServer,
  type ErrorAnswer,
  type TestServer,
  type TestServerOptions,
} from '../fixtures/server.ts';
import { vorbisFile } from '../fixtures/vorbis-file.ts';

const FILE = vorbisFile({ durationMs: 255_000 });
const MB = 1_048_576;

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function opened(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await testServer(options);
  ends.push(() => server.end());
  await server.importCatalog(SMALL_CATALOG);
  return server;
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'accession-rules-'));
  ends.push(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** A program of the project, to its end or until its first line. */
async function program(script: Script, args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [programFile(script), ...args], {
    env: { ...process.env, PORT: '0', ACCESSION_DEMO: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  ends.push(() => child.kill('SIGKILL'));
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString('utf8')));
  const exited = once(child, 'close').then(([code]) => code as number | null);
  const started = await Promise.race([once(child.stdout, 'data').then(() => true), exited.then(() => false)]);
  return { started, exited, said: () => said };
}

test('API-60 answers of plans are as little kept and framed as those of /v1', async () => {
  const server = await opened();
  for (const path of ['/api/getPendingPlans', '/v1/plans', '/v1/me']) {
    const { headers } = await server.raw('GET', path);
    expect([headers.get('cache-control'), headers.get('content-security-policy')], path).toEqual([
      'no-store',
      expect.stringContaining("default-src 'none'"),
    ]);
  }
});

test('API-63 an error that nobody foresaw is logged, and answered with 500 without its words', async () => {
  const words = 'what only the log may say';
  const server = await opened({
    wrap: (deps) => ({
      signer: Object.assign(Object.create(deps.signer), {
        sign: () => {
          throw new Error(words);
        },
      }) as typeof deps.signer,
    }),
  });
  const answer = await server.api<ErrorAnswer>('POST', '/v1/sign', { path: '/v1/catalog/tracks/tr_h1/audio' });
  expect(answer.status).toBe(500);
  expect(JSON.stringify(answer.body)).not.toContain(words);
  expect(server.logged.join('\n')).toContain(words);
});

test('STORE-14 a commit whose note was taken away by somebody else publishes nothing and answers 503', async () => {
  const server = await opened();
  await server.upload(FILE);
  const { write: really } = server.store;
  let noted = 0;
  const write: Store['write'] = async (work) => {
    const value = await really(work);
    // The first transaction of the commit notes the path: another process that starts clears it.
    if ((noted += 1) === 1) await really((tx) => tx.deleteFrom('placements').execute());
    return value;
  };
  Object.assign(server.store, { write });
  const commit = () =>
    server.api<ErrorAnswer>('POST', '/v1/ingestion/commits', commitOf(FILE, 'tr_h1'), { 'Idempotency-Key': 'one' });
  expect((await commit()).status).toBe(503);
  expect((await server.raw('GET', '/v1/catalog/tracks/tr_h1/audio')).status).toBe(404);
  Object.assign(server.store, { write: really });
  expect((await commit()).status).toBe(200);
});

async function bundleOf(body: CommitRequest): Promise<Uint8Array<ArrayBuffer>> {
  await prepareOutboxItems();
  const manifest: BundleManifest = {
    ...{ format: BUNDLE_FORMAT, version: 1, key: 'key-a', body_sha: bodySha(body), created_at: 1, steps: [] },
    matched: { title: 'Hunter', album_id: 'al_homogenic', album: 'Homogenic' },
  };
  const zip = new JSZip();
  zip.file(BUNDLE_MANIFEST, JSON.stringify(manifest));
  zip.file(BUNDLE_DECISION, JSON.stringify(body));
  zip.file(BUNDLE_TRANSCRIPT, '');
  zip.file(BUNDLE_AUDIO, FILE.bytes);
  return new Uint8Array(await zip.generateAsync({ type: 'arraybuffer', compression: 'STORE' }));
}

test('UPLOAD-13 what an exported result keeps counts for the bounds of uploads that are not published', async () => {
  const server = await opened({ deps: { uploadLimits: { ...USUAL_UPLOAD_LIMITS, unfinishedBytes: MB } } });
  const other = 'b'.repeat(64);
  const tus = { 'Tus-Resumable': '1.0.0' };
  const metadata = `sha256 ${Buffer.from(other).toString('base64')}`;
  const begun = await server.raw('POST', '/v1/uploads', null, {
    ...tus,
    ...{ 'Upload-Length': String(MB), 'Upload-Metadata': metadata },
  });
  expect(begun.status).toBe(201);
  const bundle = await bundleOf(commitOf(FILE, 'tr_h1'));
  const send = async (): Promise<[number, string | null]> => {
    const { status, headers } = await server.raw('POST', '/v1/ingestion/bundles', bundle);
    return [status, headers.get('retry-after')];
  };
  expect(await send()).toEqual([429, '30']);
  await server.raw('DELETE', `/v1/uploads/${other}`, null, tus);
  expect((await send())[0]).toBe(200);
});

async function uploaded(server: TestServer): Promise<string> {
  const form = new FormData();
  form.append('files', new Blob(['fLaC', new Uint8Array([0, 0, 0, 34]), 'x'.repeat(40)]), '01.flac');
  const response = await server.raw('POST', '/v1/ingestion/upload', form);
  return ((await response.json()) as { job_ids: string[] }).job_ids[0] ?? '';
}

async function claimed(server: TestServer): Promise<Claim> {
  const { body } = await server.api<{ claim: Claim | null }>('POST', '/v1/ingestion/claims', { worker: 'a test' });
  if (body.claim === null) throw new Error('nothing was to be claimed');
  return body.claim;
}

const save = (server: TestServer, lease: Claim, rest: Partial<WorkSave>) =>
  server.api('PUT', `/v1/ingestion/claims/${lease.lease_id}`, {
    ...{ revision: lease.revision, state: 'ready', document: '{}', jobs: [], steps: [], reviews: [], ...rest },
  });

test('WORK-28 a workstation’s mirror does not change the row of an upload’s job', async () => {
  const server = await opened();
  const id = await uploaded(server);
  const jobOf = async () => (await server.api<{ status: string }>('GET', `/v1/ingestion/jobs/${id}`)).body.status;
  const late = mirroredJob(id, { status: 'COMPLETED', updated_at: server.time.now + 60_000 });
  await server.api('PUT', '/v1/ingestion/mirror', { jobs: [late], steps: [], reviews: [] });
  expect(await jobOf()).toBe('PENDING');
  const lease = await claimed(server);
  const told = mirroredJob(id, { status: 'PROCESSING', updated_at: server.time.now });
  expect((await save(server, lease, { jobs: [told] })).status).toBe(200);
  expect(await jobOf()).toBe('PROCESSING');
});

test('STORE-3 what is wrong with the address of a database is said in a sentence without it', async () => {
  const data = await folder();
  const DATABASE_URL = 'postgres://ada:sesame@127.0.0.1:9/catalog';
  const { started, exited, said } = await program('server/main.ts', [], { ACCESSION_DATA: data, DATABASE_URL });
  expect([started, await exited]).toEqual([false, 1]);
  expect(said()).toContain('The database cannot be reached. Check DATABASE_URL.');
  expect(said()).not.toMatch(/sesame|ada:|127\.0\.0\.1:9/);
});

test('STORE-10 a second server on one data directory ends with a sentence, and the command line works beside the first', async () => {
  const ACCESSION_DATA = await folder();
  expect((await program('server/main.ts', [], { ACCESSION_DATA })).started).toBe(true);
  const second = await program('server/main.ts', [], { ACCESSION_DATA });
  expect([second.started, await second.exited]).toEqual([false, 1]);
  expect(second.said()).toContain(`Another Accession server works on ${ACCESSION_DATA}`);
  const file = join(ACCESSION_DATA, 'catalog.json');
  await writeFile(file, JSON.stringify(SMALL_CATALOG));
  const imported = await program('cli/main.ts', ['catalog', 'import', file], { ACCESSION_DATA });
  expect(await imported.exited).toBe(0);
});

test('STORE-25 backup and restore refuse while audio is in a bucket, and say what to do', async () => {
  const ACCESSION_DATA = await folder();
  const env = {
    ...{ ACCESSION_DATA, ACCESSION_S3_BUCKET: 'music', ACCESSION_S3_ENDPOINT: 'https://s3.internal' },
    ...{ AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'sesame' },
  };
  for (const args of [
    ['backup', '--out', join(ACCESSION_DATA, 'out.zip')],
    ['restore', '--from', join(ACCESSION_DATA, 'out.zip')],
  ]) {
    const { exited, said } = await program('cli/main.ts', args, env);
    expect(await exited).toBe(1);
    expect(said()).toContain('The audio is in the bucket "music"');
    expect(said()).toContain('docs/OPERATIONS.md');
  }
});
