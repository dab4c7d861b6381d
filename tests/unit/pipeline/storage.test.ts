import 'fake-indexeddb/auto';
import { describe, expect, test } from 'vitest';
import { createCollector, freeStorage as free, reportStorage } from '#adapters/browser/blobs/storage.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';
import type { BrowserBlobStore } from '#adapters/browser/blobs/blob-store.types.ts';
import { canUndo, type Job, type JobFields } from '#core/job/job.ts';
import { Retention } from '#core/job/retention.ts';
import type { Clock } from '#core/ports.ts';
import { undoJobs } from '#core/run/commands.ts';
import { openDatabase } from '#lanes/database.ts';
import type { MusicTypes } from '#lanes/music/core/types.ts';
import { countingIds, makeBatch, makeJob, testClock } from '../../fixtures/job.ts';
import { musicStation } from '../../fixtures/music-station.ts';

const DAY = 86_400_000;

/** Every blob is ten bytes and old enough to be collected. */
function blobsOf(...names: string[]): BrowserBlobStore & { names(): string[] } {
  const held = new Set(names);
  return {
    kind: 'memory',
    names: () => [...held].sort(),
    put: () => Promise.reject(new Error('nothing is stored here')),
    keep: () => Promise.reject(new Error('nothing is stored here')),
    size: async (sha256) => (held.has(sha256) ? 10 : null),
    read: async function* () {},
    file: async () => new Blob([]),
    delete: async (sha256) => void held.delete(sha256),
    list: async function* () {
      for (const sha256 of held) yield { sha256, size: 10 };
    },
    collectGarbage: async (referenced) => {
      const gone = [...held].filter((sha256) => !referenced.has(sha256));
      for (const sha256 of gone) held.delete(sha256);
      return { files: gone.length, bytes: 10 * gone.length };
    },
  };
}

const ids = countingIds();

const freeStorage = (db: AccessionDb, blobs: BrowserBlobStore, clock: Clock, early = false): Promise<number> =>
  free({ db, blobs, clock, ids, store: musicStation(db, { clock, ids }).store() }, early);

const published = (id: string, at: number, patch: Partial<JobFields<MusicTypes>> = {}): Job =>
  makeJob({ id, status: 'COMPLETED', phase: 'published', sync: 'published', completed_at: at, ...patch });

async function opened(...jobs: Job[]) {
  const db = openDatabase(`test-${crypto.randomUUID()}`);
  await db.jobs.bulkPut(jobs);
  await db.batches.put(makeBatch());
  return db;
}

describe('STAGE-60 originals stay until their commit and then for the days that were set', () => {
  test('STAGE-60 just published it stays, after seven days to the millisecond it goes, and its row says so', async () => {
    const clock = testClock(100 * DAY);
    const db = await opened(published('a', clock.now(), { output_sha256: 'out' }));
    const blobs = blobsOf('a');
    expect(await freeStorage(db, blobs, clock)).toBe(0);
    clock.advance(7 * DAY - 1);
    expect(await freeStorage(db, blobs, clock)).toBe(0);
    expect((await db.jobs.get('a'))?.temp_file_path).not.toBeNull();
    clock.advance(1);
    expect(await freeStorage(db, blobs, clock)).toBe(10);
    expect(blobs.names()).toEqual([]);
    expect((await db.jobs.get('a'))?.temp_file_path).toBeNull();
    expect((await reportStorage(db, blobs)).freed).toEqual([{ at: clock.now(), files: 1, bytes: 10, why: 'days' }]);
  });

  test('STAGE-60 no days at all: it goes with the next collection', async () => {
    const clock = testClock(100 * DAY);
    const db = await opened(published('a', clock.now()));
    await db.settings.put({ key: 'keep_originals_days', value: 0 });
    expect(await freeStorage(db, blobsOf('a'), clock)).toBe(10);
  });

  test('STAGE-61, JOB-81 nothing that is not published is freed, however old and whoever asks', async () => {
    const clock = testClock(1000 * DAY);
    const phases: Partial<JobFields<MusicTypes>>[] = [
      { status: 'PENDING', phase: 'queued' },
      {
        ...({ status: 'AWAITING_REVIEW', phase: 'review' } as const),
        cover_chosen: { sha256: 'chosen', mime: 'image/png', from: 'person', name: 'mine.png' },
      },
      { status: 'CONVERTING', phase: 'waiting', output_sha256: 'out', cover_sha256: 'cover' },
      { status: 'FAILED', phase: 'failed', completed_at: 1 },
      { status: 'FAILED', phase: 'cancelled', completed_at: 1 },
    ];
    const db = await opened(...phases.map((patch, at) => makeJob({ id: `j${at}`, ...patch })));
    const names = ['j0', 'j1', 'j2', 'j3', 'j4', 'out', 'cover', 'chosen'];
    const blobs = blobsOf(...names);
    expect(await freeStorage(db, blobs, clock, true)).toBe(0);
    expect(blobs.names()).toEqual([...names].sort());
    expect((await reportStorage(db, blobs)).next).toEqual([]);
  });

  test('STAGE-61, STAGE-105 content that another job needs stays, and has its days from the last of them', async () => {
    const clock = testClock(100 * DAY);
    const again = makeJob({ id: 'b', sha256: 'a', status: 'AWAITING_REVIEW', phase: 'review' });
    const db = await opened(published('a', 1), again);
    const blobs = blobsOf('a');
    expect(await freeStorage(db, blobs, clock, true)).toBe(0);
    expect((await db.jobs.get('a'))?.temp_file_path).not.toBeNull();
    await db.jobs.put(published('b', clock.now(), { sha256: 'a' }));
    clock.advance(7 * DAY - 1);
    expect(await freeStorage(db, blobs, clock)).toBe(0);
    expect((await reportStorage(db, blobs)).next).toMatchObject([{ sha256: 'a', frees_at: 107 * DAY }]);
    clock.advance(1);
    expect(await freeStorage(db, blobs, clock)).toBe(10);
  });

  test('STAGE-61 a replacement that is taken back needs its original again', async () => {
    const clock = testClock(100 * DAY);
    const evidence = { file_id: 'a', name: 'a.flac', path: 'a.flac', duration_ms: 1, tags: {} };
    const waiting = { status: 'CONVERTING', phase: 'waiting', completed_at: null, replace: true } as const;
    const db = await opened(makeJob({ id: 'a', ...waiting, evidence }), published('old', 1));
    const blobs = blobsOf('a', 'old');
    const { store, lane } = musicStation(db, { clock, ids });
    expect(await store().change((rows) => undoJobs(rows, { clock, ids, lane }, ['a']))).toBe(1);
    expect(await db.jobs.get('a')).toMatchObject({ status: 'AWAITING_REVIEW', replace: false });
    // What was published before goes, what is asked about again stays.
    expect(await freeStorage(db, blobs, clock, true)).toBe(10);
    expect(blobs.names()).toEqual(['a']);
  });

  test('STAGE-61, STAGE-105, STAGE-107 a duplicate stays while what it repeats is not published; once it is freed it is not taken back', async () => {
    const clock = testClock(100 * DAY);
    const duplicate = published('b', 1, { phase: 'duplicate', sync: null, duplicate_of: 'a' });
    const db = await opened(makeJob({ id: 'a', status: 'FAILED', phase: 'failed', completed_at: 1 }), duplicate);
    const blobs = blobsOf('a', 'b');
    expect(await freeStorage(db, blobs, clock, true)).toBe(0);
    await db.jobs.put(published('a', clock.now()));
    expect(await freeStorage(db, blobs, clock)).toBe(10);
    expect(blobs.names()).toEqual(['a']);
    const freed = await db.jobs.get('b');
    expect(freed && canUndo(freed)).toBe(false);
  });

  test('STAGE-62 what goes next is told in the order of its dates, and goes earlier when a person asks', async () => {
    const clock = testClock(100 * DAY);
    const db = await opened(published('late', 99 * DAY), published('soon', 95 * DAY), makeJob({ id: 'open' }));
    const blobs = blobsOf('late', 'soon', 'open', 'orphan');
    const report = await reportStorage(db, blobs);
    expect(report.next.map(({ name, size, frees_at }) => [name, size, frees_at / DAY])).toEqual([
      ['soon.flac', 10, 102],
      ['late.flac', 10, 106],
    ]);
    expect(report).toMatchObject({ originals: 10, freeable: 10, published: { files: 2, bytes: 20 }, freed: [] });
    expect(await freeStorage(db, blobs, clock, true)).toBe(30);
    expect(blobs.names()).toEqual(['open']);
    expect((await reportStorage(db, blobs)).freed).toEqual([{ at: clock.now(), files: 2, bytes: 20, why: 'asked' }]);
  });

  test('STAGE-61, STAGE-105 archives that still hold files and results on their way to the server stay', () => {
    const retention = new Retention();
    retention.batch({
      archives: [
        { path: 'a.zip', sha256: 'unfinished', done: false, entries: null },
        { path: 'b.zip', sha256: 'waiting', done: true, entries: 1, waiting: { password: 1, space: 0 } },
        { path: 'c.zip', sha256: 'over', done: true, entries: 1 },
      ],
      companions: [{ path: 'cover.jpg', kind: 'cover', outcome: '', sha256: 'cover', text: null }],
    });
    retention.outbox({ blob_sha256: 'sent' });
    retention.job(published('a', 5, { sha256: 'sent' }));
    expect(retention.plan(0)).toEqual({ needed: new Set(['unfinished', 'waiting', 'cover', 'sent']), dated: [] });
  });
});

describe('STAGE-63 when it is collected', () => {
  function collecting() {
    const clock = testClock(DAY);
    let armed: { run: () => void; at: number } | null = null;
    const runs: number[] = [];
    const collector = createCollector({
      free: async () => runs.push(clock.now()),
      clock,
      timers: {
        set: (run, ms) => (armed = { run, at: clock.now() + ms }),
        clear: () => (armed = null),
      },
      onError: (error) => {
        throw error;
      },
    });
    /** To where the timer rings; answers after how many seconds. */
    async function ring(): Promise<number> {
      if (armed === null) throw new Error('nothing is armed');
      const { run, at } = armed;
      const waited = at - clock.now();
      clock.advance(waited);
      armed = null;
      run();
      await new Promise((resolve) => setImmediate(resolve));
      return waited / 1000;
    }
    return { collector, ring, runs, clock };
  }

  test('STAGE-63 at the start, then once an hour', async () => {
    const { collector, ring, runs } = collecting();
    await collector.free();
    expect(await ring()).toBe(3600);
    expect(await ring()).toBe(3600);
    expect(runs).toHaveLength(3);
  });

  test('STAGE-63 after results were published, and not for each of them', async () => {
    const { collector, ring, runs, clock } = collecting();
    await collector.free();
    clock.advance(3_000_000);
    collector.published();
    clock.advance(10_000);
    collector.published();
    expect(await ring()).toBe(20);
    collector.published();
    collector.published();
    expect(await ring()).toBe(300);
    expect(await ring()).toBe(3600);
    expect(runs).toHaveLength(4);
  });
});
