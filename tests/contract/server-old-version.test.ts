/** A database and files of version 0.1: this server starts on them, and this version's worker goes on with its uploads. */
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { readDocument } from '#adapters/work/document.ts';
import type { Person } from '#core/sync/people.ts';
import { logOf } from '#server/ingest/job-records.ts';
import { countParts, readParts } from '#server/work/document-parts.ts';
import { choosing } from '../fixtures/model-brain.ts';
import { startModelServer } from '../fixtures/model-server.ts';
import { oldServer } from '../fixtures/old-server.ts';
import { oldRows, oldTables, putOldSqlite } from '../fixtures/old-version.ts';
import { TOKEN, type TestServer } from '../fixtures/server.ts';
import { onPostgres } from '../fixtures/stores.ts';
import { emptySource, testDatabase } from '../fixtures/test-store.ts';
import { startWorker } from '../fixtures/worker.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const TIMEOUT = 240_000;
const ADA = { Authorization: 'Bearer a-new-token-of-ada' };

/** With Ada signed in again: her token of before is over by now. */
async function opened(putTables: Parameters<typeof oldServer>[0]) {
  const server = await oldServer(putTables);
  ends.push(server.end);
  const people = await server.api<Page<Person>>('GET', '/v1/users');
  const ada = people.body.items.find(({ name }) => name === 'Ada');
  expect(ada).toMatchObject({ role: 'editor' });
  await server.addToken('a-new-token-of-ada', ada?.id ?? '', 'EditCatalog');
  return server;
}

interface Page<T> {
  items: T[];
}

const batches = (server: TestServer) =>
  server.store.db.selectFrom('work_batches').selectAll().orderBy('created_at').execute();

/** What a worker of the version before saved of it; null: nothing. */
async function documentOf({ store }: TestServer, batch: { id: string; revision: number }): Promise<string | null> {
  const count = await countParts(store.db, batch);
  return count === 0 ? null : (await Array.fromAsync(readParts(store.db, batch, count))).join('');
}

/** `path: STATUS track or why`, of every upload's jobs, in the order of their making. */
async function jobsOfUploads({ store }: TestServer): Promise<string[]> {
  const rows = await store.db.selectFrom('ingestion_jobs').selectAll().where('batch_id', 'is not', null).execute();
  return rows
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((job) => `${job.original_filename}: ${job.status} ${job.matched_track_id ?? job.error_message ?? ''}`.trim());
}

async function work(server: TestServer): Promise<void> {
  const worker = startWorker(server.url, TOKEN, server.data, ['--once', '--ffmpeg', '/nowhere/ffmpeg']);
  expect(await worker.exited, worker.output.text).toBe(0);
}

/** Everything that a worker can do without a person. */
async function goesOn(server: TestServer): Promise<void> {
  const model = await startModelServer({
    ...{ models: ['llama3.1:8b'], capabilities: ['completion'] },
    reply: choosing('High Tide', 'The lengths fit.'),
  });
  ends.push(model.close);
  const llm = ['provider = "ollama"', `base_url = "${model.url}"`, 'model = "llama3.1:8b"'];
  await writeFile(join(server.data, 'accession.toml'), ['[agent.llm]', ...llm].join('\n'));
  await work(server);
  // As the old worker leaves them.
  const takes = Array.from({ length: 7 }, (_, at) => `take ${at}.flac: AWAITING_REVIEW`);
  expect(await jobsOfUploads(server)).toEqual([
    '01 - Points.flac: COMPLETED north-1',
    '03 - Cutting.flac: COMPLETED north-3',
    '04 - Viaduct.flac: COMPLETED north-4',
    'Points.flac: COMPLETED',
    'mystery.flac: AWAITING_REVIEW',
    'broken.mp3: FAILED "broken.mp3" is not MP3: it is an HTML page.',
    'damaged.flac: FAILED "damaged.flac" is cut off: it ends before the music begins.',
    // Answered while nobody worked on it.
    'riddle.flac: COMPLETED north-10',
    'box.zip: AWAITING_REVIEW',
    ...['track01.flac: AWAITING_REVIEW', 'track02.flac: AWAITING_REVIEW', 'track03.flac: AWAITING_REVIEW'],
    // Its commit was accepted without the worker's knowing, the next was cancelled.
    '07 - Siding.flac: COMPLETED north-7',
    '08 - Buffers.flac: FAILED north-8',
    '09 - Platform.flac: COMPLETED north-9',
    // The worker that had converted it is gone.
    '01 - Buoy.flac: COMPLETED alone-1',
    '11 - Lantern.flac: COMPLETED north-11',
    '06 - Halt.flac: COMPLETED north-6',
    '02 - Signal.flac: AWAITING_REVIEW',
    ...['02 - Ramp.flac: COMPLETED south-2', '03 - Yard.flac: COMPLETED south-3'],
    ...['box/box/inner.zip: AWAITING_REVIEW', '01 - Gate.flac: AWAITING_REVIEW', ...takes],
  ]);
  for (const { id, label, lease_id, lost } of await batches(server))
    expect([id, label, lease_id, lost]).toEqual([id, label, null, 0]);

  // Each was published once, and no line of a log was lost or told twice.
  const { db } = server.store;
  for (const job of await db.selectFrom('ingestion_jobs').selectAll().where('batch_id', 'is not', null).execute()) {
    const own = await logOf(db, job);
    const numbers = own.map(({ step_number }) => Number(step_number));
    expect([job.id, numbers]).toEqual([job.id, numbers.map((_, at) => at + 1)]);
    const published = own.filter(({ content }) => content.startsWith('Published')).length;
    expect([job.id, published]).toEqual([job.id, job.output_file_path === null ? 0 : 1]);
  }
  expect(await db.selectFrom('former_media').selectAll().execute()).toEqual([]);
}

test(
  'the server starts on the old database: documents are read as they were, and its worker goes on to the end (node:sqlite)',
  async () => {
    const server = await opened(putOldSqlite);
    const phases = new Set<string>();
    for (const batch of await batches(server)) {
      const files = await server.store.db
        .selectFrom('work_files')
        .selectAll()
        .where('batch_id', '=', batch.id)
        .execute();
      const document = await documentOf(server, batch);
      if (document === null) continue;
      const old = JSON.parse(document) as { schema_version: number; jobs: { id: string; phase: string }[] };
      expect(old.schema_version).toBe(1);
      const { jobs } = readDocument(document, files);
      expect(jobs.map(({ id, phase }) => [id, phase])).toEqual(old.jobs.map(({ id, phase }) => [id, phase]));
      for (const { phase } of jobs) phases.add(phase);
    }
    // What a worker of version 0.1 saved in the middle of: it saved nothing while it probed, matched or published.
    expect([...phases].sort()).toEqual([
      ...['approved', 'cancelled', 'converting', 'duplicate', 'failed', 'grouping', 'published', 'queued', 'review'],
      ...['thinking', 'waiting'],
    ]);
    await goesOn(server);

    const jobs = await server.store.db.selectFrom('ingestion_jobs').selectAll().execute();
    const answer = async (name: string, body: object, headers: Record<string, string> = ADA): Promise<void> => {
      const open = jobs.find((job) => job.original_filename === name && job.batch_id !== null);
      const said = await server.api('POST', `/v1/ingestion/review/${open?.id ?? ''}`, body, headers);
      expect([name, said.status]).toEqual([name, 200]);
    };
    await answer('01 - Gate.flac', { track_id: 'south-1' });
    await answer('take 0.flac', { selected_option: 'none' });
    await answer('track01.flac', { selected_option: 'album:al-high' });
    await answer('mystery.flac', { track_id: 'north-5' }, {});
    await answer('02 - Signal.flac', { selected_option: 'track:north-2' }, {});
    await work(server);
    const ended = await jobsOfUploads(server);
    for (const line of [
      ...['01 - Gate.flac: COMPLETED south-1', 'box/box/inner.zip: COMPLETED', 'box.zip: COMPLETED'],
      ...['track01.flac: COMPLETED high-1', 'track02.flac: COMPLETED high-2', 'track03.flac: COMPLETED high-3'],
      ...['mystery.flac: COMPLETED north-5', '02 - Signal.flac: COMPLETED north-2'],
    ])
      expect(ended).toContain(line);
    expect(ended.filter((line) => /: (PENDING|PROCESSING|CONVERTING|AWAITING_REVIEW)/.test(line))).toEqual([]);
    expect((await batches(server)).map(({ state }) => state)).toEqual(Array<string>(8).fill('done'));
    expect(await server.store.db.selectFrom('work_files').selectAll().execute()).toEqual([]);
    expect(await readdir(join(server.data, 'ingestion_uploads'))).toEqual([]);
    // What her answers taught is kept for her next upload.
    expect(await server.store.db.selectFrom('learned').selectAll().execute()).not.toEqual([]);
  },
  TIMEOUT,
);

test('plans of before are known, wait as they did, and a rename of before is taken back (node:sqlite)', async () => {
  const server = await opened(putOldSqlite);
  const waiting = async (path: string) =>
    (await server.api<{ plans: { mediaFolderPath: string }[] }>('GET', path)).body.plans.map(
      (plan) => plan.mediaFolderPath,
    );
  expect(await waiting('/api/getPendingPlans')).toEqual([join(server.shows, 'Other')]);
  expect(await waiting('/api/getPendingRenamePlans')).toEqual([join(server.shows, 'Other')]);
  const { body } = await server.api<Page<{ plan: { id: string; status: string } }>>('GET', '/v1/plans');
  const done = body.items.find(({ plan }) => plan.status === 'completed')?.plan.id ?? '';
  const undone = await server.api<{ renamed: number }>('POST', `/v1/plans/${done}/undo`, {});
  expect([undone.status, undone.body.renamed]).toEqual([200, 2]);
  expect((await readdir(join(server.shows, 'Watch'))).sort()).toEqual(['a.mkv', 'b.mkv']);
  const show = await server.api<Page<{ title: string }>>('GET', '/v1/catalog/shows?q=hafenwache');
  expect([show.status, show.body.items.map(({ title }) => title)]).toEqual([200, ['Harbour Watch']]);
});

onPostgres('the server on the old database', () => {
  test('starts, and its worker goes on', async () => goesOn(await opened(putOldPostgres)), TIMEOUT);
});

async function putOldPostgres(data: string, shows: string): Promise<void> {
  await emptySource(data);
  const connectionString = (await testDatabase(data)) ?? '';
  // A replica's role checks no references, so that the order of the rows does not matter.
  const client = new pg.Client({ connectionString, options: '-c session_replication_role=replica' });
  await client.connect();
  await client.query(await oldTables('postgres'));
  await client.query(await oldRows(shows));
  await client.end();
}
