import { expect, test } from 'vitest';
import { LeasedJobStore } from '#adapters/work/leased-store.ts';
import { unfoldNext } from '#core/run/probe.ts';
import { laneFinder, type Station } from '#core/run/ports.ts';
import { makeBatch, makeJob } from '../../fixtures/job.ts';
import { uploadBench } from '../../fixtures/upload-bench.ts';
import type { MusicJob } from '#lanes/music/core/types.ts';

const SHEET = `PERFORMER "The Testers"
TITLE "Curl Sessions"
FILE "album.flac" WAVE
  TRACK 01 AUDIO
    TITLE "First Light"
    INDEX 01 00:00:00
  TRACK 02 AUDIO
    TITLE "Second Wind"
    INDEX 01 03:00:00
`;

test('WORK-15 an album image with a sheet in it goes on as its tracks, children of the same archive', async () => {
  const { claim, using } = uploadBench({ files: [] });
  const store = new LeasedJobStore(claim, {}, using.clock);
  const evidence = { file_id: 'a', path: 'x/album.flac', duration_ms: 400_000, tags: {} };
  const image = { id: 'a', original_filename: 'album.flac', path: 'x/album.flac', sha256: 'f'.repeat(64) };
  const at = { phase: 'grouping', cue: SHEET, duration_ms: 400_000, archive: 'x.zip' } as const;
  const archive = { path: 'x.zip', sha256: 'zip', done: true, entries: 1, job_id: 'zip' };
  await store.change(async (rows) => {
    await rows.putBatch(makeBatch({ id: 'b', state: 'staged', archives: [archive] }));
    await rows.putJob(makeJob({ ...image, ...at, batch_id: 'b', evidence }));
  });
  const lanes = using.runs({ store, held: new Map() });
  const station: Station = {
    ...{ ...using, store, lanes, lane: laneFinder(lanes), parallel: { probes: 1, conversions: 1 } },
    ...{ paused: () => Promise.resolve(false), onLocalFailure: () => 'stop', later: () => undefined },
    sync: { start: () => undefined, stop: () => undefined, poke: () => undefined },
    ...{ poke: () => undefined, toolsMissing: () => false, onToolsMissing: () => undefined },
    ...{ stopWith: () => undefined, signal: new AbortController().signal, onError: () => undefined },
  };
  expect(await unfoldNext(station)).toBe(true);
  // This worker knows music alone.
  const jobs = (await store.jobsOfBatch('b')) as MusicJob[];
  expect(jobs.map((job) => [job.phase, job.segment?.track, job.segment?.tags.title])).toEqual([
    ['queued', 1, 'First Light'],
    ['queued', 2, 'Second Wind'],
  ]);
  const saved = store.unsaved().jobs.filter(({ id }) => jobs.some((job) => job.id === id));
  expect(saved.map((job) => job.parent_job_id)).toEqual(['zip', 'zip']);
  expect(new Set(jobs.map((job) => job.segment?.content)).size).toBe(2);
  expect(await unfoldNext(station)).toBe(false);
});
