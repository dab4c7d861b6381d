import { afterEach, expect, test } from 'vitest';
import { answerReview } from '#core/run/answer.ts';
import { undoJobs } from '#core/run/commands.ts';
import { openPipeline } from './harness.ts';

const TITLES = ['Lantern Weather', 'Undertow', 'Cordage', 'Saltworks', 'Northerly', 'Grey Pilot', 'Harbour Bell'];
const LENGTHS = [225, 252, 238, 301, 199, 263, 217];
const CATALOG = [
  {
    album: 'Harbour Songs',
    artist: 'Ida Strand',
    tracks: TITLES.map((title, at): [string, number] => [title, LENGTHS[at] ?? 0]),
  },
];
/** Where the length is off by so many seconds. */
const dropped = (off: Record<number, number> = {}) =>
  TITLES.map((title, at) => ({
    name: `Harbour Songs/0${at + 1} - ${title}.flac`,
    seconds: (LENGTHS[at] ?? 0) + (off[at] ?? 0),
    tags: { title, artist: 'Ida Strand', album: 'Harbour Songs', track: at + 1 },
  }));

let pipeline: Awaited<ReturnType<typeof openPipeline>>;
afterEach(() => pipeline.stop());

/** Three files of the album with lengths off, asked about once. */
async function askedTogether() {
  pipeline = await openPipeline(CATALOG);
  await pipeline.drop(dropped({ 1: 6, 4: 8, 6: 7 }));
  await pipeline.settled();
  const [review, more] = await pipeline.openReviews();
  if (!review || more) throw new Error('one question was expected');
  return review;
}

/** Answered, and taken back, while the run sleeps: nothing wakes it before the test does. */
const choose = (reviewId: string, option_id: string) =>
  answerReview(pipeline.deps, reviewId, { kind: 'option', option_id }, 'me');
const undo = (ids: readonly string[]) => pipeline.deps.store.change((rows) => undoJobs(rows, pipeline.deps, ids));
const phases = async (ids: string[]) => (await pipeline.settled()).filter(({ id }) => ids.includes(id));

test('REVIEW-21 three lengths that are off are one question; accepted, each is the track proposed for it', async () => {
  const review = await askedTogether();
  expect(review).toMatchObject({ kind: 'tracks', job_ids: { length: 3 } });
  expect(review.question).toBe(
    "3 files of 'Harbour Songs': their lengths are 6 to 8 s longer than in the catalog. Are they these tracks?",
  );
  expect(await choose(review.id, 'accept')).toMatchObject({ ok: true });
  pipeline.poke();
  expect(await phases(review.job_ids)).toMatchObject(
    [2, 5, 7].map((track) => ({ phase: 'waiting', match_source: 'HUMAN_REVIEW', matched_track_id: `tr0-${track}` })),
  );
  expect(await pipeline.openReviews()).toEqual([]);
});

test('REVIEW-1 REVIEW-21 accepted is accepted, also with the threshold at 100 %', async () => {
  pipeline = await openPipeline(CATALOG);
  pipeline.settings.auto_approve_threshold = 1;
  await pipeline.drop(dropped({ 1: 6, 4: 8, 6: 7 }));
  await pipeline.settled();
  const open = await pipeline.openReviews();
  for (const { id } of open) expect(await choose(id, 'accept')).toMatchObject({ ok: true });
  pipeline.poke();
  expect((await pipeline.settled()).map(({ phase }) => phase)).toEqual(Array(7).fill('waiting'));
  expect(await pipeline.openReviews()).toEqual([]);
});

test('REVIEW-6 REVIEW-21, REVIEW-35 taken back, all are asked as before, two with their number, one by itself', async () => {
  const review = await askedTogether();
  await choose(review.id, 'accept');
  pipeline.poke();
  await pipeline.settled();
  const [a = '', b = '', c = ''] = review.job_ids;
  expect(await undo([a, b])).toBe(2);
  pipeline.poke();
  await pipeline.settled();
  const [two, none] = await pipeline.openReviews();
  expect(none).toBeUndefined();
  expect(two).toMatchObject({ kind: 'tracks', job_ids: [a, b], files: { length: 2 } });
  expect(two?.question).toMatch(/^2 files of 'Harbour Songs': their lengths are/);
  expect(two?.reasoning).not.toContain('Harbour Bell');
  expect(await undo([c])).toBe(1);
  const open = await pipeline.openReviews();
  expect(open.map(({ kind, job_ids }) => [kind, job_ids.length]).sort()).toEqual([
    ['track', 1],
    ['tracks', 2],
  ]);
  await choose(two?.id ?? '', 'accept');
  pipeline.poke();
  expect((await phases([a, b])).every(({ phase }) => phase === 'waiting')).toBe(true);
});

test('REVIEW-21 one by one: each is asked and answered singly, and an answer does not put the rest together', async () => {
  const review = await askedTogether();
  await choose(review.id, 'each');
  pipeline.poke();
  await pipeline.settled();
  const singles = await pipeline.openReviews();
  expect(singles.map(({ kind }) => kind)).toEqual(['track', 'track', 'track']);
  const [first] = singles;
  await choose(first?.id ?? '', first?.options[0]?.id ?? '');
  pipeline.poke();
  await pipeline.settled();
  const rest = await pipeline.openReviews();
  expect(rest.map(({ id }) => id).sort()).toEqual(
    singles
      .slice(1)
      .map(({ id }) => id)
      .sort(),
  );
});

test('REVIEW-26 "one by one" is taken back: the singles go, and all are asked together again', async () => {
  const review = await askedTogether();
  await choose(review.id, 'each');
  pipeline.poke();
  await pipeline.settled();
  expect(await pipeline.openReviews()).toHaveLength(3);
  expect(await undo(review.job_ids)).toBe(3);
  pipeline.poke();
  const jobs = await phases(review.job_ids);
  const open = await pipeline.openReviews();
  expect(open).toMatchObject([{ kind: 'tracks', job_ids: review.job_ids, question: review.question }]);
  expect(jobs.map(({ phase }) => phase)).toEqual(Array(3).fill('review'));
  // Nothing more to take back.
  expect(await undo(review.job_ids)).toBe(0);
  await choose(open[0]?.id ?? '', 'accept');
  pipeline.poke();
  expect((await phases(review.job_ids)).every(({ phase }) => phase === 'waiting')).toBe(true);
});

test('REVIEW-26 an answer is taken back before its plan has run', async () => {
  const review = await askedTogether();
  await choose(review.id, 'accept');
  expect(await undo(review.job_ids)).toBe(3);
  pipeline.poke();
  const jobs = await phases(review.job_ids);
  expect(jobs.map(({ phase, matched_track_id }) => [phase, matched_track_id])).toEqual(Array(3).fill(['review', null]));
  expect(await pipeline.openReviews()).toMatchObject([{ kind: 'tracks', question: review.question }]);
});

test('REVIEW-21 none of these leaves all of them out, and a track for several files is no answer', async () => {
  const review = await askedTogether();
  expect(await choose(review.id, 'track:tr0-1')).toMatchObject({ ok: false, failure: { code: 'invalid' } });
  await pipeline.answerReview(review.id, { kind: 'none' });
  pipeline.poke();
  expect((await phases(review.job_ids)).map(({ failure }) => failure?.code)).toEqual(Array(3).fill('rejected'));
});

test('REVIEW-3 REVIEW-21 a file that is cancelled leaves the question; the last one is asked by itself', async () => {
  const review = await askedTogether();
  await pipeline.cancel(review.job_ids.slice(0, 1));
  pipeline.poke();
  await pipeline.settled();
  expect(await pipeline.openReviews()).toMatchObject([{ kind: 'tracks', question: expect.stringMatching(/^2 files/) }]);
  await pipeline.cancel(review.job_ids.slice(1, 2));
  pipeline.poke();
  await pipeline.settled();
  expect(await pipeline.openReviews()).toMatchObject([{ kind: 'track', job_ids: review.job_ids.slice(2) }]);
});

test('REVIEW-5 REVIEW-21 accepted in another browser, the same happens', async () => {
  const review = await askedTogether();
  await pipeline.takeRemoteAnswer(review.id, 'accept', 'you');
  pipeline.poke();
  expect((await phases(review.job_ids)).map((job) => [job.phase, job.match_source])).toEqual(
    Array(3).fill(['waiting', 'HUMAN_REVIEW']),
  );
});

test('REVIEW-5 REVIEW-25 accepted elsewhere after other tracks are proposed, nothing is approved that nobody saw', async () => {
  const review = await askedTogether();
  // The catalog is replaced by one with the same words under other ids.
  const { tracks } = pipeline.records;
  const before = [...tracks.values()];
  tracks.clear();
  for (const track of before) tracks.set(`new-${track.position}`, { ...track, id: `new-${track.position}` });
  await pipeline.store.put(async (rows) => {
    for (const batch of pipeline.store.allBatches()) await rows.putBatch({ ...batch, rematch: true });
  });
  pipeline.poke();
  await pipeline.settled();
  const [now, none] = await pipeline.openReviews();
  expect(none).toBeUndefined();
  expect(now?.files.map(({ proposed }) => proposed?.track_id)).toEqual(['new-2', 'new-5', 'new-7']);
  expect(now?.id).not.toBe(review.id);
  expect(await choose(review.id, 'accept')).toMatchObject({ ok: false, failure: { code: 'conflict' } });
  await pipeline.takeRemoteAnswer(review.id, 'accept', 'you');
  pipeline.poke();
  expect((await phases(review.job_ids)).map((job) => [job.phase, job.matched_track_id])).toEqual(
    Array(3).fill(['review', null]),
  );
  expect((await pipeline.openReviews()).map(({ id }) => id)).toEqual([now?.id]);
});

test('REVIEW-3 an answer about the album settles the questions about its files', async () => {
  const twin = (album: string, by: number) => ({
    album,
    artist: 'Pair',
    tracks: LENGTHS.map((seconds, at): [string, number] => [`${album} ${'abcdefg'[at]}`, seconds + by]),
  });
  pipeline = await openPipeline([twin('First Light', 0), twin('Second Sight', 1)]);
  await pipeline.drop(
    LENGTHS.map((seconds, at) => ({ name: `track0${at + 1}.mp3`, seconds: seconds + (at < 2 ? 4 : 0) })),
  );
  await pipeline.settled();
  const [album, more] = await pipeline.openReviews();
  expect([album?.kind, more]).toEqual(['album', undefined]);
  await choose(album?.id ?? '', album?.options.find(({ label }) => label === 'First Light')?.id ?? '');
  pipeline.poke();
  const jobs = await pipeline.settled();
  expect(jobs.filter(({ phase }) => phase === 'waiting')).toHaveLength(5);
  const open = await pipeline.openReviews();
  expect(open).toMatchObject([{ kind: 'tracks', job_ids: { length: 2 } }]);
  await choose(open[0]?.id ?? '', 'accept');
  pipeline.poke();
  expect((await pipeline.settled()).map(({ matched_track_id }) => matched_track_id)).toEqual(
    LENGTHS.map((_, at) => `tr0-${at + 1}`),
  );
});

test('REVIEW-24 a better file for audio that was made here: to replace it is offered first, with the difference', async () => {
  pipeline = await openPipeline(CATALOG);
  await pipeline.drop(dropped().map((file) => ({ ...file, lossless: false })));
  await pipeline.settled();
  await pipeline.store.patchJobs({ status: 'COMPLETED', phase: 'published', sync: 'published' });
  for (const id of pipeline.records.tracks.keys()) pipeline.records.patchTrack(id, { availability: 'available' });
  await pipeline.drop(dropped().map((file) => ({ ...file, seconds: file.seconds + 0.1 })));
  await pipeline.settled();
  const [review] = await pipeline.openReviews();
  expect(review).toMatchObject({ kind: 'replace', variant: 'better_format', job_ids: { length: 7 } });
  expect(review?.question).toContain('better quality');
  expect(review?.options.map(({ id }) => id)).toEqual(['replace', 'keep']);
});

test('REVIEW-24, REVIEW-37 audio that came from another workstation since is not compared with what was made here before', async () => {
  pipeline = await openPipeline(CATALOG);
  await pipeline.drop(dropped().map((file) => ({ ...file, lossless: false })));
  await pipeline.settled();
  await pipeline.store.patchJobs({ status: 'COMPLETED', phase: 'published', sync: 'published' });
  for (const id of pipeline.records.tracks.keys())
    pipeline.records.patchTrack(id, { availability: 'available', original_sha256: 'f'.repeat(64) });
  await pipeline.drop(dropped().map((file) => ({ ...file, seconds: file.seconds + 0.1 })));
  await pipeline.settled();
  const [review] = await pipeline.openReviews();
  expect(review).toMatchObject({ kind: 'replace', job_ids: { length: 7 } });
  expect(review?.variant).toBeUndefined();
  expect(review?.options.map(({ id }) => id)).toEqual(['keep', 'replace']);
});
