import { expect, test } from 'vitest';
import { createRemoteJobs } from '#adapters/browser/sync/remote-jobs.ts';
import { ok } from '#core/result.ts';
import type { IngestionUpdate, MirroredJob } from '#core/sync/protocol.ts';
import { job, review, step, type MirroredReview } from '../../fixtures/mirrored.ts';
import { makeJob } from '../../fixtures/job.ts';
import { openDb } from './world.ts';

function setUp() {
  const db = openDb();
  const there = { jobs: [] as MirroredJob[], reviews: [] as MirroredReview[], meanwhile: () => Promise.resolve() };
  const remoteJobs = createRemoteJobs({
    db,
    client: {
      jobs: async () => ok({ items: there.jobs, next_cursor: null }),
      reviews: async () => {
        const items = there.reviews;
        await there.meanwhile();
        return ok({ items, next_cursor: null });
      },
    },
  });
  return { db, there, remoteJobs };
}

const update = (job_id: string, rest: Partial<IngestionUpdate> = {}): IngestionUpdate => ({
  ...{ type: 'IngestionUpdate', job_id, status: 'PROCESSING', latest_step: null, needs_review: false },
  ...rest,
});

test('SYNC-32 jobs and questions that are not this browser’s are kept beside its own', async () => {
  const { db, there, remoteJobs } = setUp();
  await db.jobs.put(makeJob({ id: 'mine' }));
  there.jobs = [job('mine'), job('theirs', { status: 'AWAITING_REVIEW' })];
  there.reviews = [review('r-mine', ['mine']), review('r-theirs', ['theirs'])];
  await remoteJobs.pull();
  expect(await db.remote_jobs.toArray()).toMatchObject([{ id: 'theirs', needs_review: true }]);
  expect((await db.remote_reviews.toArray()).map(({ id }) => id)).toEqual(['r-theirs']);
  Object.assign(there, { jobs: [], reviews: [] });
  await remoteJobs.pull();
  expect([await db.remote_jobs.count(), await db.remote_reviews.count()]).toEqual([0, 0]);
});

test('SYNC-32 the socket’s word is taken in, and what it does not say is read', async () => {
  const { db, there, remoteJobs } = setUp();
  await db.jobs.put(makeJob({ id: 'mine' }));
  there.jobs = [job('theirs')];
  there.reviews = [review('r', ['theirs'])];
  await remoteJobs.pull();
  expect(await remoteJobs.hear(update('mine'))).toBe(false);
  expect(await remoteJobs.hear(update('never-seen'))).toBe(true);
  const { step: latest_step } = step('theirs', 7);
  expect(await remoteJobs.hear(update('theirs', { latest_step, needs_review: true }))).toBe(false);
  expect(await db.remote_jobs.get('theirs')).toMatchObject({ step_number: 7 });
  expect(await remoteJobs.hear(update('theirs'))).toBe(false);
  expect(await db.remote_reviews.count()).toBe(0);
  expect(await remoteJobs.hear(update('theirs', { status: 'AWAITING_REVIEW', needs_review: true }))).toBe(true);
  expect(await remoteJobs.hear(update('theirs', { status: 'COMPLETED' }))).toBe(true);
});

test('SYNC-92 what the socket says while the lists are on their way is not undone by them', async () => {
  const { db, there, remoteJobs } = setUp();
  there.jobs = [job('theirs', { status: 'AWAITING_REVIEW' }), job('other', { status: 'PENDING' })];
  there.reviews = [review('r', ['theirs'])];
  await remoteJobs.pull();
  // Answered elsewhere, and begun, after the server made its lists.
  there.meanwhile = async () => {
    await remoteJobs.hear(update('theirs'));
    await remoteJobs.hear(update('other'));
  };
  await remoteJobs.pull();
  expect(await db.remote_jobs.get('theirs')).toMatchObject({ status: 'PROCESSING', needs_review: false });
  expect(await db.remote_jobs.get('other')).toMatchObject({ status: 'PROCESSING' });
  expect(await db.remote_reviews.count()).toBe(0);
  // The next lists are newer than all of it.
  there.meanwhile = () => Promise.resolve();
  await remoteJobs.pull();
  expect(await db.remote_jobs.get('theirs')).toMatchObject({ status: 'AWAITING_REVIEW', needs_review: true });
});
