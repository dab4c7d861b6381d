import { describe, expect, test } from 'vitest';
import { failure } from '#core/errors.ts';
import type { LaneCore } from '#core/lane-core.ts';
import { fail, ok } from '#core/result.ts';
import type { LaneMemory, LearnedSource } from '#core/run/lane-rows.ts';
import { MOST_KEYS } from '#core/sync/work-protocol.ts';
import { flacBytes, probeOutcome, uploadBench, type BenchOptions } from '../../fixtures/upload-bench.ts';

/** An upload of two files, of which the second is never reached. */
const bench = (options: Omit<BenchOptions, 'files'>) =>
  uploadBench({ files: [1, 2].map((at) => ({ path: `0${at}.flac`, bytes: flacBytes(at) })), ...options });

const NO_ROWS: LaneMemory = { copy: () => NO_ROWS };

describe('an upload that is given back', () => {
  test('WORK-25 a failure of the place is no fault of the file: it is given back with the file as it was', async () => {
    for (const code of ['storage_full', 'offline'] as const) {
      const { saves, work } = bench({ probe: () => fail(failure(code, 'Not here.')) });
      await expect(work()).rejects.toThrow('Not here.');
      expect(saves.at(-1)).toMatchObject({ release: true, state: 'ready' });
      expect(saves.flatMap(({ jobs }) => jobs.map(({ status }) => status))).not.toContain('FAILED');
    }
  });

  test('WORK-25 a server that cannot be asked for what was learned is such a failure, too', async () => {
    const { saves, work } = bench({ learned: () => Promise.resolve(fail(failure('offline', 'Not heard.'))) });
    await expect(work()).rejects.toThrow('Not heard.');
    expect(saves.at(-1)).toMatchObject({ release: true, state: 'ready' });
    expect(saves.flatMap(({ jobs }) => jobs.map(({ status }) => status))).not.toContain('FAILED');
  });

  test('WORK-27 a server of before 0.2 keeps nothing of what is learned: its uploads are worked on all the same', async () => {
    const { saves, work } = bench({ learned: () => Promise.resolve(fail(failure('not_found', 'No such route.'))) });
    await work();
    expect(saves.at(-1)).toMatchObject({ state: 'waiting' });
  });

  test('WORK-27 what was learned of many files is asked for in pieces that the server takes', async () => {
    const asked: number[] = [];
    const sources: LearnedSource[] = [];
    const lane: LaneCore = {
      ingesters: [],
      rows: (learned) => {
        if (learned) sources.push(learned);
        return NO_ROWS;
      },
    };
    const { work } = bench({
      using: { cores: new Map([['music', lane]]), runs: () => [] },
      learned: (_, { keys = [] }) => {
        asked.push(keys.length);
        return Promise.resolve(ok(keys.slice(0, 1).map((key) => ({ kind: 'memory', key, at: 1, value: 1 }))));
      },
    });
    await work();
    const keys = Array.from({ length: MOST_KEYS + 10 }, (_, at) => `${at}`);
    const found = await sources[0]?.read('memory', keys);
    expect([asked, found?.map(({ key }) => key)]).toEqual([
      [MOST_KEYS, 10],
      ['0', `${MOST_KEYS}`],
    ]);
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
