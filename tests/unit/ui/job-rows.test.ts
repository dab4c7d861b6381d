import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { openDatabase } from '#lanes/database.ts';
import { db, setDatabase } from '#ui/client/db.ts';
import { isFinished, type Job } from '#core/job/job.ts';
import { JobRows } from '#ui/ingest/job-rows.ts';
import { dashboard } from '#ui/ingest/job-queries.ts';
import { job } from './fixtures.ts';

setDatabase(openDatabase());

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: 10_000_000 });
  await Promise.all([db.jobs.clear(), db.outbox.clear()]);
});

const read = async (rows: JobRows, ids: string[]) => {
  await rows.refresh(ids);
  return rows.of(ids);
};
const old = (id: string) => job(id, { updated_at: 1000 });
const now = (patch: Parameters<typeof job>[1] = {}) => job('a', { updated_at: Date.now(), ...patch });

test('UI-90 what did not change stays the same object and is not read again', async () => {
  await db.jobs.bulkPut([now(), old('b')]);
  const rows = new JobRows();
  const before = await read(rows, ['a', 'b']);
  const seen: string[] = [];
  const note = (row: Job): Job => {
    seen.push(row.id);
    return row;
  };
  db.jobs.hook('reading', note);
  await db.jobs.put(now({ updated_at: Date.now() + 1, codec: 'flac' }));
  const after = await read(rows, ['b', 'a']);
  expect(after.map(({ id, codec }) => [id, codec])).toEqual([
    ['b', null],
    ['a', 'flac'],
  ]);
  expect(after[0]).toBe(before[1]);
  db.jobs.hook('reading').unsubscribe(note);
  expect(seen).toEqual(['a']);
});

test('UI-90 the way to the server is shown, for it moves without a new date', async () => {
  const sending = job('b', { updated_at: 1000, phase: 'waiting', status: 'CONVERTING', progress: 0.5 });
  await db.jobs.bulkPut([now(), sending]);
  const rows = new JobRows();
  await read(rows, ['a', 'b']);
  await db.jobs.update('b', { progress: 0 });
  expect((await read(rows, ['a', 'b'])).map(({ progress }) => progress)).toEqual([0, 0]);
});

test('UI-90 after a minute all are read again, whatever their dates say; what is gone is left out', async () => {
  await db.jobs.bulkPut([now(), old('b'), old('c')]);
  const rows = new JobRows();
  await read(rows, ['a', 'b', 'c']);
  await db.jobs.update('b', { codec: 'mp3', updated_at: 1001 });
  await db.jobs.delete('c');
  expect((await read(rows, ['a', 'b', 'c'])).map(({ codec }) => codec)).toEqual([null, null, null]);
  vi.advanceTimersByTime(61_000);
  expect((await read(rows, ['a', 'b', 'c'])).map(({ id, codec }) => [id, codec])).toEqual([
    ['a', null],
    ['b', 'mp3'],
  ]);
});

test('UI-90 a date of the future hides no later change', async () => {
  await db.jobs.bulkPut([now(), job('b', { updated_at: Date.now() + 9e9 })]);
  const rows = new JobRows();
  await read(rows, ['a', 'b']);
  await db.jobs.update('a', { codec: 'mp3', updated_at: Date.now() + 1 });
  expect((await read(rows, ['a', 'b'])).map(({ codec }) => codec)).toEqual(['mp3', null]);
});

test('UI-93 a job that ends while the page reads stands in one list, never in both and never in none', async () => {
  const [work, done] = [
    job('work', { updated_at: Date.now() }),
    job('done', { status: 'COMPLETED', phase: 'published', completed_at: 5 }),
  ];
  // So many were written lately that each is read by its id.
  const others = Array.from({ length: 60 }, (_, n) => job(`other ${n}`, { updated_at: Date.now() }));
  await db.jobs.bulkPut([work, done, ...others]);
  const query = dashboard(10);
  const lists = async () => {
    const { active, recent } = await query();
    return [active.jobs.filter((row) => !isFinished(row)), recent.jobs].map((rows) =>
      rows.map(({ id }) => id).filter((id) => !id.startsWith('other')),
    );
  };
  expect(await lists()).toEqual([['work'], ['done']]);
  // It ends after its id was listed as one that is under way, and before its row is read.
  const bulkGet = db.jobs.bulkGet.bind(db.jobs);
  vi.spyOn(db.jobs, 'bulkGet').mockImplementationOnce((ids) =>
    db.jobs
      .update('work', { status: 'COMPLETED', phase: 'published', completed_at: 9, updated_at: Date.now() + 1 })
      .then(() => bulkGet(ids)),
  );
  expect(await lists()).toEqual([[], ['work', 'done']]);
});
