import { describe, expect, test } from 'vitest';
import { failure } from '#core/errors.ts';
import { fail, ok } from '#core/result.ts';
import { flacBytes, probeOutcome, uploadBench, type BenchOptions } from '../../fixtures/upload-bench.ts';

/** An upload of two files, of which the second is never reached. */
const bench = (options: Omit<BenchOptions, 'files'>) =>
  uploadBench({ files: [1, 2].map((at) => ({ path: `0${at}.flac`, bytes: flacBytes(at) })), ...options });

describe('an upload that is given back', () => {
  test('WORK-25 a failure of the place is no fault of the file: it is given back with the file as it was', async () => {
    for (const code of ['storage_full', 'offline'] as const) {
      const { saves, work } = bench({ probe: () => fail(failure(code, 'Not here.')) });
      await expect(work()).rejects.toThrow('Not here.');
      expect(saves.at(-1)).toMatchObject({ release: true, state: 'ready' });
      expect(saves.flatMap(({ jobs }) => jobs.map(({ status }) => status))).not.toContain('FAILED');
    }
  });

  test('WORK-25 a failure of the file is the file’s: the others go on', async () => {
    const { saves, work } = bench({ probe: () => fail(failure('file_damaged', 'It is damaged.')) });
    await work();
    expect(saves.at(-1)).toMatchObject({ state: 'done' });
  });

  test('WORK-24 what comes first is asked for between two steps', async () => {
    let asked = 0;
    const yields = () => Promise.resolve((asked += 1) > 2);
    const { saves, work, progress } = bench({ probe: () => ok(probeOutcome()), using: { yields } });
    await work();
    expect(saves.at(-1)).toMatchObject({ release: true, state: 'ready' });
    expect(progress.filter(({ doing }) => doing === 'reading')).toEqual([
      { doing: 'reading', name: '01.flac', job: '1', done: 0, total: 2 },
    ]);
  });
});
