import 'fake-indexeddb/auto';
import { expect, test } from 'vitest';
import { openDatabase } from '#lanes/database.ts';
import type { ReasoningStep } from '#core/job/job.ts';
import { BatchSteps } from '#ui/trace/batch-steps.ts';
import { makeJob } from '../../fixtures/job.ts';

const step = (job_id: string, step_number: number, timestamp: number): ReasoningStep => ({
  ...{ id: `${job_id}/${step_number}`, job_id, step_number, timestamp },
  ...{ step_type: 'Action', content: 'x', metadata: {}, duration_ms: null },
});

test('UI-58 the log of a drop is read once; then only what came, also what was written late', async () => {
  const db = openDatabase(`test-${crypto.randomUUID()}`);
  let read = 0;
  db.steps.hook('reading', (row) => {
    read += 1;
    return row;
  });
  await db.jobs.bulkAdd(['a', 'b'].map((id) => makeJob({ id, batch_id: 'drop' })));
  await db.steps.bulkAdd(Array.from({ length: 200 }, (_, n) => step(n % 2 ? 'a' : 'b', n, n * 1000)));
  const log = new BatchSteps(db, 'drop');
  expect(await log.read()).toHaveLength(200);

  read = 0;
  await db.jobs.add(makeJob({ id: 'c', batch_id: 'drop' }));
  await db.steps.bulkAdd([
    step('a', 201, 199_500),
    step('a', 202, 190_500),
    step('c', 1, 5),
    step('other', 1, 199_600),
  ]);
  const shown = await log.read();
  expect(shown.map(({ id }) => id).slice(-2)).toEqual(['a/199', 'a/201']);
  expect(shown).toHaveLength(203);
  expect([...shown].map(({ timestamp }) => timestamp)).toEqual(
    shown.map(({ timestamp }) => timestamp).sort((x, y) => x - y),
  );
  expect(read).toBeLessThan(50);
  expect(await log.read()).toBe(shown);

  await db.jobs.delete('a');
  expect((await log.read()).every(({ job_id }) => job_id !== 'a')).toBe(true);
});

test('JOB-42 steps of a whole group are in the log of a drop once', async () => {
  const db = openDatabase(`test-${crypto.randomUUID()}`);
  await db.jobs.bulkAdd(['a', 'b'].map((id) => makeJob({ id, batch_id: 'drop' })));
  const same_as = { job_id: 'a', step_number: 1, count: 2 };
  await db.steps.bulkAdd([step('a', 1, 5), step('a', 2, 5), { ...step('b', 1, 5), same_as }, step('b', 3, 6)]);
  expect((await new BatchSteps(db, 'drop').read()).map(({ id }) => id)).toEqual(['a/1', 'a/2', 'b/3']);
});
