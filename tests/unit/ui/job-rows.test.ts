import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { db } from '#ui/db.ts';
import { JobRows } from '#ui/job-rows.ts';
import { job } from './fixtures.ts';

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: 10_000_000 });
  await Promise.all([db.jobs.clear(), db.outbox.clear()]);
});

const old = (id: string) => job(id, { updated_at: 1000 });
const now = (patch: Parameters<typeof job>[1] = {}) => job('a', { updated_at: Date.now(), ...patch });

test('UI-90 what did not change stays the same object and is not read again', async () => {
  await db.jobs.bulkPut([now(), old('b')]);
  const rows = new JobRows();
  const before = await rows.of(['a', 'b']);
  const read = vi.spyOn(db.jobs, 'bulkGet');
  await db.jobs.put(now({ updated_at: Date.now() + 1, codec: 'flac' }));
  const after = await rows.of(['b', 'a']);
  expect(after.map(({ id, codec }) => [id, codec])).toEqual([
    ['b', null],
    ['a', 'flac'],
  ]);
  expect(after[0]).toBe(before[1]);
  expect(read.mock.calls).toEqual([[['a']]]);
});

test('UI-90 the way to the server is shown, for it moves without a new date', async () => {
  const sending = job('b', { updated_at: 1000, phase: 'waiting', status: 'CONVERTING', progress: 0.5 });
  await db.jobs.bulkPut([now(), sending]);
  const rows = new JobRows();
  await rows.of(['a', 'b']);
  await db.jobs.update('b', { progress: 0 });
  expect((await rows.of(['a', 'b'])).map(({ progress }) => progress)).toEqual([0, 0]);
});

test('UI-90 after a minute all are read again, whatever their dates say; what is gone is left out', async () => {
  await db.jobs.bulkPut([now(), old('b'), old('c')]);
  const rows = new JobRows();
  await rows.of(['a', 'b', 'c']);
  await db.jobs.update('b', { codec: 'mp3', updated_at: 1001 });
  await db.jobs.delete('c');
  expect((await rows.of(['a', 'b', 'c'])).map(({ codec }) => codec)).toEqual([null, null, null]);
  vi.advanceTimersByTime(61_000);
  expect((await rows.of(['a', 'b', 'c'])).map(({ id, codec }) => [id, codec])).toEqual([
    ['a', null],
    ['b', 'mp3'],
  ]);
});

test('UI-90 a date of the future hides no later change', async () => {
  await db.jobs.bulkPut([now(), job('b', { updated_at: Date.now() + 9e9 })]);
  const rows = new JobRows();
  await rows.of(['a', 'b']);
  await db.jobs.update('a', { codec: 'mp3', updated_at: Date.now() + 1 });
  expect((await rows.of(['a', 'b'])).map(({ codec }) => codec)).toEqual(['mp3', null]);
});
