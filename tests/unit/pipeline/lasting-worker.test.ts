import { afterEach, expect, test, vi } from 'vitest';
import type { TranscodeRequest } from '#adapters/browser/api.ts';
import { ok } from '#core/result.ts';
import type { TranscodeWorker } from '#lanes/music/browser/transcoder-pool.ts';
import { converted, openPipeline, type DroppedAudio } from './harness.ts';

const SECONDS = [183, 207, 241, 266, 298, 322];
const titles = SECONDS.map((seconds, n): [string, number] => [
  `${['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth'][n]} light`,
  seconds,
]);
const CATALOG = [{ album: 'Harbour Songs', artist: 'The Mooring Lines', year: 1997, tracks: titles }];
const FILES = titles.map(([title, seconds], n): DroppedAudio => ({
  name: `${n + 1} ${title}.flac`,
  seconds,
  tags: { title, artist: 'The Mooring Lines', album: 'Harbour Songs' },
}));

let pipeline: Awaited<ReturnType<typeof openPipeline>>;
afterEach(() => pipeline.stop());

async function withWorkers(spawn: (usual: TranscodeWorker) => TranscodeWorker, size: number): Promise<void> {
  pipeline = await openPipeline(CATALOG);
  await pipeline.stop();
  pipeline.setSpawn(spawn);
  pipeline.deps.parallel.conversions = size;
  await pipeline.start();
}

test('JOB-15 however many files a worker converts, its death is listened to once', async () => {
  const listened = vi.fn();
  let spawned = 0;
  await withWorkers((worker) => {
    spawned += 1;
    const then = worker.died.then.bind(worker.died);
    worker.died.then = (...reactions) => {
      listened();
      return then(...reactions);
    };
    return worker;
  }, 2);
  await pipeline.drop(FILES);
  expect((await pipeline.settled()).map((job) => job.phase)).toEqual(FILES.map(() => 'waiting'));
  expect(spawned).toBeGreaterThan(0);
  expect(spawned).toBeLessThan(FILES.length);
  expect(listened).toHaveBeenCalledTimes(spawned);
});

test('MEDIA-23 a worker that breaks down in its second file is replaced, and that file is converted', async () => {
  const seen: TranscodeRequest[] = [];
  await withWorkers(() => {
    let files = 0;
    let die: (error: Error) => void = () => undefined;
    return {
      api: {
        transcode: async (request) => {
          seen.push(request);
          if (++files < 2) return ok(converted(request));
          die(new Error('out of memory'));
          return new Promise(() => undefined);
        },
      },
      died: new Promise((resolve) => (die = resolve)),
      terminate: () => undefined,
    };
  }, 1);
  await pipeline.drop(FILES.slice(0, 2));
  expect((await pipeline.settled()).map((job) => job.phase)).toEqual(['waiting', 'waiting']);
  expect(seen.map(({ fast }) => fast)).toEqual([true, true, false]);
});
