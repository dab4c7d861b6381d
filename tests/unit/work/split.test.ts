import { expect, test } from 'vitest';
import { WorkRows } from '#adapters/work/rows.ts';
import { splitImages } from '#lanes/music/work/split.ts';
import { countingIds, makeBatch, makeJob, testClock } from '../../fixtures/job.ts';

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
  const using = { clock: testClock(), ids: countingIds() };
  const rows = new WorkRows(makeBatch({ state: 'staged' }), using);
  const evidence = { file_id: 'a', path: 'x/album.flac', duration_ms: 400_000, tags: {} };
  const image = { id: 'a', original_filename: 'album.flac', path: 'x/album.flac', sha256: 'f'.repeat(64) };
  const at = { status: 'PROCESSING', phase: 'grouping', cue: SHEET, duration_ms: 400_000 } as const;
  rows.addJob(makeJob({ ...image, ...at, evidence }), { parent: 'zip', known: true });
  expect(await splitImages(rows, using)).toBe(true);
  const jobs = rows.jobs();
  expect(jobs.map((job) => [job.phase, job.segment?.track, job.segment?.tags.title])).toEqual([
    ['queued', 1, 'First Light'],
    ['queued', 2, 'Second Wind'],
  ]);
  expect(jobs.map((job) => rows.parentOf(job.id))).toEqual(['zip', 'zip']);
  expect(new Set(jobs.map((job) => job.segment?.content)).size).toBe(2);
  expect(await splitImages(rows, using)).toBe(false);
});
