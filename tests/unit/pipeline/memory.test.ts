import { afterEach, describe, expect, test } from 'vitest';
import { openPipeline, type DroppedAudio } from './harness.ts';
import { notePublished, readCalibration, resetProfile, restoreProfile } from '#adapters/browser/calibration-store.ts';
import { forgetAll } from '#adapters/browser/memory-store.ts';
import { answerReview } from '#adapters/browser/pipeline/answer.ts';
import { retryJobs, undoJobs } from '#adapters/browser/pipeline/commands.ts';
import type { ReviewAnswer } from '#adapters/browser/api.ts';
import { SHIPPED_PROFILE } from '#core/music/profile.ts';

const TRACKS: [string, number][] = [
  ['Lantern Weather', 251],
  ['Slow Ferries', 198],
  ['Cordage', 305],
  ['The Pilot Sleeps', 172],
  ['Brackish', 264],
];
const CATALOG = [
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
const DOUBTFUL: DroppedAudio = {
  name: 'Slow Ferries.flac',
  seconds: 240,
  tags: { title: 'Slow Ferries', artist: 'The Mooring Lines', album: 'Harbour Songs', track: 2 },
  content: 'ferries',
};
const UNKNOWN: DroppedAudio = { name: 'zzqx unheard.flac', seconds: 77, content: 'unheard' };

type World = Awaited<ReturnType<typeof openPipeline>>;
let world: World;
afterEach(async () => {
  await world.stop();
  world.db.close();
});

async function answer(said: ReviewAnswer): Promise<void> {
  const [review] = await world.openReviews();
  expect(await answerReview(world.deps, review?.id ?? '', said, 'me')).toMatchObject({ ok: true });
  world.poke();
  await world.settled();
}

async function drop(files: DroppedAudio[], batch: Parameters<World['drop']>[1] = {}): Promise<void> {
  await world.drop(files, batch);
  await world.settled();
}

const newest = async () =>
  (await world.db.jobs.toArray()).sort((a, b) => Number(a.id.slice(2)) - Number(b.id.slice(2))).at(-1);
const contents = async (jobId: string) =>
  (await world.db.steps.where('job_id').equals(jobId).sortBy('step_number')).map((step) => step.content);

describe('remembered decisions', () => {
  test('REVIEW-30 a track that a person chose is chosen again for the same content, with the day on its chip', async () => {
    world = await openPipeline(CATALOG);
    await drop([DOUBTFUL]);
    expect(await world.openReviews()).toHaveLength(1);
    await answer({ kind: 'option', option_id: 'track:tr0-2' });
    const first = await newest();
    // The first is out of the way: published from elsewhere it would be a duplicate, on its way its twin would be.
    await world.db.jobs.update(first?.id ?? '', { status: 'COMPLETED', phase: 'published' });
    await drop([{ ...DOUBTFUL, name: 'again/02.flac' }]);
    const again = await newest();
    expect(await world.openReviews()).toEqual([]);
    expect(again).toMatchObject({ phase: 'waiting', matched_track_id: 'tr0-2', match_source: 'HUMAN_REVIEW' });
    expect(again?.reasons[0]).toMatchObject({ kind: 'chosen', label: 'you decided this on 1 Jan' });
    expect((await contents(again?.id ?? '')).join('\n')).toContain(
      'Remembered: the same content was decided on 1 Jan: it is "Slow Ferries".',
    );
  });

  test('REVIEW-30 while the same content is on its way it is a duplicate of that', async () => {
    world = await openPipeline(CATALOG);
    await drop([DOUBTFUL]);
    await answer({ kind: 'option', option_id: 'track:tr0-2' });
    const first = await newest();
    await drop([{ ...DOUBTFUL, name: 'again/02.flac' }]);
    expect(await newest()).toMatchObject({ phase: 'duplicate', duplicate_of: first?.id });
    expect(await world.openReviews()).toEqual([]);
  });

  test('REVIEW-30 an answer settles the question about the same content in another batch', async () => {
    world = await openPipeline(CATALOG);
    await drop([DOUBTFUL]);
    await drop([{ ...DOUBTFUL, name: 'again/02.flac' }]);
    expect(await world.openReviews()).toHaveLength(2);
    await answer({ kind: 'option', option_id: 'track:tr0-2' });
    expect(await world.openReviews()).toEqual([]);
  });

  test('REVIEW-30 "none of these" ends the same content without a question; retry forgets it and asks', async () => {
    world = await openPipeline(CATALOG);
    await drop([DOUBTFUL]);
    await answer({ kind: 'none' });
    await drop([{ ...DOUBTFUL, name: 'again/02.flac' }]);
    const again = await newest();
    expect(await world.openReviews()).toEqual([]);
    expect(again).toMatchObject({ phase: 'failed', failure: { code: 'rejected', retryable: true } });
    expect(again?.error_message).toContain('you said on 1 Jan that it is none of the candidates');
    expect(await retryJobs(world.deps, [again?.id ?? ''])).toBe(1);
    world.poke();
    await world.settled();
    expect(await world.openReviews()).toHaveLength(1);
    expect(await world.db.memory.count()).toBe(0);
  });

  test('REVIEW-30 where nothing was found, cancelling the question is the no that is remembered', async () => {
    world = await openPipeline(CATALOG);
    await drop([UNKNOWN]);
    expect((await world.openReviews())[0]?.kind).toBe('no_match');
    await answer({ kind: 'cancel' });
    await drop([{ ...UNKNOWN, name: 'again.flac' }]);
    expect(await world.openReviews()).toEqual([]);
    expect(await newest()).toMatchObject({ phase: 'failed', failure: { code: 'rejected' } });
  });

  test('REVIEW-31 after a no, what the catalog has got since and fits is taken all the same', async () => {
    world = await openPipeline(CATALOG.slice(1));
    const album = TRACKS.map(([title, seconds], at): DroppedAudio => ({
      name: `${String(at + 1).padStart(2, '0')} ${title}.flac`,
      seconds,
      tags: { title, artist: 'The Mooring Lines', album: 'Harbour Songs', track: at + 1 },
      content: `harbour ${at}`,
    }));
    await drop(album);
    for (const review of await world.openReviews()) await answerReview(world.deps, review.id, { kind: 'cancel' }, 'me');
    await world.db.artists.put({ id: 'ar9', name: 'The Mooring Lines' });
    await world.db.albums.put({
      ...{ id: 'al9', title: 'Harbour Songs', artist_id: 'ar9', artist: 'The Mooring Lines', year: null },
      ...{ is_compilation: false, discs: 1, track_count: 5 },
    });
    await world.db.tracks.bulkPut(
      TRACKS.map(([title, seconds], at) => ({
        ...{ id: `tr9-${at}`, album_id: 'al9', title, artist_id: 'ar9', artist: 'The Mooring Lines', disc: 1 },
        ...{ position: at + 1, duration_ms: seconds * 1000, availability: 'missing' as const },
      })),
    );
    await drop(album.map((file) => ({ ...file, name: `again/${file.name}` })));
    expect((await newest())?.phase).toBe('waiting');
  });

  test('REVIEW-31 a remembered track that left the catalog, or that a request does not want, is not used', async () => {
    world = await openPipeline(CATALOG);
    await drop([DOUBTFUL]);
    await answer({ kind: 'option', option_id: 'track:tr0-2' });
    await world.db.jobs.clear();
    await world.db.requests.put({
      ...{ id: 'rq', status: 'pending', album_id: 'al1', track_id: null, requested_by: 'me' },
      ...{ created_at: 1, fulfilled_at: null },
    });
    await drop([DOUBTFUL], { context_type: 'DOWNLOAD_REQUEST', context_id: 'rq' });
    expect((await newest())?.phase).toBe('review');
    await world.db.jobs.clear();
    await world.db.reviews.clear();
    await world.db.albums.delete('al0');
    await drop([DOUBTFUL]);
    expect((await newest())?.matched_track_id).toBeNull();
  });

  test('REVIEW-30 what was kept in the catalog stays kept; taking that back asks again', async () => {
    world = await openPipeline(CATALOG);
    await world.db.tracks.update('tr0-2', { availability: 'available' });
    const fitting = { ...DOUBTFUL, seconds: 198 };
    const album = TRACKS.map(([title, seconds], at): DroppedAudio => ({
      name: `Harbour Songs/${at + 1} ${title}.flac`,
      seconds,
      tags: { title, artist: 'The Mooring Lines', album: 'Harbour Songs', track: at + 1 },
      content: at === 1 ? 'ferries' : `other ${at}`,
    }));
    await drop(album);
    expect((await world.openReviews()).map((one) => one.kind)).toEqual(['replace']);
    await answer({ kind: 'option', option_id: 'keep' });
    await drop([{ ...fitting, name: 'again/02 Slow Ferries.flac' }]);
    const again = await newest();
    expect(again).toMatchObject({ phase: 'duplicate', duplicate_of: 'tr0-2' });
    expect(again?.duplicate_reason).toContain('you decided on 1 Jan to keep that');
    expect(await undoJobs(world.deps, [again?.id ?? ''])).toBe(1);
    expect(await world.db.memory.get(again?.sha256 ?? '')).toBeUndefined();
    expect(await world.openReviews()).toHaveLength(1);
  });

  test('REVIEW-32 taking a decision back forgets it; all can be forgotten; a demonstration teaches nothing', async () => {
    world = await openPipeline(CATALOG);
    await drop([DOUBTFUL]);
    await answer({ kind: 'option', option_id: 'track:tr0-2' });
    expect(await world.db.memory.count()).toBe(1);
    await undoJobs(world.deps, [(await newest())?.id ?? '']);
    expect(await world.db.memory.count()).toBe(0);
    await answer({ kind: 'option', option_id: 'track:tr0-1' });
    expect(await forgetAll(world.db)).toBe(1);
    await drop([{ ...DOUBTFUL, content: 'demo' }], { demo: true });
    await answer({ kind: 'option', option_id: 'track:tr0-3' });
    expect(await world.db.memory.count()).toBe(0);
  });
});

describe('local profile', () => {
  test('MATCH-31 an answer is a sample, a decision taken back and answered otherwise is a wrong one', async () => {
    world = await openPipeline(CATALOG);
    await drop([DOUBTFUL]);
    await answer({ kind: 'option', option_id: 'track:tr0-2' });
    const [right] = await world.db.samples.toArray();
    expect(right).toMatchObject({ kind: 'answer', proposed: 'tr0-2', right: true, weight: 1 });
    const before = await readCalibration(world.db);
    expect(before.answers + Number(before.stale)).toBeGreaterThan(0);
    await undoJobs(world.deps, [right?.id ?? '']);
    expect(await world.db.samples.get(right?.id ?? '')).toMatchObject({ right: null });
    await answer({ kind: 'option', option_id: 'track:tr0-1' });
    expect(await world.db.samples.get(right?.id ?? '')).toMatchObject({ kind: 'objection', right: false });
    await drop([{ ...DOUBTFUL, content: 'another' }]);
    const after = await readCalibration(world.db);
    expect(after).toMatchObject({ answers: 1, stale: false });
    expect(after.shift).toBeLessThan(0);
    expect((await newest())?.match?.why?.profile).toBe(`${SHIPPED_PROFILE.version}+local.${after.n}`);
  });

  test('MATCH-32 a reset is exactly the shipped profile, and can be taken back', async () => {
    world = await openPipeline(CATALOG);
    await drop([DOUBTFUL]);
    await answer({ kind: 'none' });
    await drop([{ ...DOUBTFUL, content: 'second' }]);
    const learned = await readCalibration(world.db);
    expect(learned.answers).toBe(1);
    const { before } = await resetProfile(world.db, world.deps.clock);
    await drop([{ ...DOUBTFUL, content: 'third' }]);
    expect((await newest())?.match?.why?.profile).toBe(SHIPPED_PROFILE.version);
    await restoreProfile(world.db, before);
    const back = await readCalibration(world.db);
    expect(back).toMatchObject({ answers: 1, shift: learned.shift, slope: learned.slope });
    expect(back.n).toBeGreaterThan(learned.n);
  });

  test('MATCH-31 what was published without objection is kept as weak evidence, and alone changes nothing', async () => {
    world = await openPipeline(CATALOG);
    await drop(
      TRACKS.map(([title, seconds], at) => ({
        name: `Harbour Songs/${at + 1} ${title}.flac`,
        seconds,
        tags: { title, artist: 'The Mooring Lines', album: 'Harbour Songs', track: at + 1 },
      })),
    );
    const job = await newest();
    expect(job?.match_source).toBe('AGENT');
    await notePublished(world.db, 5, job?.id ?? '');
    expect(await world.db.samples.toArray()).toMatchObject([{ kind: 'published', right: true, weight: 0.1 }]);
    expect((await readCalibration(world.db)).answers).toBe(0);
  });
});
