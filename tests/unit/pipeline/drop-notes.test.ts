import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { noteDrop } from '#adapters/browser/drop-notes.ts';
import { findLostDrops, leaveLostDrops } from '#adapters/browser/lost-drops.ts';
import { openDatabase } from '#lanes/database.ts';
import { makeBatch, makeJob } from '../../fixtures/job.ts';

/** The browser's locks as far as they matter: who holds what. */
function fakeLocks() {
  const held = new Set<string>();
  const request = async (name: string, work: () => Promise<void>): Promise<void> => {
    held.add(name);
    await work();
    held.delete(name);
  };
  const query = async () => ({ held: [...held].map((name) => ({ name })), pending: [] });
  return { held, locks: { request, query } as unknown as LockManager };
}

const AT = 1_700_000_000_000;

async function opened() {
  const db = openDatabase(`test-${crypto.randomUUID()}`);
  await db.open();
  const { held, locks } = fakeLocks();
  return {
    ...{ db, held, locks },
    /** Notes a drop and waits until it is written. */
    async drop(id: string, paths: string[]) {
      const { forget } = noteDrop(db, { id, at: AT, paths }, locks);
      await expect.poll(() => db.meta.get(`drop:${id}`)).toBeDefined();
      return forget;
    },
  };
}

test('JOB-52 what was dropped and is no row is named, what is one is not, and both are forgotten when it was read', async () => {
  const { db, held, locks, drop } = await opened();
  await drop('a', ['A/1.flac', 'A/2.flac', 'music.zip', 'cover.jpg']);
  // The browser is killed: nobody holds anything.
  held.clear();
  await db.batches.put(
    makeBatch({ id: 'b', created_at: AT + 5, companions: [{ path: 'cover.jpg', size: 1 } as never] }),
  );
  await db.jobs.put(makeJob({ id: 'j', batch_id: 'b', path: 'A/1.flac' }));
  expect(await findLostDrops(db, locks)).toEqual({ names: ['A/2.flac', 'music.zip'], files: 2 });
  await leaveLostDrops(db, locks);
  expect(await findLostDrops(db, locks)).toBeNull();
});

test('JOB-52 nothing is said of what is all here, of what a page takes in now, and of a drop that was taken in', async () => {
  const { db, held, locks, drop } = await opened();
  const forget = await drop('a', ['1.flac']);
  expect(await findLostDrops(db, locks)).toBeNull();
  await leaveLostDrops(db, locks);
  expect(await db.meta.get('drop:a')).toBeDefined();
  await forget();
  expect([await db.meta.get('drop:a'), held.size]).toEqual([undefined, 0]);
  await drop('b', ['2.flac']);
  held.clear();
  await db.batches.put(makeBatch({ id: 'b', created_at: AT }));
  await db.jobs.put(makeJob({ id: 'j', batch_id: 'b', path: '2.flac' }));
  expect(await findLostDrops(db, locks)).toBeNull();
  expect(await db.meta.get('drop:b')).toBeUndefined();
});

test('JOB-52 of ten thousand files so many are named as help, and all are counted', async () => {
  const { db, held, locks, drop } = await opened();
  await drop(
    'a',
    Array.from({ length: 10_000 }, (_, at) => `${at}.flac`),
  );
  held.clear();
  const lost = await findLostDrops(db, locks);
  expect([lost?.names.length, lost?.files]).toEqual([200, 10_000]);
});
