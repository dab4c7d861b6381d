import { expect, test } from 'vitest';
import { createMirror } from '#adapters/browser/sync/mirror.ts';
import { ok } from '#core/result.ts';
import { jobOf, refusal, syncWorld } from './sync-world.ts';

test('SYNC-29 a commit that the server refuses because somebody cancelled the job is not tried again', async () => {
  const world = syncWorld();
  await world.enqueue('a');
  let tries = 0;
  world.server.onCommit = () => {
    tries += 1;
    return Promise.resolve(refusal('cancelled'));
  };
  const { runner } = await world.open();
  await world.live(runner, 10_000);
  expect([tries, await world.db.outbox.count()]).toEqual([1, 0]);
  await runner.stop();
});

test('SYNC-29 the mirror asks about unfinished jobs, and a job that was cancelled elsewhere is said', async () => {
  const world = syncWorld();
  await world.enqueue('a');
  world.server.onCommit = () => new Promise(() => undefined);
  const said: string[] = [];
  const mirror = createMirror({
    ...{ db: world.db, clock: world.time, onRemoteAnswer: () => undefined },
    client: { mirror: async (body) => ok({ resolved_reviews: [], cancelled_jobs: body.jobs.map(({ id }) => id) }) },
    onRemoteCancel: (ids) => void said.push(...ids),
  });
  await mirror.push(true);
  expect(new Set(said)).toEqual(new Set([(await jobOf(world.db, 'a')).id]));
});

test('SYNC-69 a page that ends before it has taken over what was cancelled reports the job again, also an ended one', async () => {
  const world = syncWorld();
  await world.enqueue('a');
  // A row of this very millisecond goes with the next report.
  world.time.pass(1);
  const said: string[][] = [];
  const mirrorOf = (onRemoteCancel: (ids: string[]) => void) =>
    createMirror({
      ...{ db: world.db, clock: world.time, onRemoteAnswer: () => undefined, onRemoteCancel },
      client: { mirror: async (body) => ok({ resolved_reviews: [], cancelled_jobs: body.jobs.map(({ id }) => id) }) },
    });
  const gone = mirrorOf(() => {
    throw new Error('the page was closed');
  });
  await expect(gone.push(false)).rejects.toThrow('the page was closed');
  await mirrorOf((ids) => void said.push(ids)).push(false);
  await mirrorOf((ids) => void said.push(ids)).push(false);
  expect(said).toEqual([[(await jobOf(world.db, 'a')).id]]);
});

test('FAULT-9 a job whose commit was refused because somebody had cancelled it ends as cancelled, not as a failure', async () => {
  const world = syncWorld();
  const { db } = world;
  await world.enqueue('a');
  world.server.onCommit = () => Promise.resolve(refusal('cancelled'));
  const { runner } = await world.open();
  await world.live(runner, 1000);
  expect(await jobOf(db, 'a')).toMatchObject({ status: 'FAILED', phase: 'cancelled', error_message: 'cancelled' });
  expect(await db.outbox.count()).toBe(0);
  await runner.stop();
});
