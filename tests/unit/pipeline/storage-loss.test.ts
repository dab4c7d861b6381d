import 'fake-indexeddb/auto';
import { describe, expect, test } from 'vitest';
import { freeStorage } from '#adapters/browser/blobs/storage.ts';
import { findStorageLoss } from '#adapters/browser/blobs/storage-loss.ts';
import { leaveStorageLoss, readStorageLoss } from '#adapters/browser/blobs/storage-loss-row.ts';
import type { BrowserBlobStore } from '#adapters/browser/blobs/blob-store.types.ts';
import type { Job, JobFields } from '#core/job/job.ts';
import { openDatabase } from '#lanes/database.ts';
import type { MusicTypes } from '#lanes/music/core/types.ts';
import { countingIds, makeBatch, makeJob, testClock } from '../../fixtures/job.ts';
import { musicStation } from '../../fixtures/music-station.ts';

const ids = countingIds();
const clock = testClock(1_700_000_000_000);

/** Each blob has ten bytes and is old. */
function blobsOf(...names: string[]) {
  const held = new Set(names);
  const blobs: BrowserBlobStore = {
    kind: 'memory',
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
      for (const sha256 of held) if (!referenced.has(sha256)) held.delete(sha256);
      return { files: 0, bytes: 0 };
    },
  };
  return { held, blobs };
}

const stored = (id: string, patch: Partial<JobFields<MusicTypes>> = {}): Job =>
  makeJob({ id, sha256: id, temp_file_path: `sha256/${id}`, original_filename: `${id}.flac`, ...patch });

async function opened(jobs: Job[], names: string[]) {
  const db = openDatabase(`test-${crypto.randomUUID()}`);
  await db.jobs.bulkPut(jobs);
  if (jobs.length > 0) await db.batches.put(makeBatch());
  const { held, blobs } = blobsOf(...names);
  return { db, held, blobs, clock, ids, store: musicStation(db, { clock, ids }).store() };
}

describe('JOB-50 stored files that the browser took away', () => {
  test('JOB-50 files in work are named and have failed with what to do; those that are here and those that are done are left', async () => {
    const here = stored('here');
    const gone = stored('gone');
    const done = stored('done', { status: 'COMPLETED', phase: 'published', sync: 'published' });
    const world = await opened([here, gone, done], ['here']);
    expect(await findStorageLoss(world)).toMatchObject({ files: 1, names: ['gone.flac'], strays: [] });
    expect(await world.db.jobs.get('here')).toMatchObject({ phase: 'queued' });
    expect(await world.db.jobs.get('gone')).toMatchObject({
      phase: 'failed',
      temp_file_path: null,
      failure: { code: 'blob_missing', remedy: expect.stringContaining('Drop the file again') as string },
    });
    expect(await world.db.jobs.get('done')).toMatchObject({ phase: 'published', temp_file_path: null });
    // The next start finds nothing more, and still says it.
    expect(await findStorageLoss(world)).toMatchObject({ files: 1 });
    await leaveStorageLoss(world.db);
    expect(await findStorageLoss(world)).toBeNull();
  });

  test('JOB-50 a result that was converted is still published though its original is gone', async () => {
    const waiting = stored('gone', {
      ...{ status: 'CONVERTING', phase: 'waiting', sync: 'waiting', output_sha256: 'out' },
      ...{ output_size: 10, output_duration_ms: 1000, matched_track_id: 't' },
    });
    const world = await opened([waiting], ['out']);
    await findStorageLoss(world);
    expect(await world.db.jobs.get('gone')).toMatchObject({ phase: 'waiting' });
  });

  test('JOB-50 nothing is said where nothing is gone', async () => {
    expect(await findStorageLoss(await opened([stored('here')], ['here']))).toBeNull();
    expect(await findStorageLoss(await opened([], []))).toBeNull();
  });
});

describe('JOB-51 rows that the browser took away', () => {
  test('JOB-51 stored files without rows are kept until the person lets them go', async () => {
    const world = await opened([], ['one', 'two']);
    expect(await findStorageLoss(world)).toMatchObject({
      files: 0,
      strays: [
        { sha256: 'one', size: 10 },
        { sha256: 'two', size: 10 },
      ],
    });
    await freeStorage(world);
    expect([...world.held]).toEqual(['one', 'two']);
    expect(await findStorageLoss(world)).toMatchObject({ strays: [{}, {}] });
    await leaveStorageLoss(world.db);
    await freeStorage(world);
    expect([...world.held]).toEqual([]);
    expect(await readStorageLoss(world.db)).toBeNull();
  });

  test('JOB-51 where there were rows before, a file without one is no loss: it is freed as ever', async () => {
    const world = await opened([], []);
    await findStorageLoss(world);
    world.held.add('left');
    expect(await findStorageLoss(world)).toBeNull();
  });
});

test('JOB-70 what was gone before and not read yet is still said, and its stored files are kept, when more is gone', async () => {
  const world = await opened([], ['stray']);
  await findStorageLoss(world);
  const { db, held } = world;
  await db.jobs.bulkPut([stored('first'), stored('second')]);
  await db.batches.put(makeBatch());
  held.add('second');
  expect(await findStorageLoss(world)).toMatchObject({
    files: 1,
    names: ['first.flac'],
    strays: [{ sha256: 'stray' }],
  });
  held.delete('second');
  expect(await findStorageLoss(world)).toMatchObject({
    ...{ files: 2, names: ['first.flac', 'second.flac'], strays: [{ sha256: 'stray' }] },
  });
  await freeStorage(world);
  expect([...held]).toEqual(['stray']);
});
