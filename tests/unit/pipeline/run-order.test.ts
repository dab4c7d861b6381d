import { afterEach, expect, test, vi } from 'vitest';
import { ok } from '#core/result.ts';
import { openDoubts } from '#core/run/doubts.ts';
import type { Doubt } from '#lanes/music/core/agent/doubt.ts';
import { fakeAgent } from './fake-agent.ts';
import { converted, openPipeline } from './harness.ts';

const TRACKS: [string, number][] = [
  ['Lantern Weather', 251],
  ['Slow Ferries', 198],
  ['Cordage', 305],
];
const CATALOG = [{ album: 'Harbour Songs', artist: 'The Mooring Lines', year: 1997, tracks: TRACKS }];
const ALBUM = TRACKS.map(([title, seconds], n) => ({
  name: `Harbour Songs/0${n + 1} ${title}.flac`,
  seconds,
  lossless: true,
  tags: { title, artist: 'The Mooring Lines', album: 'Harbour Songs', track: n + 1 },
}));

let pipeline: Awaited<ReturnType<typeof openPipeline>>;
afterEach(() => pipeline.stop());

const phases = async (): Promise<string[]> =>
  pipeline.store
    .allJobs()
    .map((job) => job.phase)
    .sort();

test('JOB-32 a conversion that ended in the moment of the pause stays finished', async () => {
  pipeline = await openPipeline(CATALOG);
  const { store } = pipeline;
  let end = (): void => undefined;
  pipeline.setConvert((request) => new Promise((resolve) => (end = () => resolve(ok(converted(request))))));
  await pipeline.drop(ALBUM.slice(0, 1));
  await expect.poll(phases).toEqual(['converting']);
  // It ends after the pause has seen it at work, and before it is put back.
  const read = store.job.bind(store);
  let isLate = false;
  vi.spyOn(store, 'job').mockImplementation(async (id) => {
    const job = await read(id);
    if (job?.phase === 'converting' && !isLate) {
      isLate = true;
      end();
      await expect.poll(phases).toEqual(['waiting']);
    }
    return job;
  });
  pipeline.setPaused(true);
  await expect.poll(() => isLate).toBe(true);
  await pipeline.settled();
  expect(await phases()).toEqual(['waiting']);
  expect(store.allSteps().some((step) => step.content.startsWith('Paused;'))).toBe(false);
});

test('JOB-34 a converter that becomes free takes the next file while a long drop is being probed', async () => {
  pipeline = await openPipeline(CATALOG);
  const { probe } = pipeline.media;
  const looks: (() => void)[] = [];
  pipeline.media.probe = async (sha256, name, signal) => {
    if (name.startsWith('slow')) await new Promise<void>((resolve) => looks.push(resolve));
    return probe(sha256, name, signal);
  };
  const ends: (() => void)[] = [];
  pipeline.setConvert((request) => new Promise((resolve) => ends.push(() => resolve(ok(converted(request))))));
  await pipeline.drop(ALBUM);
  await expect.poll(phases).toEqual(['approved', 'converting', 'converting']);
  await pipeline.drop([1, 2, 3, 4, 5].map((n) => ({ name: `slow ${n}.flac`, seconds: n })));
  await expect.poll(() => looks.length).toBe(2);
  ends[0]?.();
  await expect.poll(phases).toContain('waiting');
  looks[0]?.();
  await expect.poll(() => ends.length).toBe(3);
  expect((await phases()).filter((phase) => phase === 'queued').length).toBeGreaterThan(0);
  for (let at = 1; at < 5; at++) {
    await expect.poll(() => looks.length).toBeGreaterThan(at);
    looks[at]?.();
  }
});

test('AGENT-78 doubts about albums come before doubts about tracks, then the oldest first', async () => {
  const fake = fakeAgent(() => new Promise(() => undefined));
  const near = TRACKS.map(([title, seconds], n): [string, number] => [`Air ${title}`, seconds + (n % 2 ? 1 : -1)]);
  pipeline = await openPipeline([...CATALOG, { album: 'Dry Season', artist: 'Lena Voss', tracks: near }], fake.agent);
  const thinking = async (count: number): Promise<void> => {
    await expect.poll(async () => (await openDoubts(pipeline.deps.store, pipeline.deps)).doubts).toHaveLength(count);
  };
  await pipeline.drop(ALBUM.map((file, n) => (n === 1 ? { ...file, seconds: 220 } : file)));
  await thinking(1);
  await pipeline.drop(TRACKS.map(([, seconds], n) => ({ name: `a/track0${n + 1}.mp3`, seconds })));
  await thinking(2);
  await pipeline.drop(TRACKS.map(([, seconds], n) => ({ name: `b/track0${n + 1}.mp3`, seconds })));
  await thinking(3);
  const { doubts } = await openDoubts(pipeline.deps.store, pipeline.deps);
  expect(doubts.map(({ lead, workflow }) => [(workflow.input as Doubt).kind, lead.path.split('/')[0]])).toEqual([
    ['album', 'a'],
    ['album', 'b'],
    ['track', 'Harbour Songs'],
  ]);
});
