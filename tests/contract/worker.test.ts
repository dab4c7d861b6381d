import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'vitest';
import { OggVorbisReader } from '#adapters/media/ogg/ogg-vorbis.ts';
import type { CatalogFile } from '#lanes/music/core/catalog.ts';
import type { MirroredJob, MirroredReviewSchema } from '#core/sync/protocol.ts';
import type { UploadAnswer } from '#core/sync/work-protocol.ts';
import { LEASE_MS } from '#server/work/lease.ts';
import type * as v from 'valibot';
import { makeAudio } from '../fixtures/audio.ts';
import { rar5Of, sevenZipOf } from '../fixtures/packed.ts';
import { apeOf } from '../fixtures/rare-audio.ts';
import { testServer, TOKEN } from '../fixtures/server.ts';
import { gzip, tarOf } from '../fixtures/tar.ts';
import { connectTo, hangUp, updates } from '../fixtures/sockets.ts';
import { curlForm, startWorker, type WorkerProcess } from '../fixtures/worker.ts';
import { zipOf } from '../fixtures/zip.ts';

/** Starting Node takes a while when the machine is busy. */
const TIMEOUT = 240_000;
const POLL = { timeout: TIMEOUT, interval: 250 };
const NO_FFMPEG = ['--ffmpeg', '/nowhere/ffmpeg'];

interface Page<T> {
  items: T[];
}

/** A server and its workers, of a test's own: the tests wait side by side. */
async function serverWithWorkers(onTestFinished: TestContext['onTestFinished']) {
  const server = await testServer();
  const workers: WorkerProcess[] = [];
  onTestFinished(async () => {
    for (const { child } of workers) child.kill('SIGKILL');
    await server.end();
  });
  await server.importCatalog(CATALOG);

  function work(...args: string[]): WorkerProcess {
    const worker = startWorker(server.url, TOKEN, server.data, ['--no-model', ...args]);
    workers.push(worker);
    return worker;
  }

  async function upload(
    files: { name: string; bytes: Uint8Array }[],
    as = {},
    fields: Record<string, string> = { context_type: 'spontaneous' },
  ): Promise<UploadAnswer> {
    const { body, headers } = curlForm(files, fields);
    const answer = await server.raw('POST', '/v1/ingestion/upload', body, { ...headers, ...as });
    if (answer.status !== 201) throw new Error(`the upload was refused: ${answer.status}`);
    return (await answer.json()) as UploadAnswer;
  }

  const jobs = async () => (await server.api<Page<MirroredJob>>('GET', '/v1/ingestion/jobs')).body.items;
  const jobNamed = async (name: string) => {
    const found = (await jobs()).find((job) => job.original_filename === name);
    if (!found) throw new Error(`there is no job "${name}"`);
    return found;
  };
  const completed = async () => (await jobs()).filter((job) => job.status === 'COMPLETED');
  const reviews = async () =>
    (await server.api<Page<v.InferOutput<typeof MirroredReviewSchema>>>('GET', '/v1/ingestion/review')).body.items;
  const stepsOf = async (id: string) =>
    (
      await server.api<{ reasoning_steps: { content: string; step_number: number }[] }>(
        'GET',
        `/v1/ingestion/jobs/${id}`,
      )
    ).body.reasoning_steps;
  return { server, work, upload, jobs, jobNamed, completed, reviews, stepsOf };
}

const song = (n: number, title: string, seconds: number) =>
  makeAudio({
    format: 'flac',
    seconds,
    seed: n,
    tags: { title, artist: 'The Testers', album: 'Curl Sessions', track: n },
  });

describe.concurrent('the headless worker', () => {
  test(
    'WORK-6, API-36, API-37, WORK-29, WORK-30 an album in a ZIP, sent as curl sends it: matched, one question answered, converted, fetched; a bad file names itself',
    async ({ expect, onTestFinished }) => {
      const { server, work, upload, jobs, jobNamed, completed, reviews } = await serverWithWorkers(onTestFinished);
      const files = [
        {
          name: 'Curl Sessions/01 - First Light.flac',
          data: await song(1, 'First Light', 30),
        },
        {
          name: 'Curl Sessions/02 - Second Wind.flac',
          data: await song(2, 'Second Wind', 41),
        },
        {
          name: 'Curl Sessions/03 - Third Rail.ape',
          data: apeOf(52, { Title: 'Third Rail', Artist: 'The Testers', Album: 'Curl Sessions', Track: '3' }),
        },
        {
          name: 'Curl Sessions/mystery.flac',
          data: await makeAudio({ format: 'flac', seconds: 20, seed: 9 }),
        },
        {
          name: 'Curl Sessions/04 - broken.mp3',
          data: Buffer.from('<html><body>404</body></html>'),
        },
      ];
      const { job_ids } = await upload([{ name: 'album.zip', bytes: zipOf(files) }]);
      expect(job_ids).toHaveLength(1);
      // With a native ffmpeg where there is one; the other test has none.
      work();
      await expect.poll(async () => (await reviews()).length, POLL).toBe(1);
      await expect.poll(async () => (await completed()).length, POLL).toBe(3);

      const all = await jobs();
      const inside = all.filter((job) => job.parent_job_id === job_ids[0]);
      expect(inside).toHaveLength(5);
      expect(
        inside
          .filter((job) => job.status === 'COMPLETED')
          .map((job) => job.matched_track_id)
          .sort(),
      ).toEqual(['tr_1', 'tr_2', 'tr_3']);
      expect((await jobNamed('04 - broken.mp3')).error_message).toContain('"04 - broken.mp3"');
      // Its own row goes with the save after the last commit.
      await expect.poll(async () => (await jobNamed('album.zip')).status, POLL).toBe('AWAITING_REVIEW');
      const [question] = await reviews();
      expect(question?.question).toContain('mystery.flac');

      const job = question?.job_id ?? '';
      const answer = (body: object) => server.api('POST', `/v1/ingestion/review/${job}`, body);
      expect((await answer({ track_id: 'tr_none' })).status).toBe(422);
      expect((await answer({ track_id: 'tr_4', album_id: 'al_c' })).status).toBe(422);
      expect((await answer({ track_id: 'tr_4' })).status).toBe(200);
      await expect.poll(async () => (await jobNamed('album.zip')).status, POLL).toBe('COMPLETED');

      expect(await jobNamed('mystery.flac')).toMatchObject({
        status: 'COMPLETED',
        match_source: 'HUMAN_REVIEW',
      });
      const audio = await server.raw('GET', '/v1/catalog/tracks/tr_4/audio');
      const reader = new OggVorbisReader('mystery');
      reader.push(new Uint8Array(await audio.arrayBuffer()));
      const read = reader.finish();
      expect(read.ok && Math.round(read.value.duration_ms / 1000)).toBe(20);
      await expect
        .poll(async () => (await server.store.db.selectFrom('work_files').selectAll().execute()).length)
        .toBe(0);
    },
    TIMEOUT,
  );

  test(
    'WORK-7 killed in the middle, nothing is lost and nothing published twice; what was cancelled meanwhile stays so (WORK-8)',
    async ({ expect, onTestFinished }) => {
      const { server, work, upload, jobNamed, stepsOf } = await serverWithWorkers(onTestFinished);
      await upload([
        {
          name: '01 - First Light.flac',
          bytes: await song(1, 'First Light', 30),
        },
        {
          name: '02 - Second Wind.flac',
          bytes: await song(2, 'Second Wind', 41),
        },
        {
          name: '03 - Third Rail.flac',
          bytes: await song(3, 'Third Rail', 52),
        },
      ]);
      // An ffmpeg that never comes to an end: the worker stands in the middle of its first conversion.
      const slow = join(server.data, 'slow-ffmpeg');
      await writeFile(slow, '#!/bin/sh\ncase "$*" in *-encoders*) echo libvorbis;; *) exec sleep 600;; esac\n');
      await chmod(slow, 0o755);
      const killed = work('--ffmpeg', slow);
      await expect
        .poll(async () => (await stepsOf((await jobNamed('01 - First Light.flac')).id)).at(-1)?.content, POLL)
        .toContain('Converting');
      killed.child.kill('SIGKILL');
      await killed.exited;
      expect((await jobNamed('01 - First Light.flac')).status).toBe('CONVERTING');
      const second = await jobNamed('02 - Second Wind.flac');
      expect((await server.api('DELETE', `/v1/ingestion/jobs/${second.id}`)).status).toBe(200);

      server.time.now += LEASE_MS + 1;
      const next = work('--once', ...NO_FFMPEG);
      expect(await next.exited, next.output.text).toBe(0);
      expect(await jobNamed('01 - First Light.flac')).toMatchObject({
        error_message: null,
        status: 'COMPLETED',
        matched_track_id: 'tr_1',
      });
      expect(await jobNamed('03 - Third Rail.flac')).toMatchObject({
        status: 'COMPLETED',
        matched_track_id: 'tr_3',
      });
      expect(await jobNamed('02 - Second Wind.flac')).toMatchObject({
        status: 'FAILED',
        error_message: 'cancelled',
      });
      const steps = await stepsOf((await jobNamed('01 - First Light.flac')).id);
      expect(steps.filter((step) => step.content.startsWith('Published'))).toHaveLength(1);
      const { body } = await server.api<{ availability: string }>('GET', '/v1/catalog/tracks/tr_2');
      expect(body.availability).toBe('missing');
    },
    TIMEOUT,
  );

  test(
    'WORK-27 the same content in a later upload of the same person gets the first answer without a question; of another person it is asked about',
    async ({ expect, onTestFinished }) => {
      const { server, work, upload } = await serverWithWorkers(onTestFinished);
      const [alice, bob] = ['alice', 'bob'].map((name) => ({ Authorization: `Bearer the-token-of-${name}` }));
      for (const name of ['alice', 'bob']) await server.addToken(`the-token-of-${name}`, name, 'EditCatalog');
      const bytes = await makeAudio({ format: 'flac', seconds: 20, seed: 9 });
      const jobOf = async ({ job_ids: [id] }: UploadAnswer, as = {}) =>
        (
          await server.api<MirroredJob & { reasoning_steps: { content: string }[] }>(
            'GET',
            `/v1/ingestion/jobs/${id ?? ''}`,
            undefined,
            as,
          )
        ).body;
      /** As if nothing had come of it: by itself the content says nothing any more. */
      const unpublish = async () =>
        expect((await server.api('POST', '/v1/catalog/tracks/tr_4/unpublish', {})).status).toBe(200);

      work(...NO_FFMPEG);
      const first = await upload([{ name: 'mystery.flac', bytes }], alice);
      await expect.poll(async () => (await jobOf(first, alice)).status, POLL).toBe('AWAITING_REVIEW');
      const answer = { track_id: 'tr_4' };
      const asked = await server.api('POST', `/v1/ingestion/review/${first.job_ids[0] ?? ''}`, answer, alice);
      expect(asked.status).toBe(200);
      await expect.poll(async () => (await jobOf(first, alice)).status, POLL).toBe('COMPLETED');
      await unpublish();

      const second = await upload([{ name: 'the same again.flac', bytes }], alice);
      await expect.poll(async () => (await jobOf(second, alice)).status, POLL).toBe('COMPLETED');
      const decided = await jobOf(second, alice);
      expect(decided).toMatchObject({ matched_track_id: 'tr_4', error_message: null });
      // The commit itself completes the job; the worker's own lines of the log follow with its next save.
      const lines = async (start: string) =>
        (await jobOf(second, alice)).reasoning_steps.filter(({ content }) => content.startsWith(start)).length;
      await expect.poll(() => lines('Published'), POLL).toBe(1);
      expect(await lines('Remembered: the same content was decided')).toBe(1);
      await unpublish();

      const third = await upload([{ name: 'of somebody else.flac', bytes }], bob);
      await expect.poll(async () => (await jobOf(third, bob)).status, POLL).toBe('AWAITING_REVIEW');
      const rows = await server.store.db.selectFrom('learned').select(['user_id', 'kind']).execute();
      expect(new Set(rows.map(({ user_id }) => user_id))).toEqual(new Set(['alice']));
      expect(rows.map(({ kind }) => kind)).toContain('memory');
    },
    TIMEOUT,
  );

  test(
    "STAGE-119 a 7z with Monkey's Audio and a RAR in it, without a native ffmpeg: read, matched, converted; what is protected says so",
    async ({ expect, onTestFinished }) => {
      const { work, upload, jobNamed, completed, reviews } = await serverWithWorkers(onTestFinished);
      const tags = (title: string, track: number) => ({
        ...{ Title: title, Artist: 'The Testers', Album: 'Curl Sessions', Track: `${track}` },
      });
      const rar = rar5Of([{ name: '02 - Second Wind.ape', data: apeOf(41, tags('Second Wind', 2)) }]);
      const files = [
        { name: '01 - First Light.ape', data: apeOf(30, tags('First Light', 1)) },
        { name: 'more.rar', data: rar },
        { name: '03 - Third Rail.ape', data: apeOf(52, tags('Third Rail', 3)), encrypted: true },
      ];
      await upload([{ name: 'Curl Sessions.7z', bytes: sevenZipOf(files) }]);
      work(...NO_FFMPEG);
      await expect.poll(async () => (await completed()).length, POLL).toBeGreaterThanOrEqual(2);
      expect(await jobNamed('01 - First Light.ape')).toMatchObject({ status: 'COMPLETED', matched_track_id: 'tr_1' });
      expect(await jobNamed('02 - Second Wind.ape')).toMatchObject({ status: 'COMPLETED', matched_track_id: 'tr_2' });
      expect(await jobNamed('03 - Third Rail.ape')).toMatchObject({
        status: 'FAILED',
        error_message:
          '"03 - Third Rail.ape" in "Curl Sessions.7z" is protected by a password, which in a 7z or RAR cannot be opened here.',
      });
      expect(await reviews()).toEqual([]);
    },
    TIMEOUT,
  );
});

describe.concurrent('the questions of a headless worker', () => {
  test(
    'REVIEW-45, REVIEW-46 what was sent for a request and is something else is asked about; where a file cannot be converted, its double takes its place',
    async ({ expect, onTestFinished }) => {
      const { server, work, upload, jobNamed, reviews } = await serverWithWorkers(onTestFinished);
      const wish = await server.api<{ id: string }>('POST', '/v1/download-requests', { album_id: 'al_d' });
      const fields = { context_type: 'download_request', context_id: wish.body.id };
      await upload([{ name: '02 - Second Wind.flac', bytes: await song(2, 'Second Wind', 41) }], {}, fields);
      work(...NO_FFMPEG);
      await expect.poll(async () => (await reviews()).length, POLL).toBe(1);
      const [question] = await reviews();
      expect(question?.question).toMatch(/^You sent .*"The Dozen".*"Curl Sessions".*anyway\?$/);
      expect((await jobNamed('02 - Second Wind.flac')).status).toBe('AWAITING_REVIEW');
      const answer = { selected_option: 'accept' };
      expect((await server.api('POST', `/v1/ingestion/review/${question?.job_id ?? ''}`, answer)).status).toBe(200);
      await expect.poll(async () => (await jobNamed('02 - Second Wind.flac')).status, POLL).toBe('COMPLETED');
      expect(await jobNamed('02 - Second Wind.flac')).toMatchObject({ matched_track_id: 'tr_2' });

      const whole = await song(1, 'First Light', 30);
      const broken = Uint8Array.from(whole);
      // The second half of the sound: its head and its length are as they should be.
      broken.fill(0x55, whole.length >> 1);
      const mp3 = await makeAudio({
        ...{ format: 'mp3', seconds: 30, seed: 1 },
        tags: { title: 'First Light', artist: 'The Testers', album: 'Curl Sessions', track: 1 },
      });
      await upload([
        { name: 'Curl Sessions/01 - First Light.flac', bytes: broken },
        { name: 'Curl Sessions/01 - First Light.mp3', bytes: mp3 },
      ]);
      await expect.poll(async () => (await jobNamed('01 - First Light.mp3')).matched_track_id, POLL).toBe('tr_1');
      await expect.poll(async () => (await jobNamed('01 - First Light.mp3')).status, POLL).toBe('COMPLETED');
      expect(await jobNamed('01 - First Light.flac')).toMatchObject({ status: 'FAILED', output_file_path: null });
      const audio = await server.raw('GET', '/v1/catalog/tracks/tr_1/audio');
      expect([audio.status, audio.headers.get('content-type')]).toEqual([200, 'audio/ogg']);
    },
    TIMEOUT,
  );
});

describe.concurrent('a headless worker and damaged archives', () => {
  test(
    'STAGE-125 a .tar.gz that is cut, damaged or made to expand, and a TAR in it that is none: each said once, and over at once',
    async ({ expect, onTestFinished }) => {
      const { work, upload, jobs } = await serverWithWorkers(onTestFinished);
      const tar = tarOf([{ name: '01.flac', data: await song(1, 'First Light', 2) }]);
      const expanding = new Uint8Array(7e7);
      expanding.set(tar.subarray(0, 1024));
      const whole = gzip(tar);
      const turned = (bytes: Uint8Array<ArrayBuffer>, at: number) =>
        bytes.map((byte, i) => (i === at ? byte ^ 1 : byte));
      const damaged = 'is damaged or cut off: its packed data or its checksum is wrong.';
      const faults: [name: string, bytes: Uint8Array<ArrayBuffer>, words: RegExp | string][] = [
        ['cut', whole.slice(0, whole.length >> 1), `"cut.tar" in "cut.tar.gz" ${damaged}`],
        ['bad', turned(whole, whole.length - 6), `"bad.tar" in "bad.tar.gz" ${damaged}`],
        ['bomb', gzip(expanding), /^"bomb.tar" in "bomb.tar.gz" expands/],
        ['odd', gzip(turned(tar, 3)), '"odd.tar" is damaged: a header has a wrong checksum.'],
      ];
      for (const [name, bytes] of faults) await upload([{ name: `${name}.tar.gz`, bytes }]);
      const worker = work(...NO_FFMPEG);
      const failed = async () => (await jobs()).filter((job) => job.status === 'FAILED');
      await expect.poll(async () => (await failed()).length, POLL).toBe(2 * faults.length);
      const said = new Map((await failed()).map((job) => [job.original_filename, job.error_message]));
      for (const [name, , words] of faults) {
        expect(said.get(`${name}.tar.gz`), name).toMatch(words);
        expect(said.get(`${name}.tar`), name).toMatch(words);
      }
      expect(worker.output.text).not.toContain('lease');
    },
    TIMEOUT,
  );
});

describe('the log of an album', () => {
  test(
    'JOB-41, SOCKET-1 what was searched for twelve files together is stored and told once, and is in the log of each',
    async ({ expect, onTestFinished }) => {
      const { server, work, upload, jobs, jobNamed, stepsOf } = await serverWithWorkers(onTestFinished);
      onTestFinished(hangUp);
      const files = TWELVE.map((title, at) => ({ name: `The Dozen/${title}.flac`, seconds: 6 + 4 * at, at, title }));
      const made = await Promise.all(
        files.map(async ({ name, seconds, at, title }) => {
          const tags = { title, artist: 'The Testers', album: 'The Dozen', track: at + 1 };
          return { name, data: await makeAudio({ format: 'flac', seconds, seed: 20 + at, tags }) };
        }),
      );
      const heard = await connectTo(server);
      await upload([{ name: 'dozen.zip', bytes: zipOf(made) }]);
      work();
      const tracks = async () => (await jobs()).filter((job) => job.original_filename !== 'dozen.zip');
      const isOver = (job: MirroredJob) => ['COMPLETED', 'FAILED', 'AWAITING_REVIEW'].includes(job.status);
      // The archive's own row goes with the last save.
      await expect.poll(async () => (await jobs()).filter(isOver).length, POLL).toBe(13);
      const all = await tracks();
      const logs = await Promise.all(all.map(({ id }) => stepsOf(id)));
      const searches = logs.map((log) => log.filter(({ content }) => /^search_catalog|candidates?$/.test(content)));
      const [first] = searches;
      expect(first?.length).toBeGreaterThanOrEqual(4);
      for (const log of searches)
        expect(log.map(({ content }) => content)).toEqual(first?.map(({ content }) => content));
      for (const log of logs) expect(log.map((step) => step.step_number)).toEqual(Array.from(log, (_, at) => at + 1));

      const shown = logs.flat().length;
      const { stored } = await server.store.db
        .selectFrom('ingestion_steps')
        .select((eb) => eb.fn.countAll().as('stored'))
        .executeTakeFirstOrThrow();
      const told = updates(heard).length;
      // Once for the group, and a row and a message in their place for each of the other eleven.
      const spared = 11 * ((first?.length ?? 0) - 1);
      const ofArchive = (await stepsOf((await jobNamed('dozen.zip')).id)).length;
      expect(Number(stored)).toBe(shown - spared + ofArchive);
      expect(shown).toBeGreaterThan(800);
      expect(Number(stored)).toBeLessThan(200);
      expect(told).toBeLessThan(200);
    },
    TIMEOUT,
  );
});

const TWELVE = [
  ...['Opening', 'Harbour', 'Nightjar', 'Copper', 'Windmill', 'Lantern'],
  ...['Saffron', 'Glacier', 'Orchard', 'Paper Moon', 'Quicksand', 'Farewell'],
];

const CATALOG: CatalogFile = {
  artists: [{ id: 'ar_t', name: 'The Testers' }],
  albums: [
    {
      id: 'al_c',
      title: 'Curl Sessions',
      artist_id: 'ar_t',
      artist: 'The Testers',
      year: 2020,
    },
    { id: 'al_d', title: 'The Dozen', artist_id: 'ar_t', artist: 'The Testers', year: 2021 },
  ],
  tracks: [
    track('tr_1', 1, 'First Light', 30_000),
    track('tr_2', 2, 'Second Wind', 41_000),
    track('tr_3', 3, 'Third Rail', 52_000),
    track('tr_4', 4, 'Mystery Hour', 200_000),
    ...TWELVE.map((title, at) => ({
      ...track(`tr_d${at + 1}`, at + 1, title, 6_000 + 4_000 * at),
      album_id: 'al_d',
    })),
  ],
};

function track(id: string, position: number, title: string, duration_ms: number) {
  return {
    id,
    album_id: 'al_c',
    artist_id: 'ar_t',
    artist: 'The Testers',
    disc: 1,
    position,
    title,
    duration_ms,
  };
}
