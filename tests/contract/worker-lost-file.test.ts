/** An upload whose bytes the server let go, or lost: a database that was put back to before it was done still waits for it. */
import { rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Claim } from '#core/sync/work-protocol.ts';
import { HeadlessWorker } from '../fixtures/faults/headless-worker.ts';
import { createDice } from '../fixtures/faults/dice.ts';
import { Ledger } from '../fixtures/faults/ledger.ts';
import { silentUpload } from '../fixtures/faults/uploads.ts';
import { SMALL_CATALOG, testServer, TOKEN, type TestServer } from '../fixtures/server.ts';
import { curlForm } from '../fixtures/worker.ts';

const TRACKS = SMALL_CATALOG.tracks.slice(0, 3).map((track) => ({
  ...{ id: track.id, title: track.title, artist: track.artist, album_id: track.album_id, position: track.position },
  ...{ album: SMALL_CATALOG.albums.find(({ id }) => id === track.album_id)?.title ?? '' },
  duration_ms: track.duration_ms ?? 0,
}));

let server: TestServer;
let worker: HeadlessWorker;
beforeEach(async () => {
  server = await testServer();
  await server.importCatalog(SMALL_CATALOG);
  const tracks = new Map(TRACKS.map((track) => [track.id, track]));
  const own = { name: 'one', token: TOKEN, dice: createDice(1), ledger: new Ledger(), faults: 0 };
  worker = new HeadlessWorker({ ...own, server: () => server.url, tracks });
});
afterEach(async () => {
  await worker.close();
  await server.end();
});

test('OPS-55 ends as failed and says so, and the uploads behind it are worked on', async () => {
  const ids: string[] = [];
  for (const track of TRACKS) {
    const bytes = await silentUpload(track, `${track.id}.flac`, 1);
    const form = curlForm([{ name: `${track.id}.flac`, bytes }]);
    const sent = await server.raw('POST', '/v1/ingestion/upload', form.body, form.headers);
    ids.push(...((await sent.json()) as { job_ids: string[] }).job_ids);
  }
  const files = await server.store.db.selectFrom('work_files').select(['id', 'path']).orderBy('path').execute();
  const at = (track = ''): string =>
    join(server.data, 'ingestion_uploads', files.find(({ path }) => path === `${track}.flac`)?.id ?? '');
  await rm(at(TRACKS[0]?.id));
  await truncate(at(TRACKS[1]?.id), 10);
  await worker.start();
  await worker.done();
  const jobs = await Promise.all(
    ids.map(async (id) => (await server.api<Record<string, unknown>>('GET', `/v1/ingestion/jobs/${id}`)).body),
  );
  const gone = { status: 'FAILED', error_message: expect.stringMatching(/does not have ".*" any more/) as string };
  expect(jobs).toMatchObject([gone, gone, { status: 'COMPLETED' }]);
});

test('API-175 a job that a person cancelled stays so though its worker had found in the meantime that it failed', async () => {
  const [known] = TRACKS;
  if (known === undefined) throw new Error('there is no track');
  const form = curlForm([{ name: 'a.flac', bytes: await silentUpload(known, 'a.flac', 1) }]);
  await server.raw('POST', '/v1/ingestion/upload', form.body, form.headers);
  const { body } = await server.api<{ claim: Claim }>('POST', '/v1/ingestion/claims', { worker: 'one' });
  const { lease_id, jobs, revision } = body.claim;
  const [job] = jobs;
  const failed = { ...job, status: 'FAILED', error_message: 'The server does not have "a.flac" any more.' };
  expect(await server.api('DELETE', `/v1/ingestion/jobs/${job?.id}`)).toMatchObject({
    status: 200,
    body: { cancelled: [job?.id] },
  });
  // What it had found is not taken for the person's reason, however often it says so.
  for (const at of [0, 1]) {
    const save = { revision: revision + at, state: 'ready', document: `{"at":${at}}`, steps: [], reviews: [] };
    const later = { ...failed, updated_at: Date.now() + at, completed_at: Date.now() + at };
    expect((await server.api('PUT', `/v1/ingestion/claims/${lease_id}`, { ...save, jobs: [later] })).status).toBe(200);
    expect((await server.api('GET', `/v1/ingestion/jobs/${job?.id}`)).body).toMatchObject({
      ...{ status: 'FAILED', error_message: 'cancelled' },
    });
  }
});
