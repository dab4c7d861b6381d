import { afterEach, expect, test } from 'vitest';
import { answerReview } from '#core/run/answer.ts';
import { undoJobs } from '#core/run/commands.ts';
import { openPipeline } from './harness.ts';

const TITLES = [
  'Lantern Weather',
  'Undertow',
  'Cordage',
  'Saltworks',
  'Northerly',
  'Grey Pilot',
  'Harbour Bell',
  'Keel',
];
const LENGTHS = [225, 252, 238, 301, 199, 263, 217, 281];
const tracks = TITLES.map((title, at): [string, number] => [title, LENGTHS[at] ?? 0]);
/** Two editions with the same music, and an album that nobody doubts. */
const CATALOG = [
  { album: 'Harbour Songs', artist: 'Ida Strand', tracks },
  { album: 'Harbour Songs (Deluxe Edition)', artist: 'Ida Strand', tracks },
];
/** A part of the album in a folder of its own, that says nothing of the edition. */
const part = (folder: string, from: number, off = 0, count = 4) =>
  tracks.slice(from, from + count).map(([title, seconds], at) => ({
    name: `${folder}/0${from + at + 1} - ${title}.flac`,
    seconds: seconds + (at === 0 ? off : 0),
    tags: { title, artist: 'Ida Strand', track: from + at + 1 },
  }));

let pipeline: Awaited<ReturnType<typeof openPipeline>>;
afterEach(() => pipeline.stop());

async function askedTwice(off = 0) {
  pipeline = await openPipeline(CATALOG);
  await pipeline.drop([...part('Side one', 0), ...part('Side two', 4, off)]);
  await pipeline.settled();
  const open = await pipeline.openReviews();
  expect(open.map(({ kind, job_ids }) => [kind, job_ids.length])).toEqual([
    ['album', 4],
    ['album', 4],
  ]);
  return open;
}

const choose = async (reviewId: string, option_id: string): Promise<void> => {
  expect(await answerReview(pipeline.deps, reviewId, { kind: 'option', option_id }, 'me')).toMatchObject({ ok: true });
  pipeline.poke();
};

test('MATCH-107 one answer about the edition settles the same doubt of the other folder, without another question', async () => {
  const [first] = await askedTwice();
  await choose(first?.id ?? '', 'album:al1');
  const jobs = await pipeline.settled();
  expect(jobs.map(({ matched_track_id }) => matched_track_id)).toEqual(TITLES.map((_, at) => `tr1-${at + 1}`));
  expect(jobs.every(({ phase, match_source }) => phase === 'waiting' && match_source === 'HUMAN_REVIEW')).toBe(true);
  expect(await pipeline.openReviews()).toEqual([]);
});

test('MATCH-107 what contradicts the chosen edition stays a question', async () => {
  const [first] = await askedTwice(9);
  const one = first?.files.some(({ name }) => name.includes('Lantern')) === true ? first : undefined;
  await choose(one?.id ?? '', 'album:al1');
  await pipeline.settled();
  const left = await pipeline.openReviews();
  expect(left.map(({ kind, files }) => [kind, files.map(({ name }) => name)])).toEqual([
    ['track', [expect.stringContaining('Northerly')]],
  ]);
});

test('MATCH-107 "none of these" settles nothing elsewhere', async () => {
  const [first, second] = await askedTwice();
  await choose(first?.id ?? '', 'none');
  await pipeline.settled();
  expect((await pipeline.openReviews()).map(({ id }) => id)).toContain(second?.id);
});

test('MATCH-107 two answers that differ settle no third folder', async () => {
  pipeline = await openPipeline(CATALOG);
  await pipeline.drop([...part('A1', 0, 0, 3), ...part('A2', 3, 0, 3), ...part('B1', 0, 0, 3)]);
  await pipeline.settled();
  const open = await pipeline.openReviews();
  const of = (first: string) => open.find(({ files }) => files.some(({ name }) => name.startsWith(first)))?.id ?? '';
  // Both before the run matches again.
  for (const [first, option_id] of [
    ['01', 'album:al1'],
    ['04', 'album:al0'],
  ] as const)
    expect(await answerReview(pipeline.deps, of(first), { kind: 'option', option_id }, 'me')).toMatchObject({
      ok: true,
    });
  pipeline.poke();
  await pipeline.settled();
  expect((await pipeline.openReviews()).map(({ kind, job_ids }) => [kind, job_ids.length])).toEqual([['album', 3]]);
});

test('MATCH-107 an answer that is taken back asks again of its own files', async () => {
  const [first] = await askedTwice();
  await choose(first?.id ?? '', 'album:al1');
  await pipeline.settled();
  const ids = first?.job_ids ?? [];
  expect(await pipeline.deps.store.change((rows) => undoJobs(rows, pipeline.deps, ids))).toBe(4);
  pipeline.poke();
  await pipeline.settled();
  const open = await pipeline.openReviews();
  expect(open.flatMap(({ job_ids }) => job_ids).sort()).toEqual([...ids].sort());
});
