/** What version 0.1 left in a browser is opened by this version, and goes on with the code of the app. */
import 'fake-indexeddb/auto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createStageService } from '#adapters/browser/stage/stage-service.ts';
import { localLocks } from '#adapters/browser/stage/locks.ts';
import { dexieJournalStore } from '#adapters/browser/plans/journal-store.ts';
import {
  readAgentState,
  readMirrorState,
  readReplicaState,
  readShowState,
  readSyncState,
} from '#adapters/browser/meta.ts';
import { readLog } from '#adapters/browser/step-rows.ts';
import { readSettings } from '#adapters/browser/settings.ts';
import { readUploadsState } from '#adapters/browser/uploads/state.ts';
import { randomIds, randomUuids } from '#core/ids.ts';
import { archiveLimits } from '#core/ingest/limits.ts';
import { JOB_PHASES } from '#core/job/phases.ts';
import { parseJob } from '#core/job/stored-job.ts';
import { workflowOf } from '#core/run/agent.ts';
import { laneIngesters } from '#lanes/browser-lanes.ts';
import { openDatabase } from '#lanes/database.ts';
import { createVideoService } from '#lanes/video/browser/video-service.ts';
import { fakeFolder } from '../fixtures/fake-folder.ts';
import { choosing } from '../fixtures/model-brain.ts';
import { startModelServer } from '../fixtures/model-server.ts';
import { oldDatabase, putOldDatabase } from '../fixtures/old-version.ts';
import { oldServer } from '../fixtures/old-server.ts';
import { openOldStation, valueOf, type OldStation } from '../fixtures/old-station.ts';

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const TIMEOUT = 300_000;
const POLL = { timeout: TIMEOUT, interval: 100 };
const clock = { now: () => Date.now() };
const MOMENTS = ['browser', 'browser-matching'] as const;

async function opened(moment: (typeof MOMENTS)[number]) {
  const old = await oldDatabase(moment);
  const name = `old-${crypto.randomUUID()}`;
  await putOldDatabase({ ...old, name });
  const db = openDatabase(name);
  ends.push(() => db.delete());
  return { db, old };
}

/** A server, a model and the workstation that the old one was killed at. */
async function killed(moment: (typeof MOMENTS)[number]) {
  const server = await oldServer();
  const model = await startModelServer({
    ...{ models: ['llama3.1:8b'], capabilities: ['completion'] },
    reply: choosing('High Tide', 'The lengths fit.'),
  });
  const station = await openOldStation(moment, server, model.url);
  const end = async (): Promise<void> => {
    await model.close();
    await server.end();
  };
  return { server, model, station, end };
}

test.each(MOMENTS)('every job of %s is a job here, as it was stored; so is every other row', async (moment) => {
  const { db, old } = await opened(moment);
  expect(await db.open().then(({ verno }) => verno * 10)).toBeGreaterThanOrEqual(old.version);
  for (const row of old.tables['jobs']?.rows ?? []) expect(parseJob(structuredClone(row))).toEqual(row);
  expect(await db.jobs.toArray()).toEqual(old.tables['jobs']?.rows);
  for (const { name } of db.tables)
    // A table of a later version begins empty.
    expect([name, await db.table(name).count()]).toEqual([name, old.tables[name]?.rows.length ?? 0]);
  expect(Object.keys(old.tables).filter((name) => !db.tables.some((table) => table.name === name))).toEqual([]);

  const meta = new Map(old.tables['meta']?.rows.map(({ key, value }) => [key, value]));
  expect(await readReplicaState(db)).toEqual(meta.get('replica'));
  expect(await readShowState(db)).toEqual(meta.get('shows'));
  expect(await readSyncState(db)).toEqual(meta.get('sync'));
  expect(await readMirrorState(db)).toEqual({ ...(meta.get('mirror') as object), mark: null });
  if (meta.has('agent')) expect(await readAgentState(db)).toEqual(meta.get('agent'));
  if (meta.has('uploads')) expect(await readUploadsState(db)).toEqual(meta.get('uploads'));
  const settings = Object.fromEntries((old.tables['settings']?.rows ?? []).map(({ key, value }) => [key, value]));
  expect(await readSettings(db)).toMatchObject(settings);
});

/** Rests until somebody answers, or for good. */
const RESTING = new Set(['review', 'published', 'duplicate', 'failed', 'cancelled']);
const moving = async ({ jobs }: OldStation): Promise<string[]> =>
  (await jobs()).filter((job) => !RESTING.has(job.phase) && job.paused !== true).map(({ path }) => path);

describe('a workstation that was killed in the middle of everything', () => {
  let world: Awaited<ReturnType<typeof killed>>;
  beforeAll(async () => {
    world = await killed('browser');
  }, TIMEOUT);
  afterAll(() => world.end());

  test(
    'what was left in each phase goes on by itself, and nothing is done twice',
    async () => {
      const { server, model, station } = world;
      const { db, service, phases, job } = station;
      const old = await oldDatabase('browser');
      const before = new Set(old.tables['jobs']?.rows.map(({ phase }) => phase));
      expect(JOB_PHASES.filter((phase) => !before.has(phase))).toEqual(['searching']);
      const asked = workflowOf(await job('Asked tides/track01.flac'));

      valueOf(await service.start());
      // What is being read in waits for whoever reads it in.
      await expect.poll(() => moving(station), POLL).toEqual(['box/box/1.flac', 'box/box/2.flac']);
      // As the old version ends it.
      expect(await phases('0')).toEqual([
        ...[
          'published lamps-1',
          'published lamps-2',
          'failed lamps-9',
          `duplicate ${(await job('03 - Glass (2).FLAC')).id}`,
          'published lamps-4',
        ],
        ...['published lamps-5', 'published lamps-6', 'published lamps-3', 'review ', 'published lamps-7'],
        'approved lamps-8',
      ]);
      expect(await phases('loose/')).toEqual(['published lamps-10']);
      expect(await phases('Again/')).toEqual([`duplicate ${(await job('01 - Wick.flac')).id}`]);
      expect(await phases('Troubles/')).toEqual(['failed file_damaged']);
      expect(await phases('locked/')).toEqual(['failed archive_encrypted']);
      expect(await phases('Left out/')).toEqual(['failed rejected']);
      expect(await phases('Cancelled/')).toEqual(['cancelled cancelled']);
      expect(await phases('Short Line/')).toEqual(['published short-1', 'published short-2']);
      for (const path of [
        'Two tides/',
        'Unheard/',
        'better wick',
        'Riddle/',
        'Advised',
        'Answered',
        'Asked',
        'Read in/',
      ])
        expect([path, new Set(await phases(path))]).toEqual([path, new Set(['review '])]);
      expect(await db.outbox.count()).toBe(0);

      // The model's answer of before counts, and the calls that it had ended are not made again.
      const batch = await station.batchOf('Answered tides');
      const answered = (await station.openReviews()).find(({ batch_id }) => batch_id === batch);
      expect(answered?.advice).toMatchObject({ option_id: 'album:al-high', why: 'The lengths fit.', failed: null });
      expect(model.requests.some(({ messages }) => JSON.stringify(messages).includes('Answered tides'))).toBe(false);
      const goneOn = workflowOf(await job('Asked tides/track01.flac'));
      expect([goneOn?.id, goneOn?.model]).toEqual([asked?.id, 'ollama/llama3.1:8b']);
      expect(goneOn?.journal.slice(0, asked?.journal.length)).toEqual(asked?.journal);
      expect(goneOn?.journal.length).toBeGreaterThan(asked?.journal.length ?? Infinity);

      // Each result is in the catalog once, also the one whose commit had been accepted without the tab's knowing.
      for (const { id, phase, matched_track_id } of await station.jobs()) {
        const steps = await readLog(db, id);
        expect(steps.map(({ step_number }) => step_number)).toEqual(steps.map((_, at) => at + 1));
        const publishes = steps.filter(({ metadata }) => metadata['action'] === 'Publish');
        expect([id, publishes.length]).toEqual([id, phase === 'published' ? 1 : 0]);
        if (phase !== 'published') continue;
        const audio = await server.raw('GET', `/v1/catalog/tracks/${matched_track_id ?? ''}/audio`);
        expect(Buffer.from(await audio.arrayBuffer()).toString('latin1', 0, 4)).toBe('OggS');
      }
      expect(await server.store.db.selectFrom('former_media').selectAll().execute()).toEqual([]);
      // What was there is there as it was: questions that stand, answers, logs, what was learned.
      for (const name of ['steps', 'memory', 'video_folders', 'rename_journals', 'plans', 'remote_reviews'])
        for (const row of old.tables[name]?.rows ?? [])
          expect(await db.table(name).get(String(row['id'] ?? row['sha256']))).toMatchObject(withoutHandle(row));
      for (const row of old.tables['reviews']?.rows ?? [])
        expect(await db.reviews.get(String(row['id']))).toMatchObject({
          question: row['question'],
          files: row['files'],
        });
    },
    TIMEOUT,
  );

  test(
    'a person goes on where they were: questions of before are answered, decisions taken back, failures tried again',
    async () => {
      const { station } = world;
      const { db, service, phases, job, answer } = station;

      const stage = createStageService({
        ...{ db, blobs: station.blobs, clock, ids: randomIds, registry: await laneIngesters(), locks: localLocks() },
        limits: async () => archiveLimits(await readSettings(db)),
        ...{ freeBytes: () => Promise.resolve(null), notify: () => void service.poke() },
        example: () => Promise.reject(new Error('not asked for')),
      });
      await stage.resume();
      expect(valueOf(await stage.reopen(await station.batchOf('Troubles'), 'locked.zip', 'open sesame'))).toEqual({
        ...{ taken: 1, waiting: 0 },
      });

      await answer('Bolt', { kind: 'option', option_id: 'track:spare-1' });
      await answer('Two tides', { kind: 'option', option_id: 'album:al-low' });
      await answer('Unheard', { kind: 'none' });
      await answer('Better wick', { kind: 'option', option_id: 'replace' });
      await answer('Riddle', { kind: 'track', track_id: 'north-8' });
      await answer('Advised tides', { kind: 'none' });
      await answer('Answered tides', { kind: 'option', option_id: 'album:al-high' });
      const ids = async (...paths: string[]) => Promise.all(paths.map(async (path) => (await job(path)).id));
      expect(valueOf(await service.undo(await ids('Left out/nothing like it.flac')))).toEqual({ undone: 1 });
      expect(valueOf(await service.retry(await ids('Cancelled/not wanted.flac', '09 - Oil.flac')))).toEqual({
        retried: 2,
      });
      expect(valueOf(await service.pause(await ids('08 - Morning.flac'), false))).toEqual({ changed: 1 });
      await expect.poll(() => moving(station), POLL).toEqual([]);

      expect(await phases('01 - Bolt')).toEqual(['published spare-1']);
      expect(await phases('Two tides/')).toEqual(['published low-1', 'published low-2', 'published low-3']);
      expect(await phases('Unheard/')).toEqual(['failed rejected']);
      expect(await phases('better wick')).toEqual(['published lamps-1']);
      expect(await phases('Riddle/')).toEqual(['published north-8']);
      expect(await phases('Answered')).toEqual(['published high-1', 'published high-2', 'published high-3']);
      expect(await phases('09 - Oil')).toEqual(['published lamps-9']);
      expect(await phases('08 - Morning')).toEqual(['published lamps-8']);
      for (const path of ['Advised', 'Asked', 'Left out/', 'Cancelled/', 'locked/', 'box/'])
        expect([path, new Set(await phases(path))]).toEqual([path, new Set(['review '])]);
      expect(await phases('box/')).toHaveLength(3);
      expect(await db.batches.where('state').equals('staging').count()).toBe(0);
      const byPerson = (await station.jobs()).filter((one) => one.match_source === 'HUMAN_REVIEW').length;
      expect(byPerson).toBe(10);
      expect(await job('better wick.flac')).toMatchObject({ replace: true, hold: false });
      expect(await db.memory.count()).toBeGreaterThan(5);
    },
    TIMEOUT,
  );
});

test(
  'what was killed while it matched is matched; a result that came as a file is published',
  async () => {
    const { server, station, end } = await killed('browser-matching');
    ends.push(end);
    const { service, phases, db } = station;
    expect((await station.jobs()).map(({ phase }) => phase)).toEqual(['searching', 'searching', 'waiting']);
    expect(await db.files.count()).toBe(1);
    valueOf(await service.start());
    await expect.poll(() => moving(station), POLL).toEqual([]);
    expect(await phases('0')).toEqual(['published match-1', 'published match-2', 'published lamps-6']);
    expect(await db.outbox.count()).toBe(0);
    // The index that was stored is of an earlier format: built anew (SYNC-82), and of so few tracks none is stored.
    expect(await db.files.count()).toBe(0);
    const { body } = await server.api('GET', '/v1/catalog/tracks/lamps-6');
    expect(body).toMatchObject({ availability: 'available' });
  },
  TIMEOUT,
);

test('a rename that was cut off is taken back, as is one that was done; plans are known', async () => {
  const { db } = await opened('browser');
  const folders = new Map([
    ['Watch', fakeFolder({ 'Harbour Watch - S01E01.mkv': '1', 'Harbour Watch - S01E02.mkv': '2' })],
    ['Cut', fakeFolder({ 'Harbour Watch - S01E01.mkv': '1', 'harbour.watch.s01e02.mkv': '2' })],
  ]);
  // No database outside of a browser keeps the right to a folder.
  db.video_folders.hook('reading', (row) => ({ ...row, handle: folders.get(row.name)?.handle ?? row.handle }));
  const video = createVideoService({
    ...{ db, clock, ids: randomUuids, platform: 'Linux x86_64', journal: dexieJournalStore(db, navigator.locks) },
    models: () => Promise.reject(new Error('no model is asked here')),
    timers: { set: () => null, clear: () => undefined },
  });
  const recovered = valueOf(await video.recover(false));
  expect(recovered).toMatchObject([{ folder: 'Cut', recoveries: [{ result: 'rolled-back' }] }]);
  const names = (folder: string) => Object.keys(folders.get(folder)?.contents() ?? {}).sort();
  expect(names('Cut')).toEqual(['harbour.watch.s01e01.mkv', 'harbour.watch.s01e02.mkv']);
  const plans = await db.plans.toArray();
  const rename = plans.find(({ plan }) => plan.task === 'rename-files' && plan.mediaFolderPath === '/Watch');
  expect(rename?.plan.status).toBe('completed');
  valueOf(await video.undo(rename?.id ?? '', () => undefined));
  expect(names('Watch')).toEqual(['harbour.watch.s01e01.mkv', 'harbour.watch.s01e02.mkv']);
  const statuses = plans.map(({ plan }) => `${plan.task} ${plan.mediaFolderPath} ${plan.status}`).sort();
  expect(statuses).toEqual([
    'recognize-media-file /Cut rejected',
    'recognize-media-file /Waiting pending',
    'recognize-media-file /Watch rejected',
    'rename-files /Cut rejected',
    'rename-files /Watch completed',
  ]);
});

function withoutHandle({ handle: _handle, ...row }: Record<string, unknown>): Record<string, unknown> {
  return row;
}
