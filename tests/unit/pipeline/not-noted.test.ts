import { afterEach, expect, test } from 'vitest';
import { openPipeline } from './harness.ts';

let pipeline: Awaited<ReturnType<typeof openPipeline>>;
afterEach(() => pipeline.stop());

test('JOB-31 a converted file whose result could not be noted is converted again', async () => {
  pipeline = await openPipeline([
    { album: 'Harbour Songs', artist: 'The Mooring Lines', tracks: [['Slow Ferries', 198]] },
  ]);
  const { store } = pipeline;
  // Neither the result nor the failure finds room, once.
  let full = 2;
  store.beforePut = ({ phase }) => {
    if ((phase !== 'waiting' && phase !== 'failed') || full === 0) return;
    full -= 1;
    throw new DOMException('no space', 'QuotaExceededError');
  };
  const tags = { title: 'Slow Ferries', artist: 'The Mooring Lines', album: 'Harbour Songs', track: 1 };
  await pipeline.drop([{ name: 'Slow Ferries.flac', seconds: 198, tags }]);
  await expect.poll(() => store.allJobs().map((job) => job.phase)).toEqual(['waiting']);
  expect([full, pipeline.conversions.length, store.allOutbox().length]).toEqual([0, 2, 1]);
  expect(
    store
      .allSteps()
      .map((step) => step.content)
      .join(),
  ).toContain('could not be noted');
});
