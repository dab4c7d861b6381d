import { expect, test } from 'vitest';
import { forgetSaidLost, leaveLost, lostResults, noteLost, noteSaidLost } from '#lanes/music/browser/lost-results.ts';
import { readReplicaState } from '#adapters/browser/meta.ts';
import { musicApi, syncedReplica } from '#lanes/music/browser/open-music.ts';
import { publishAgain as publishJobsAgain } from '#core/run/commands.ts';
import { ok } from '#core/result.ts';
import type { JobStore } from '#core/run/job-store.ts';
import type { MusicTypes } from '#lanes/music/core/types.ts';
import { jobOf, refusal, syncWorld } from './sync-world.ts';

const track = (id: string, availability: 'available' | 'missing') => ({
  ...{
    id,
    album_id: 'al',
    title: id,
    artist_id: 'ar',
    artist: 'A',
    disc: 1,
    position: 1,
    duration_ms: 1,
    availability,
  },
});

/** As a person presses it. */
function publishAgain({ db, time, ids, store }: ReturnType<typeof syncWorld>) {
  const search = () => Promise.reject(new Error('nothing is searched here'));
  const blobs = { put: () => Promise.reject(new Error('no picture is kept here')) };
  return musicApi({ db, clock: time, ids, wake: () => undefined, blobs }, store as JobStore<MusicTypes>, {
    search,
  }).publishAgain();
}

test('SYNC-28, SYNC-48, FAULT-17 what a server put back to an older state has lost is named, and published again when a person says so', async () => {
  const world = syncWorld();
  const { db, server } = world;
  for (const key of ['a', 'b', 'c']) await world.enqueue(key);
  const { runner } = await world.open();
  await world.live(runner, 3000);
  await db.tracks.bulkPut([track('t-a', 'available'), track('t-b', 'available'), track('t-c', 'available')]);
  for (const key of ['a', 'b', 'c'])
    await db.jobs.update(`j-${key}`, {
      matched_track_id: `t-${key}`,
      temp_file_path: key === 'c' ? null : `sha256/${key}`,
    });
  expect(await lostResults(db)).toBeNull();

  // The cursor is ahead of the server's; the new copy is read, and cut off once on the way.
  let asked = 0;
  server.onChanges = () => {
    asked += 1;
    if (asked === 1) return Promise.resolve(ok({ kind: 'start_over' }));
    if (asked === 2) return Promise.resolve(refusal('offline'));
    return null;
  };
  await runner.syncNow();
  await runner.idle();
  await db.tracks.bulkPut([track('t-a', 'available'), track('t-b', 'missing'), track('t-c', 'missing')]);
  await world.live(runner, 20_000);
  expect(await lostResults(db)).toMatchObject({ here: ['j-b'], gone: ['j-c'] });

  expect(await publishAgain(world)).toEqual(ok({ again: 1 }));
  expect(await jobOf(db, 'b')).toMatchObject({ status: 'CONVERTING', phase: 'approved', matched_track_id: 't-b' });
  expect(await lostResults(db)).toMatchObject({ here: [], gone: ['j-c'] });
  await leaveLost(db);
  expect(await lostResults(db)).toBeNull();
  await runner.stop();
});

test('SYNC-28 a server whose data was wiped has lost everything that was published from here', async () => {
  const world = syncWorld();
  await world.enqueue('a');
  const { runner } = await world.open();
  await world.live(runner, 3000);
  await world.db.jobs.update('j-a', { matched_track_id: 't-a', temp_file_path: 'sha256/a' });
  await world.db.tracks.clear();
  await noteLost(world.db, world.time);
  expect(await lostResults(world.db)).toMatchObject({ here: ['j-a'], gone: [] });
  await runner.stop();
});

test('FAULT-3 what the server says it knows no commit of is named, whatever its track has, until it is published again', async () => {
  const world = syncWorld();
  await world.enqueue('a');
  const { runner } = await world.open();
  await world.live(runner, 3000);
  const { db, time } = world;
  await db.tracks.bulkPut([track('t-a', 'available')]);
  await db.jobs.update('j-a', { matched_track_id: 't-a', temp_file_path: 'sha256/a' });
  await noteSaidLost(db, time, ['j-a', 'j-unknown']);
  expect(await lostResults(db)).toMatchObject({ here: ['j-a'], gone: [] });
  expect(await publishAgain(world)).toEqual(ok({ again: 1 }));
  expect(await lostResults(db)).toBeNull();
  // Published again it is not spoken of once more.
  await db.jobs.update('j-a', { status: 'COMPLETED', phase: 'published' });
  expect(await lostResults(db)).toBeNull();
  await runner.stop();
});

test('SYNC-55 audio that the server has lost is published again by itself where its original is here, and named where it is not', async () => {
  const world = syncWorld();
  const { db, time, ids, store } = world;
  for (const key of ['a', 'b', 'c']) await world.enqueue(key);
  const { runner } = await world.open();
  await world.live(runner, 3000);
  for (const key of ['a', 'b', 'c'])
    await db.jobs.update(`j-${key}`, {
      matched_track_id: `t-${key}`,
      temp_file_path: key === 'c' ? null : `sha256/${key}`,
    });
  const lost = { ...track('t-a', 'missing'), lost_sha256: 'a'.repeat(64) };
  // A person took this one out of the catalog.
  const unpublished = track('t-b', 'missing');
  const gone = { ...track('t-c', 'missing'), lost_sha256: 'c'.repeat(64) };
  const items = [lost, unpublished, gone].map((record) => ({
    ...{ kind: 'track' as const, id: record.id, op: 'put' as const },
    record,
  }));
  const { cursor, catalog_id } = await readReplicaState(db);
  const page = { catalog_id: catalog_id ?? 'cat', items, next_cursor: 'cat.99', more: false };
  const client = { changes: () => Promise.resolve(ok({ kind: 'page' as const, page })) };
  expect(cursor).not.toBeNull();
  const replica = syncedReplica(db, client, time, (jobIds) =>
    store.change((rows) => publishJobsAgain(rows, { clock: time, ids }, jobIds)),
  );
  expect(await replica.pull()).toMatchObject({ ok: true, value: { applied: 3 } });
  expect(await jobOf(db, 'a')).toMatchObject({ phase: 'approved', matched_track_id: 't-a' });
  expect([(await jobOf(db, 'b')).phase, (await jobOf(db, 'c')).phase]).toEqual(['published', 'published']);
  expect(await lostResults(db)).toMatchObject({ here: [], gone: ['j-c'] });
});

test('SYNC-91 what the server has lost is noted also where another result is published again at that moment', async () => {
  const world = syncWorld();
  const { db, time } = world;
  for (const key of ['a', 'b']) await world.enqueue(key);
  const { runner } = await world.open();
  await world.live(runner, 3000);
  for (const key of ['a', 'b']) await db.jobs.update(`j-${key}`, { matched_track_id: `t-${key}`, temp_file_path: 'x' });
  await noteSaidLost(db, time, ['j-a']);
  await Promise.all([forgetSaidLost(db, ['j-a']), noteSaidLost(db, time, ['j-b'])]);
  expect(await lostResults(db)).toMatchObject({ here: ['j-b'] });
  await runner.stop();
});
