import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { freeStorage } from '#adapters/browser/blobs/storage.ts';
import { webLocks } from '#adapters/browser/stage/locks.ts';
import type { Job, JobFields } from '#core/job/job.ts';
import { openDatabase } from '#lanes/database.ts';
import type { MusicTypes } from '#lanes/music/core/types.ts';
import { countingIds, makeBatch, makeJob, testClock } from '../../fixtures/job.ts';
import { MemoryBlobStore } from '../../fixtures/memory-blobs.ts';
import { musicStation } from '../../fixtures/music-station.ts';

const DAY = 86_400_000;

async function published(...patches: Partial<JobFields<MusicTypes>>[]) {
  const clock = testClock(100 * DAY);
  const db = openDatabase(`test-${crypto.randomUUID()}`);
  const blobs = new MemoryBlobStore();
  const { sha256 } = await blobs.put(
    (async function* () {
      yield new Uint8Array(8);
    })(),
  );
  const row = { status: 'COMPLETED', phase: 'published', sync: 'published', completed_at: 1, sha256 } as const;
  const jobs: Job[] = patches.map((patch, at) => makeJob({ id: `j${at}`, ...row, ...patch }));
  await db.jobs.bulkPut(jobs);
  await db.batches.put(makeBatch());
  const ids = countingIds();
  const store = musicStation(db, { clock, ids }).store();
  return { db, free: () => freeStorage({ db, blobs, clock, ids, store }, true) };
}

test('STAGE-106 while files are being taken in nothing is freed, in any tab', async () => {
  const { free } = await published({});
  let end = (): void => undefined;
  const staging = webLocks(navigator.locks).run('b1', () => new Promise<void>((resolve) => (end = resolve)));
  await expect.poll(free).toBe(0);
  end();
  await staging;
  expect(await free()).toBe(8);
});

test('MEDIA-76 the file of an album image stays until all of its tracks are published', async () => {
  const track = (n: number): Partial<JobFields<MusicTypes>> => ({
    segment: { track: n, of: 2, start_ms: n * 1000, end_ms: null, file: 'image.flac', tags: {}, content: `c${n}` },
  });
  const { db, free } = await published(track(0), track(1));
  const [first] = await db.jobs.toArray();
  if (first === undefined) throw new Error('no job');
  await db.jobs.put(
    makeJob({ ...track(0), id: first.id, sha256: first.sha256, status: 'AWAITING_REVIEW', phase: 'review' }),
  );
  expect(await free()).toBe(0);
  await db.jobs.put(first);
  expect(await free()).toBe(8);
});
