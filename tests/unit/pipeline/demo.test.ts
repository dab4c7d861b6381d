import { expect, test } from 'vitest';
import { DEMO_CASSETTE } from '#adapters/llm/demo-cassette.ts';
import { playDemo, recordDemo } from '../../fixtures/demo-recording.ts';

const REMEDY = 'the questions changed: run `node scripts/record-demo.ts`';

test('AGENT-49 Try it without a model: one file is put to recorded answers, which are called so', async () => {
  const world = await playDemo();
  const jobs = world.store.allJobs();
  expect(jobs.filter((job) => job.phase === 'waiting')).toHaveLength(3);
  const [review] = await world.openReviews();
  expect(review?.advice?.failed ?? null, REMEDY).toBeNull();
  expect(review?.advice).toMatchObject({ option_id: 'track:tr_long-tall-sally_1-03', recorded: true });
  const steps = await world.store.steps(review?.job_id ?? '');
  const calls = steps.filter((step) => step.step_type === 'ToolCall').map((step) => step.content);
  expect(calls).toEqual([...new Set(calls)]);
  await world.stop();
});

test('AGENT-49 the recording is what the questions of today get', async () => {
  expect(Object.keys((await recordDemo()).answers), REMEDY).toEqual(Object.keys(DEMO_CASSETTE.answers));
});
