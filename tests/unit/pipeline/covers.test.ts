/** A person's choice of a cover, from the question to what is converted. */
import { expect, onTestFinished, test } from 'vitest';
import { keepPicture } from '#lanes/music/browser/chosen-cover.ts';
import { makeCover } from '../../fixtures/cover.ts';
import { openPipeline } from './harness.ts';

const TITLES = ['Lantern Weather', 'Undertow', 'Cordage', 'Saltworks'];
const LENGTHS = [225, 252, 238, 301];
const tracks = TITLES.map((title, at): [string, number] => [title, LENGTHS[at] ?? 0]);
const CATALOG = [
  { album: 'Harbour Songs', artist: 'Ida Strand', tracks },
  { album: 'Harbour Songs (Deluxe Edition)', artist: 'Ida Strand', tracks },
];
const FILES = tracks.map(([title, seconds], at) => ({
  name: `Harbour Songs/0${at + 1} - ${title}.flac`,
  seconds,
  tags: { title, artist: 'Ida Strand', track: at + 1 },
}));
const CHOSEN = { sha256: 'chosen', mime: 'image/png', from: 'person', name: 'mine.png' } as const;

test('JOB-80 a cover is chosen while files are asked about, had back, and goes into those that are converted after that', async () => {
  const pipeline = await openPipeline(CATALOG);
  onTestFinished(() => pipeline.stop());
  await pipeline.drop(FILES);
  await pipeline.settled();
  const [review] = await pipeline.openReviews();
  if (review?.kind !== 'album') throw new Error('the album was not asked about');
  const [first = '', second = '', ...others] = review.job_ids;
  expect(await pipeline.cover(review.job_ids, CHOSEN)).toBe(4);
  expect(await pipeline.cover([second], null)).toBe(1);
  const album_id = review.options[0]?.album?.album_id ?? '';
  await pipeline.answerReview(review.id, { kind: 'option', option_id: `album:${album_id}` });
  await pipeline.settled();
  const covers = new Map(pipeline.conversions.map(({ job_id, cover }) => [job_id, cover]));
  const chosen = { sha256: 'chosen', mime: 'image/png' };
  expect([covers.get(first), covers.get(second), others.map((id) => covers.get(id))]).toEqual([
    ...[chosen, null, [chosen, chosen]],
  ]);
  // They are converted: another choice comes too late, and says so by its count.
  expect(await pipeline.cover(review.job_ids, null)).toBe(0);
  const steps = pipeline.store.allSteps().filter(({ content }) => content.startsWith('Cover of what is published'));
  expect(steps.map(({ content }) => content)).toContain(
    `Cover of what is published: "mine.png" (the person's own picture)`,
  );
});

test('JOB-80 a picture of one’s own is kept by what it is; what is no picture, or far too large, is refused with what to do', async () => {
  const kept: Uint8Array[] = [];
  const blobs = {
    async put(chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) kept.push(chunk);
      return { sha256: 'hash', size: 1 };
    },
  };
  const from = 'person' as const;
  const { bytes } = makeCover();
  const picture = new Blob([bytes], { type: 'text/html' });
  expect(await keepPicture(blobs, { picture, from, name: 'a.txt' })).toEqual({
    ...{ sha256: 'hash', mime: 'image/png', from, name: 'a.txt' },
  });
  expect(kept).toEqual([bytes]);
  expect(await keepPicture(blobs, CHOSEN)).toBe(CHOSEN);
  const refused = { code: 'invalid', remedy: 'Choose another picture.' };
  for (const wrong of [new Blob(['<svg>']), new Blob([bytes, new Uint8Array(8 * 1024 ** 2)])])
    await expect(keepPicture(blobs, { picture: wrong, from, name: 'x' })).rejects.toMatchObject({ failure: refused });
  expect(kept).toHaveLength(1);
});
