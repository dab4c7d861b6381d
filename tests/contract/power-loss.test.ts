/**
 * Servers as processes on a disk whose power goes (tests/fixtures/power-disk.ts) right after they have answered: what was
 * acknowledged is there when it comes back, rows and files. `npm run soak -- sync` does it at random instants.
 */
import { chmodSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { createDice } from '../fixtures/faults/dice.ts';
import { OwnPostgres } from '../fixtures/faults/own-postgres.ts';
import { ServerProcess } from '../fixtures/faults/server-process.ts';
import { whereMountingImages } from '../fixtures/mounts.ts';
import { findPostgres } from '../fixtures/postgres.ts';
import { powerDisk } from '../fixtures/power-disk.ts';
import { commitOf, SMALL_CATALOG, TOKEN } from '../fixtures/server.ts';
import { vorbisFile } from '../fixtures/vorbis-file.ts';
import { curlForm } from '../fixtures/worker.ts';

const TIMEOUT = 240_000;
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const TUS = { 'Tus-Resumable': '1.0.0' };
const FILES = {
  tr_h1: vorbisFile({ durationMs: 255_000, seed: 1 }),
  tr_a2: vorbisFile({ durationMs: 230_000, seed: 2 }),
};

async function ask(server: ServerProcess, method: string, path: string, body?: BodyInit | object, headers = {}) {
  const isJson = body !== undefined && Object.getPrototypeOf(body) === Object.prototype;
  const answer = await fetch(`${server.url}${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${TOKEN}`,
      ...(isJson ? { 'Content-Type': 'application/json' } : {}),
      ...headers,
    },
    body: isJson ? JSON.stringify(body) : ((body as BodyInit | undefined) ?? null),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}

async function publish(server: ServerProcess, track: keyof typeof FILES): Promise<void> {
  const file = FILES[track];
  const metadata = `sha256 ${Buffer.from(file.sha256).toString('base64')}`;
  await ask(server, 'POST', '/v1/uploads', undefined, {
    ...{ ...TUS, 'Upload-Length': String(file.size), 'Upload-Metadata': metadata },
  });
  const type = 'application/offset+octet-stream';
  const headers = { ...TUS, 'Upload-Offset': '0', 'Content-Type': type };
  await ask(server, 'PATCH', `/v1/uploads/${file.sha256}`, new Blob([new Uint8Array(file.bytes)]), headers);
  await ask(server, 'POST', '/v1/ingestion/commits', commitOf(file, track), { 'Idempotency-Key': track });
}

/** A server on a disk of its own; `cut` takes the power from all of it and brings it back. */
async function onDisk(postgres: boolean) {
  const disk = await powerDisk(1000);
  if (disk === null) throw new Error('no disk could be mounted');
  ends.push(() => disk.end());
  chmodSync(disk.path, 0o755);
  const data = join(disk.path, 'data');
  await mkdir(data);
  const aside = await mkdtemp(join(tmpdir(), 'accession-power-aside-'));
  ends.push(() => rm(aside, { recursive: true, force: true }));
  const own = postgres ? await OwnPostgres.start(findPostgres() ?? '', disk.path, aside) : null;
  ends.push(() => own?.stop());
  const server = new ServerProcess(data, own === null ? {} : { DATABASE_URL: own.url });
  ends.push(() => server.end('SIGKILL'));
  await server.start(0);
  const cut = async (journal: boolean): Promise<void> => {
    disk.lose(createDice(1), [], journal);
    await server.end('SIGKILL');
    await own?.stop();
    await disk.comeBack();
    await own?.start();
    await server.start(0);
  };
  return { server, data, cut };
}

/** On one store with the disk's journal written, on the other without (createDice). */
async function losesNothing(postgres: boolean): Promise<void> {
  const { server, data, cut } = await onDisk(postgres);
  await ask(server, 'POST', '/v1/catalog/import', SMALL_CATALOG);
  await publish(server, 'tr_h1');
  const upload = Buffer.concat([Buffer.from('fLaC\0\0\0\x22'), Buffer.alloc(40_000, 7)]);
  const form = curlForm([{ name: 'one.flac', bytes: upload }], {});
  await ask(server, 'POST', '/v1/ingestion/upload', form.body, form.headers);
  await publish(server, 'tr_a2');
  await ask(server, 'PATCH', '/v1/catalog/tracks/tr_h2', { title: 'Acknowledged' });
  await cut(postgres);
  for (const [track, file] of Object.entries(FILES)) {
    const audio = await ask(server, 'GET', `/v1/catalog/tracks/${track}/audio`);
    expect(Buffer.from(await audio.arrayBuffer()).equals(Buffer.from(file.bytes))).toBe(true);
  }
  const track = (await (await ask(server, 'GET', '/v1/catalog/tracks/tr_h2')).json()) as { title: string };
  expect(track.title).toBe('Acknowledged');
  const waiting = join(data, 'ingestion_uploads');
  const [name = ''] = await readdir(waiting);
  expect((await readFile(join(waiting, name))).equals(upload)).toBe(true);
  expect(server.said).not.toMatch(/older than|another history/);
  expect(await (await fetch(`${server.url}/health`)).json()).toMatchObject({ status: 'ok' });
}

whereMountingImages('a power cut right behind the answer (where mounting of images is allowed)', () => {
  test('OPS-52 takes nothing that was acknowledged (node:sqlite)', () => losesNothing(false), TIMEOUT);

  describe.skipIf(findPostgres() === null)('on PostgreSQL', () => {
    test('OPS-52 takes nothing that was acknowledged (PostgreSQL)', () => losesNothing(true), TIMEOUT);
  });
});
