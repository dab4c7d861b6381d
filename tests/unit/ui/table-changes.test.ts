import 'fake-indexeddb/auto';
import { expect, test, vi } from 'vitest';
import { openDatabase } from '#lanes/database.ts';
import { db, setDatabase } from '#ui/client/db.ts';
import { onTableChanges } from '#ui/parts/table-changes.ts';
import { job } from './fixtures.ts';

setDatabase(openDatabase());

const settled = () => new Promise((done) => setImmediate(done));

test('UI-110 a query over many rows is asked again at any write to its tables, and at no other', async () => {
  await db.open();
  const seen: number[] = [];
  const watched = onTableChanges(['jobs'], () => db.jobs.count());
  const subscription = watched.subscribe({ next: (count) => seen.push(count), error: expect.unreachable });
  await vi.waitFor(() => expect(seen).toEqual([0]));
  await db.jobs.bulkPut([job('a'), job('b')]);
  await vi.waitFor(() => expect(seen.at(-1)).toBe(2));
  const before = seen.length;
  await db.meta.put({ key: 'x', value: 1 });
  await settled();
  expect(seen).toHaveLength(before);
  await db.jobs.delete('a');
  await vi.waitFor(() => expect(seen.at(-1)).toBe(1));
  subscription.unsubscribe();
  await db.jobs.clear();
  await settled();
  expect(seen.at(-1)).toBe(1);
});

test('UI-110 writes during a run lead to one more run; a failure is reported and the next write asks again', async () => {
  let runs = 0;
  let open = (): void => undefined;
  const reports: unknown[] = [];
  const { unsubscribe } = onTableChanges(['jobs'], async () => {
    runs += 1;
    if (runs === 1) await new Promise<void>((go) => (open = go));
    if (runs === 2) throw new Error('broken');
    return runs;
  }).subscribe({ next: (value) => reports.push(value), error: (thrown) => reports.push(thrown) });
  await db.jobs.put(job('a'));
  await db.jobs.put(job('b'));
  await db.jobs.put(job('c'));
  expect(runs).toBe(1);
  open();
  await vi.waitFor(() => expect(reports).toEqual([1, new Error('broken')]));
  await db.jobs.put(job('d'));
  await vi.waitFor(() => expect(reports.at(-1)).toBe(3));
  unsubscribe();
});
