/** An answer row by row about the files of an album, through the run of the app. */
import { afterEach, expect, test } from 'vitest';
import { answerOf, selectedOption, type ReviewAnswer } from '#core/job/review.ts';
import { readRows, writeRows, type RowWord } from '#core/job/row-answer.ts';
import { openPipeline } from './harness.ts';

const TITLES = ['Lantern Weather', 'Undertow', 'Cordage', 'Saltworks', 'Northerly', 'Grey Pilot'];
const LENGTHS = [225, 252, 238, 301, 199, 263];
const tracks = TITLES.map((title, at): [string, number] => [title, LENGTHS[at] ?? 0]);
/** Two editions with the same music. */
const CATALOG = [
  { album: 'Harbour Songs', artist: 'Ida Strand', tracks },
  { album: 'Harbour Songs (Deluxe Edition)', artist: 'Ida Strand', tracks },
];
const FILES = tracks.map(([title, seconds], at) => ({
  name: `Harbour Songs/0${at + 1} - ${title}.flac`,
  seconds,
  tags: { title, artist: 'Ida Strand', track: at + 1 },
}));

let pipeline: Awaited<ReturnType<typeof openPipeline>>;
afterEach(() => pipeline.stop());

async function asked() {
  pipeline = await openPipeline(CATALOG);
  await pipeline.drop(FILES);
  await pipeline.settled();
  const [review] = await pipeline.openReviews();
  if (review?.kind !== 'album') throw new Error('the album was not asked about');
  const album = review.options.find(({ label }) => label === 'Harbour Songs')?.album;
  if (!album) throw new Error('no such album');
  const jobOf = (n: number): string => review.files.find(({ position }) => position === n)?.job_id ?? '';
  const trackOf = (n: number): string => album.pairs?.find(({ file_id }) => file_id === jobOf(n))?.track_id ?? '';
  const give = (rows: Record<string, RowWord>): Promise<unknown> =>
    pipeline.answerReview(review.id, { kind: 'rows', album_id: album.album_id, rows });
  return { review, album, jobOf, trackOf, give };
}

test('MATCH-113 of the files of an album one is asked about by itself, and the others are taken', async () => {
  const { jobOf, give } = await asked();
  await give({ [jobOf(3)]: 'ask' });
  await pipeline.settled();
  const jobs = await pipeline.settled();
  expect(jobs.filter(({ phase }) => phase === 'review').map(({ id }) => id)).toEqual([jobOf(3)]);
  expect(jobs.filter(({ matched_album }) => matched_album === 'Harbour Songs')).toHaveLength(5);
  const [left, ...others] = await pipeline.openReviews();
  expect([others, left?.kind, left?.job_ids]).toEqual([[], 'track', [jobOf(3)]]);
  // Its own question is answered as any other.
  const [first] = left?.options ?? [];
  await pipeline.answerReview(left?.id ?? '', { kind: 'option', option_id: first?.id ?? '' });
  await pipeline.settled();
  expect(await pipeline.openReviews()).toEqual([]);
});

test('MATCH-112 a file that was given a track keeps it, and the rest of the album is solved around it', async () => {
  const { jobOf, trackOf, give } = await asked();
  // The fifth is said to be the sixth track; the sixth finds no place of its own any more.
  await give({ [jobOf(5)]: `track:${trackOf(6)}` });
  await pipeline.settled();
  const jobs = new Map((await pipeline.settled()).map((job) => [job.id, job]));
  expect(jobs.get(jobOf(5))?.matched_title).toBe('Grey Pilot');
  expect(jobs.get(jobOf(5))?.match_source).toBe('HUMAN_REVIEW');
  expect(jobs.get(jobOf(6))?.phase).toBe('review');
  expect(jobs.get(jobOf(4))?.matched_title).toBe('Saltworks');
});

test('MATCH-113 UI-227 two files may change places, one is left out, and all is taken back together', async () => {
  const { jobOf, trackOf, give, review } = await asked();
  await give({ [jobOf(1)]: `track:${trackOf(2)}`, [jobOf(2)]: `track:${trackOf(1)}`, [jobOf(4)]: 'none' });
  await pipeline.settled();
  const titles = async () => Object.fromEntries((await pipeline.settled()).map((job) => [job.id, job.matched_title]));
  expect(await titles()).toMatchObject({
    [jobOf(1)]: 'Undertow',
    [jobOf(2)]: 'Lantern Weather',
    [jobOf(3)]: 'Cordage',
  });
  expect((await pipeline.settled()).find(({ id }) => id === jobOf(4))?.error_message).toContain('you left it out');
  await pipeline.undo(review.job_ids);
  await pipeline.settled();
  const again = await pipeline.openReviews();
  expect(again.flatMap(({ job_ids }) => job_ids).sort()).toEqual([...review.job_ids].sort());
  // UI-227: in the place where it stood.
  expect(again.map(({ created_at }) => created_at)).toEqual([review.created_at]);
});

test('MATCH-113 what is no answer row by row is refused and changes nothing', async () => {
  const { review, album, jobOf, trackOf } = await asked();
  const refused = async (answer: ReviewAnswer): Promise<string | undefined> => {
    const result = await pipeline.answerReview(review.id, answer);
    return result.ok ? undefined : result.failure.code;
  };
  const of = (rows: Record<string, RowWord>, album_id: string | null = album.album_id): ReviewAnswer => ({
    ...{ kind: 'rows', album_id, rows },
  });
  expect(await refused(of({ [jobOf(1)]: 'track:nothing' }))).toBe('not_found');
  expect(await refused(of({}, 'no album'))).toBe('not_found');
  expect(await refused(of({}, null))).toBe('invalid');
  expect(await refused(of({ stranger: 'ask' }))).toBe('invalid');
  expect(await refused(of({ [jobOf(1)]: `track:${trackOf(3)}`, [jobOf(2)]: `track:${trackOf(3)}` }))).toBe('invalid');
  expect((await pipeline.openReviews()).map(({ id }) => id)).toEqual([review.id]);
});

test('MATCH-113 an answer row by row is stored as one word and read back as it was', () => {
  const rows: Record<string, RowWord> = { 'job 1': 'track:tr&=_ä', j2: 'none', j3: 'ask' };
  for (const album_id of ['al:1 & more', null]) {
    const answer: ReviewAnswer = { kind: 'rows', album_id, rows };
    expect(answerOf(selectedOption(answer))).toEqual(answer);
  }
  expect(readRows('album:al_1')).toBeNull();
  expect(readRows('rows:album=a&j1=perhaps')).toBeNull();
  expect(writeRows({ album_id: 'a', rows: { j1: 'ask' } })).toBe('rows:album=a&j1=ask');
});
