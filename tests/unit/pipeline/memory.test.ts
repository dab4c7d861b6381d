import { afterEach, describe, expect, test, vi } from 'vitest';
import type { DroppedAudio } from './harness.ts';
import { albumFiles, CATALOG, DOUBTFUL, openWorld, TRACKS } from './remembering.ts';
import {
  notePublished,
  readCalibration,
  resetProfile,
  restoreProfile,
} from '#lanes/music/browser/learning/calibration-store.ts';
import { forgetAll, trimMemory } from '#lanes/music/browser/learning/memory-store.ts';
import { answerReview } from '#adapters/browser/pipeline/answer.ts';
import { retryJobs, undoJobs } from '#adapters/browser/pipeline/commands.ts';
import { SHIPPED_PROFILE } from '#lanes/music/core/calibration/profile.ts';

const UNKNOWN: DroppedAudio = { name: 'zzqx unheard.flac', seconds: 77, content: 'unheard' };

type World = Awaited<ReturnType<typeof openWorld>>;
let world: World;
afterEach(async () => {
  await world.stop();
  world.db.close();
});
const drop: World['drop'] = (...said) => world.drop(...said);
const answer: World['answer'] = (said) => world.answer(said);
const newest: World['newest'] = () => world.newest();
const contents: World['contents'] = (jobId) => world.contents(jobId);

describe('remembered decisions', () => {
  test('REVIEW-30, REVIEW-40 a track that a person chose is chosen again for the same content, with the day on its chip', async () => {
    world = await openWorld(CATALOG);
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

  test('REVIEW-30, REVIEW-40 while the same content is on its way it is a duplicate of that', async () => {
    world = await openWorld(CATALOG);
    await drop([DOUBTFUL]);
    await answer({ kind: 'option', option_id: 'track:tr0-2' });
    const first = await newest();
    await drop([{ ...DOUBTFUL, name: 'again/02.flac' }]);
    expect(await newest()).toMatchObject({ phase: 'duplicate', duplicate_of: first?.id });
    expect(await world.openReviews()).toEqual([]);
  });

  test('REVIEW-30 an answer settles the question about the same content in another batch', async () => {
    world = await openWorld(CATALOG);
    await drop([DOUBTFUL]);
    await drop([{ ...DOUBTFUL, name: 'again/02.flac' }]);
    expect(await world.openReviews()).toHaveLength(2);
    await answer({ kind: 'option', option_id: 'track:tr0-2' });
    expect(await world.openReviews()).toEqual([]);
  });

  test('REVIEW-30, REVIEW-40 "none of these" ends the same content without a question; retry forgets it and asks', async () => {
    world = await openWorld(CATALOG);
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

  test('REVIEW-30, REVIEW-39 what is put off or was never shown is not remembered: to cancel is no "none of these"', async () => {
    world = await openWorld(CATALOG);
    await drop([UNKNOWN]);
    expect((await world.openReviews())[0]?.kind).toBe('no_match');
    await answer({ kind: 'cancel' });
    await drop([{ ...UNKNOWN, name: 'again.flac' }]);
    expect(await world.openReviews()).toMatchObject([{ kind: 'no_match' }]);
    await answer({ kind: 'none' });
    expect(await world.db.memory.count()).toBe(0);
    await drop([DOUBTFUL]);
    await answer({ kind: 'cancel' });
    expect(await world.db.memory.count()).toBe(0);
    await drop([DOUBTFUL]);
    const [asked] = await world.openReviews();
    const matched = (await newest())?.match?.options ?? [];
    expect(matched.length).toBeGreaterThan(asked?.options.length ?? 0);
    await answer({ kind: 'none' });
    const [row] = await world.db.memory.toArray();
    expect(row?.refused).toEqual(asked?.options.map(({ id }) => id));
  });

  test('REVIEW-31, REVIEW-41 after a no, what the catalog has got since and fits is taken all the same', async () => {
    world = await openWorld(CATALOG.slice(1));
    const album = albumFiles();
    await drop(album);
    const refused = {
      kind: 'none',
      track_id: null,
      refused: ['album:al1'],
      at: 1,
      catalog_id: null,
      track: null,
    } as const;
    for (const review of await world.openReviews()) await answerReview(world.deps, review.id, { kind: 'none' }, 'me');
    await world.db.memory.bulkPut(
      (await world.db.jobs.toArray()).map((job) => ({
        ...refused,
        refused: [...refused.refused],
        sha256: job.sha256 ?? '',
      })),
    );
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
    world = await openWorld(CATALOG);
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

  test('REVIEW-30, REVIEW-40 what was kept in the catalog stays kept; taking that back asks again', async () => {
    world = await openWorld(CATALOG);
    await world.db.tracks.update('tr0-2', { availability: 'available' });
    const fitting = { ...DOUBTFUL, seconds: 198 };
    await drop(albumFiles().map((file, at) => (at === 1 ? { ...file, content: 'ferries' } : file)));
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

  test('REVIEW-32, REVIEW-44 taking a decision back forgets it; all can be forgotten; a demonstration teaches nothing', async () => {
    world = await openWorld(CATALOG);
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

  test('REVIEW-32, REVIEW-44 the newest are kept; an answer does not count the table', async () => {
    world = await openWorld(CATALOG);
    const row = { kind: 'none', track_id: null, refused: [] } as const;
    await world.db.memory.bulkPut([3, 1, 2].map((at) => ({ ...row, refused: [], sha256: `s${at}`, at })));
    const count = vi.spyOn(world.db.memory, 'count');
    await drop([DOUBTFUL]);
    await answer({ kind: 'option', option_id: 'track:tr0-2' });
    expect(count).not.toHaveBeenCalled();
    await trimMemory(world.db, 2);
    expect((await world.db.memory.orderBy('at').toArray()).map(({ at }) => at)).toEqual([3, 1000]);
  });
});

describe('local profile', () => {
  test('MATCH-31, MATCH-61 an answer is a sample, a decision taken back and answered otherwise is a wrong one', async () => {
    world = await openWorld(CATALOG);
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
    world = await openWorld(CATALOG);
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
    world = await openWorld(CATALOG);
    await drop(albumFiles());
    const job = await newest();
    expect(job?.match_source).toBe('AGENT');
    await notePublished(world.db, 5, job?.id ?? '');
    expect(await world.db.samples.toArray()).toMatchObject([{ kind: 'published', right: true, weight: 0.1 }]);
    // The next fit has it before it.
    await world.db.meta.put({ key: 'calibration', value: { ...(await readCalibration(world.db)), stale: true } });
    await drop([DOUBTFUL]);
    expect(await readCalibration(world.db)).toMatchObject({ answers: 0, stale: false, slope: 1, shift: 0 });
    expect((await newest())?.match?.why?.profile).toBe(SHIPPED_PROFILE.version);
  });

  test('MATCH-32, MATCH-62 a match of before an update of the app is no sample: what it did not explain is not known', async () => {
    world = await openWorld(CATALOG);
    for (const [profile, samples] of [
      ['gone 1+local.4', 0],
      [`${SHIPPED_PROFILE.version}+local.4`, 1],
    ] as const) {
      await drop([{ ...DOUBTFUL, content: profile }]);
      await world.db.jobs
        .filter((job) => job.phase === 'review')
        .modify((job) => {
          if (job.match?.why) job.match.why.profile = profile;
        });
      await answer({ kind: 'option', option_id: 'track:tr0-2' });
      expect(await world.db.samples.count()).toBe(samples);
    }
  });
});
