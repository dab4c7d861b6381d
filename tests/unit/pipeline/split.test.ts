import { afterEach, describe, expect, test } from 'vitest';
import { contentOf, type Companion } from '#core/job/job.ts';
import { openPipeline } from './harness.ts';

const TRACKS: [string, number][] = [
  ['Lantern Weather', 251],
  ['Slow Ferries', 198],
  ['Cordage', 305],
  ['The Pilot Sleeps', 172],
];
const CATALOG = [{ album: 'Harbour Songs', artist: 'The Mooring Lines', year: 1997, tracks: TRACKS }];
const SECONDS = TRACKS.reduce((sum, [, seconds]) => sum + seconds, 0);

/** The album as one file; INDEX 01 of each track where the one before ends. */
function sheet(): string {
  let at = 0;
  const tracks = TRACKS.map(([title, seconds], n) => {
    const time = `${Math.floor(at / 60)}:${String(at % 60).padStart(2, '0')}:00`;
    at += seconds;
    return `TRACK 0${n + 1} AUDIO\nTITLE "${title}"\nINDEX 01 ${time}`;
  });
  return ['PERFORMER "The Mooring Lines"', 'TITLE "Harbour Songs"', 'FILE "CDImage.wav" WAVE', ...tracks].join('\n');
}

const cue = (text: string, path = 'rip/harbour.cue'): Companion => ({
  path,
  kind: 'cue',
  outcome: 'kept beside the files',
  sha256: null,
  text,
});
const IMAGE = { name: 'rip/Harbour.flac', seconds: SECONDS };

let pipeline: Awaited<ReturnType<typeof openPipeline>>;
afterEach(() => pipeline.stop());

describe('album images', () => {
  test('MEDIA-44, MEDIA-74 an image with a sheet beside it goes on as its tracks, each converted as its stretch of the file', async () => {
    pipeline = await openPipeline(CATALOG);
    await pipeline.drop([IMAGE], { companions: [cue(sheet())] });
    const jobs = (await pipeline.settled()).sort((a, b) => (a.segment?.track ?? 0) - (b.segment?.track ?? 0));
    expect(jobs.map((job) => [job.path, job.phase, job.matched_track_id, job.duration_ms])).toEqual(
      TRACKS.map(([title, seconds], n) => [
        `rip/Harbour/0${n + 1} ${title}.flac`,
        'waiting',
        `tr0-${n + 1}`,
        seconds * 1000,
      ]),
    );
    const requests = pipeline.conversions.sort((a, b) => (a.segment?.start_ms ?? 0) - (b.segment?.start_ms ?? 0));
    expect(requests.map(({ segment }) => segment)).toEqual([
      { start_ms: 0, end_ms: 251_000 },
      { start_ms: 251_000, end_ms: 449_000 },
      { start_ms: 449_000, end_ms: 754_000 },
      { start_ms: 754_000, end_ms: null },
    ]);
    const [batch] = pipeline.store.allBatches();
    expect(batch).toMatchObject({ total: 4, taken: 4 });
    expect(batch?.companions[0]?.outcome).toBe('used to split "Harbour.flac"');
    const steps = await pipeline.store.steps(jobs[1]?.id ?? '');
    expect(steps.map((step) => step.content)).toContain(
      '"Harbour.flac" is an album image: the CUE sheet "harbour.cue" splits it into 4 tracks. This is track 2, from 4:11 to 7:29.',
    );
  });

  test('MEDIA-47 each stretch is a content of its own: published once, it does not make the others duplicates', async () => {
    pipeline = await openPipeline(CATALOG);
    await pipeline.drop([IMAGE], { companions: [cue(sheet())] });
    const jobs = await pipeline.settled();
    const contents = jobs.map(contentOf);
    expect(new Set(contents).size).toBe(4);
    expect(new Set(jobs.map((job) => job.sha256)).size).toBe(1);
    const outbox = pipeline.store.allOutbox();
    expect(outbox.map(({ body }) => body.original_sha256).sort()).toEqual([...contents].sort());
  });

  test('MEDIA-45, MEDIA-75 a sheet that does not fit leaves the file whole and says why; without one nothing is said', async () => {
    pipeline = await openPipeline(CATALOG);
    await pipeline.drop([{ ...IMAGE, seconds: 300 }], { companions: [cue(sheet())] });
    const [job] = await pipeline.settled();
    expect(pipeline.store.allJobs()).toHaveLength(1);
    const steps = await pipeline.store.steps(job?.id ?? '');
    expect(steps.map((step) => step.content)).toContain(
      'The CUE sheet "harbour.cue" does not split it, because its track 3 begins at 7:29, but the file is 5:00 long.',
    );
    expect(job?.cue).toBeNull();
  });

  test('MEDIA-46 a sheet of several files gives them the names that their tags lack', async () => {
    const text = TRACKS.map(
      ([title], n) => `FILE "t${n + 1}.wav" WAVE\nTRACK 0${n + 1} AUDIO\nTITLE "${title}"\nINDEX 01 00:00:00`,
    );
    pipeline = await openPipeline(CATALOG);
    await pipeline.drop(
      TRACKS.map(([, seconds], n) => ({ name: `rip/t${n + 1}.flac`, seconds })),
      { companions: [cue(['TITLE "Harbour Songs"', 'PERFORMER "The Mooring Lines"', ...text].join('\n'))] },
    );
    const jobs = await pipeline.settled();
    expect(jobs.map((job) => [job.evidence?.tags.title, job.phase, job.segment])).toEqual(
      TRACKS.map(([title]) => [title, 'waiting', undefined]),
    );
  });

  test('MEDIA-44 a killed page splits once: all tracks are there or none, and none twice', async () => {
    pipeline = await openPipeline(CATALOG);
    await pipeline.drop([IMAGE], { companions: [cue(sheet())] });
    await pipeline.stop();
    await pipeline.start();
    await pipeline.settled();
    expect(
      pipeline.store
        .allJobs()
        .map((job) => job.segment?.track)
        .sort(),
    ).toEqual([1, 2, 3, 4]);
  });
});
