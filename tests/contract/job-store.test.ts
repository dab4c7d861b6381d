import Dexie from 'dexie';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { describe, expect, test } from 'vitest';
import { DexieJobStore, nextEpoch } from '#adapters/browser/job-store.ts';
import { MemoryJobStore } from '#adapters/memory/job-store.ts';
import { LeasedJobStore } from '#adapters/work/leased-store.ts';
import { addJob, applyEvent } from '#core/job/apply.ts';
import type { JobStore } from '#core/run/job-store.ts';
import { prepareOutboxItems } from '#core/sync/outbox-item.ts';
import type { Claim } from '#core/sync/work-protocol.ts';
import { openDatabase } from '#lanes/database.ts';
import { musicRows } from '#lanes/music/browser/music-rows.ts';
import { MemoryMusicRows } from '#lanes/music/core/learning/memory-rows.ts';
import type { MusicTypes } from '#lanes/music/core/types.ts';
import { countingIds, makeBatch, testClock } from '../fixtures/job.ts';
import { jobIn, jobStoreContract, question, waiting } from './job-store.ts';

Dexie.dependencies.indexedDB = new IDBFactory();
Dexie.dependencies.IDBKeyRange = IDBKeyRange;
let databases = 0;

/** All jobs of these stores are music's. */
const ofMusic = (store: unknown): JobStore<MusicTypes> => store as JobStore<MusicTypes>;

const CLAIM: Claim = {
  ...{ lease_id: 'lease', lease_ms: 60_000, files: [], jobs: [], document: null, revision: 0, held: [] },
  batch: {
    ...{ id: 'b1', user_id: 'ann', user_name: 'Ann', label: 'Album' },
    ...{ context_type: 'spontaneous', context_id: null, created_at: 0 },
  },
  news: { cancelled: [], published: [], answers: [] },
};

function leased(document: string | null = null): LeasedJobStore {
  return new LeasedJobStore(
    { ...CLAIM, document },
    { music: new MemoryMusicRows({ read: async () => [] }) },
    testClock(),
  );
}

function dexie() {
  const db = openDatabase(`job-store-${++databases}`);
  const { tables, rows } = musicRows(db);
  const store = (epoch: number | null) => ofMusic(new DexieJobStore(db, { tables, rows: { music: rows } }, epoch));
  return { db, store };
}

jobStoreContract('memory', async () => ({
  store: new MemoryJobStore<MusicTypes>({ music: new MemoryMusicRows() }),
}));
jobStoreContract('IndexedDB', async () => {
  const { db, store } = dexie();
  return { store: store(null), close: () => db.delete() };
});
jobStoreContract('IndexedDB, held by an epoch', async () => {
  const { db, store } = dexie();
  return { store: store(await nextEpoch(db)), close: () => db.delete() };
});
jobStoreContract('an upload under a lease', async () => ({ store: ofMusic(leased()) }));

describe('JOB-8 whoever has lost the work writes nothing more', () => {
  const write = (store: JobStore<MusicTypes>): Promise<unknown> =>
    store.change((rows) =>
      addJob(rows, { clock: testClock(), ids: countingIds() }, jobIn('queued', { id: 'late' }), []),
    );

  test('IndexedDB: the next holder has another epoch; commands of any tab have none', async () => {
    const { db, store } = dexie();
    const first = store(await nextEpoch(db));
    const second = store(await nextEpoch(db));
    await expect(write(first)).rejects.toMatchObject({ failure: { code: 'conflict' } });
    expect(await first.job('late')).toBeUndefined();
    await write(second);
    expect((await first.job('late'))?.phase).toBe('queued');
    await store(null).change((rows) => rows.deleteJobs(['late']));
    expect(await second.job('late')).toBeUndefined();
    await db.delete();
  });

  test('a lease that is over: another worker goes on', async () => {
    const store = leased();
    store.end();
    await expect(write(ofMusic(store))).rejects.toMatchObject({ failure: { code: 'conflict' } });
    expect(await store.job('late')).toBeUndefined();
  });
});

describe('an upload under a lease', () => {
  test('what is kept was saved before: kept waits for the save and fails with it', async () => {
    const store = leased();
    let saves = 0;
    store.save = async () => {
      saves += 1;
      throw new Error('the lease is over');
    };
    await expect(store.kept()).rejects.toThrow('the lease is over');
    expect(saves).toBe(1);
  });

  test('the next worker goes on with the rows of the document, and the log with its numbers', async () => {
    await prepareOutboxItems();
    const to = { clock: testClock(), ids: countingIds() };
    const first = leased();
    await first.change(async (rows) => {
      await rows.putBatch(makeBatch({ state: 'staged', revision: 2 }));
      await addJob(rows, to, jobIn('searching', { id: 'a' }), [{ step_type: 'Context', content: 'uploaded' }]);
      await addJob(rows, to, jobIn('waiting', { id: 'b' }), []);
      await rows.putReview(question('r1', ['a']));
      await rows.putOutboxItem(waiting('k1', 'b', 3, { commit_sent: true, uploaded_bytes: 5 }));
    });
    const { document, jobs, steps, reviews } = first.unsaved();
    expect([jobs.length, steps.length, reviews.length]).toEqual([2, 1, 1]);
    const next = leased(document);
    for (const id of ['a', 'b']) expect(await next.job(id)).toEqual(await first.job(id));
    expect(await next.review('r1')).toEqual(question('r1', ['a']));
    // Its files are to be taken in again, and a commit that was accepted would be in the claim's news.
    expect(await next.batch('b1')).toEqual(makeBatch({ state: 'staging', revision: 2 }));
    expect(await next.outbox()).toEqual([waiting('k1', 'b', 3, { commit_sent: false, uploaded_bytes: 0 })]);
    await next.change((rows) => applyEvent(rows, to, 'a', { type: 'rejected', why: 'it is none' }));
    expect((await next.steps('a')).map((step) => step.step_number)).toEqual([2]);
  });
});
