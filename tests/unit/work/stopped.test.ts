import { expect, test } from 'vitest';
import { ok } from '#core/result.ts';
import { flacBytes, probeOutcome, uploadBench } from '../../fixtures/upload-bench.ts';

test('OPS-26 a worker that is stopped saves what it reached and gives its lease back', async () => {
  const stop = new AbortController();
  let probed = 0;
  const { saves, work } = uploadBench({
    files: [1, 2, 3].map((at) => ({ path: `0${at}.flac`, bytes: flacBytes(at) })),
    probe: () => {
      if ((probed += 1) === 2) stop.abort();
      return ok(probeOutcome());
    },
  });
  await work(stop.signal);
  expect(probed).toBeLessThan(3);
  expect(saves.at(-1)).toMatchObject({ release: true, state: 'ready' });
  expect(saves.at(-1)?.document).toContain('01.flac');
});
