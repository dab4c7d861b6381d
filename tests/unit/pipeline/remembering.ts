/** What the tests of remembered decisions share: a catalog, doubtful files, and dropping and answering. */
import { expect } from 'vitest';
import type { ReviewAnswer } from '#core/job/review.ts';
import { openPipeline, type DroppedAudio } from './harness.ts';

export const TRACKS: [string, number][] = [
  ['Lantern Weather', 251],
  ['Slow Ferries', 198],
  ['Cordage', 305],
  ['The Pilot Sleeps', 172],
  ['Brackish', 264],
];
export const CATALOG = [
  { album: 'Harbour Songs', artist: 'The Mooring Lines', tracks: TRACKS },
  {
    album: 'Copper Valley',
    artist: 'Ida Strand',
    tracks: [
      ['Ore', 211],
      ['Smelter Waltz', 247],
    ] as [string, number][],
  },
];
/** A length that is off by far: a veto, so a question about one file. */
export const DOUBTFUL: DroppedAudio = {
  name: 'Slow Ferries.flac',
  seconds: 240,
  tags: { title: 'Slow Ferries', artist: 'The Mooring Lines', album: 'Harbour Songs', track: 2 },
  content: 'ferries',
};
/** All of the first album, each file longer by so many seconds. */
export const albumFiles = (off: Record<number, number> = {}): DroppedAudio[] =>
  TRACKS.map(([title, seconds], at) => ({
    name: `Harbour Songs/${at + 1} ${title}.flac`,
    seconds: seconds + (off[at] ?? 0),
    tags: { title, artist: 'The Mooring Lines', album: 'Harbour Songs', track: at + 1 },
    content: `harbour ${at}`,
  }));

export async function openWorld(catalog: Parameters<typeof openPipeline>[0] = CATALOG) {
  const world = await openPipeline(catalog);
  const settle = async (): Promise<void> => {
    world.poke();
    await world.settled();
  };
  return {
    ...world,
    settle,
    /** Answers the first open question. */
    async answer(said: ReviewAnswer): Promise<void> {
      const [review] = await world.openReviews();
      expect(await world.answerReview(review?.id ?? '', said)).toMatchObject({ ok: true });
      await settle();
    },
    async drop(files: DroppedAudio[], batch: Parameters<typeof world.drop>[1] = {}): Promise<void> {
      await world.drop(files, batch);
      await world.settled();
    },
    newest: async () =>
      world.store
        .allJobs()
        .sort((a, b) => Number(a.id.slice(2)) - Number(b.id.slice(2)))
        .at(-1),
    contents: async (jobId: string) => (await world.store.steps(jobId)).map((step) => step.content),
  };
}
