/** An upload whose bytes the server let go, or lost: a database that was put back to before it was done still waits for it. */
import { rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
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
}, 60_000);
