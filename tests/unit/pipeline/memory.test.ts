import { afterEach, describe, expect, test, vi } from 'vitest';
import { SHIPPED_PROFILE } from '#lanes/music/core/calibration/profile.ts';
import { notePublished, resetProfile, restoreProfile } from '#lanes/music/core/learning/learn.ts';
import { MemoryMusicRows } from '#lanes/music/core/learning/memory-rows.ts';
import type { DroppedAudio } from './harness.ts';
import { albumFiles, CATALOG, DOUBTFUL, openWorld, TRACKS } from './remembering.ts';

/** A track of many albums. */
const ANYWHERE: DroppedAudio = {
  ...DOUBTFUL,
  seconds: 198,
  tags: { title: 'Slow Ferries', artist: 'The Mooring Lines' },
};
const UNKNOWN: DroppedAudio = { name: 'zzqx unheard.flac', seconds: 77, content: 'unheard' };

type World = Awaited<ReturnType<typeof openWorld>>;
let world: World;
afterEach(() => world.stop());
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
    await world.store.patchJob(first?.id ?? '', { status: 'COMPLETED', phase: 'published' });
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
    expect(await world.retry([again?.id ?? ''])).toBe(1);
    world.poke();
    await world.settled();
    expect(await world.openReviews()).toHaveLength(1);
    expect(world.store.allRemembered()).toHaveLength(0);
  });

  test('REVIEW-30, REVIEW-39 what is put off or was never shown is not remembered: to cancel is no "none of these"', async () => {
    const others = ['Ferry Nights', 'Live at the Pier', 'Singles', 'Demos'].map((album) => ({
      ...{ album, artist: 'The Mooring Lines', tracks: [['Slow Ferries', 198] as [string, number]] },
    }));
    world = await openWorld([...CATALOG, ...others]);
    await drop([UNKNOWN]);
    expect((await world.openReviews())[0]?.kind).toBe('no_match');
    await answer({ kind: 'cancel' });
    await drop([{ ...UNKNOWN, name: 'again.flac' }]);
    expect(await world.openReviews()).toMatchObject([{ kind: 'no_match' }]);
    await answer({ kind: 'none' });
    expect(world.store.allRemembered()).toHaveLength(0);
    await drop([ANYWHERE]);
    await answer({ kind: 'cancel' });
    expect(world.store.allRemembered()).toHaveLength(0);
    await drop([ANYWHERE]);
    const [asked] = await world.openReviews();
    const matched = (await newest())?.match?.options ?? [];
    expect(matched.length).toBeGreaterThan(asked?.options.length ?? 0);
    await answer({ kind: 'none' });
    const [row] = world.store.allRemembered();
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
    for (const review of await world.openReviews()) await world.answerReview(review.id, { kind: 'none' });
    await world.store.put(async ({ lanes: { music } }) => {
      for (const { sha256 } of world.store.allJobs())
        await music.remember({ ...refused, refused: [...refused.refused], sha256: sha256 ?? '' });
    });
    const { artists, albums, tracks } = world.records;
    artists.set('ar9', { id: 'ar9', name: 'The Mooring Lines' });
    albums.set('al9', {
      ...{ id: 'al9', title: 'Harbour Songs', artist_id: 'ar9', artist: 'The Mooring Lines', year: null },
      ...{ is_compilation: false, discs: 1, track_count: 5 },
    });
    for (const [at, [title, seconds]] of TRACKS.entries())
      tracks.set(`tr9-${at}`, {
        ...{ id: `tr9-${at}`, album_id: 'al9', title, artist_id: 'ar9', artist: 'The Mooring Lines', disc: 1 },
        ...{ position: at + 1, duration_ms: seconds * 1000, availability: 'missing' as const },
      });
    await drop(album.map((file) => ({ ...file, name: `again/${file.name}` })));
    expect((await newest())?.phase).toBe('waiting');
  });

  test('REVIEW-31 a remembered track that left the catalog, or that a request does not want, is not used', async () => {
    world = await openWorld(CATALOG);
    await drop([DOUBTFUL]);
    await answer({ kind: 'option', option_id: 'track:tr0-2' });
    await world.store.clearJobs();
    world.records.requests.set('rq', {
      ...{ id: 'rq', status: 'pending', album_id: 'al1', track_id: null, requested_by: 'me' },
      ...{ created_at: 1, fulfilled_at: null },
    });
    await drop([DOUBTFUL], { context_type: 'DOWNLOAD_REQUEST', context_id: 'rq' });
    expect((await newest())?.phase).toBe('review');
    await world.store.clearJobs();
    await world.store.put((rows) => rows.deleteReviews(world.store.allReviews().map(({ id }) => id)));
    world.records.albums.delete('al0');
    await drop([DOUBTFUL]);
    expect((await newest())?.matched_track_id).toBeNull();
  });

  test('REVIEW-30, REVIEW-40 what was kept in the catalog stays kept; taking that back asks again', async () => {
    world = await openWorld(CATALOG);
    world.records.patchTrack('tr0-2', { availability: 'available' });
    const fitting = { ...DOUBTFUL, seconds: 198 };
    await drop(albumFiles().map((file, at) => (at === 1 ? { ...file, content: 'ferries' } : file)));
    expect((await world.openReviews()).map((one) => one.kind)).toEqual(['replace']);
    await answer({ kind: 'option', option_id: 'keep' });
    await drop([{ ...fitting, name: 'again/02 Slow Ferries.flac' }]);
    const again = await newest();
    expect(again).toMatchObject({ phase: 'duplicate', duplicate_of: 'tr0-2' });
    expect(again?.duplicate_reason).toContain('you decided on 1 Jan to keep that');
    expect(await world.undo([again?.id ?? ''])).toBe(1);
    expect(world.store.allRemembered().map((row) => row.sha256)).not.toContain(again?.sha256);
    expect(await world.openReviews()).toHaveLength(1);
  });

  test('REVIEW-32, REVIEW-44 taking a decision back forgets it; all can be forgotten; a demonstration teaches nothing', async () => {
    world = await openWorld(CATALOG);
    await drop([DOUBTFUL]);
    await answer({ kind: 'option', option_id: 'track:tr0-2' });
    expect(world.store.allRemembered()).toHaveLength(1);
    await world.undo([(await newest())?.id ?? '']);
    expect(world.store.allRemembered()).toHaveLength(0);
    await answer({ kind: 'option', option_id: 'track:tr0-1' });
    expect(await world.store.change(({ lanes: { music } }) => music.forgetAll())).toBe(1);
    await drop([{ ...DOUBTFUL, content: 'demo' }], { demo: true });
    await answer({ kind: 'option', option_id: 'track:tr0-3' });
    expect(world.store.allRemembered()).toHaveLength(0);
  });

  test('REVIEW-32, REVIEW-44 the newest are kept; an answer does not count the table', async () => {
    // Who begins to work deletes the oldest; tests/contract/music-rows.test.ts holds which those are.
    const trim = vi.spyOn(MemoryMusicRows.prototype, 'trimRemembered');
    world = await openWorld(CATALOG);
    await expect.poll(() => trim.mock.calls).toEqual([[200_000]]);
    await drop([DOUBTFUL]);
    await answer({ kind: 'option', option_id: 'track:tr0-2' });
    expect(trim).toHaveBeenCalledTimes(1);
  });
});

describe('local profile', () => {
  test('MATCH-31, MATCH-61 an answer is a sample, a decision taken back and answered otherwise is a wrong one', async () => {
    world = await openWorld(CATALOG);
    await drop([DOUBTFUL]);
    await answer({ kind: 'option', option_id: 'track:tr0-2' });
    const [right] = world.store.allSamples();
    expect(right).toMatchObject({ kind: 'answer', proposed: 'tr0-2', right: true, weight: 1 });
    const before = await world.store.lanes.music.calibration();
    expect(before.answers + Number(before.stale)).toBeGreaterThan(0);
    await world.undo([right?.id ?? '']);
    expect(await world.store.lanes.music.sample(right?.id ?? '')).toMatchObject({ right: null });
    await answer({ kind: 'option', option_id: 'track:tr0-1' });
    expect(await world.store.lanes.music.sample(right?.id ?? '')).toMatchObject({ kind: 'objection', right: false });
    await drop([{ ...DOUBTFUL, content: 'another' }]);
    const after = await world.store.lanes.music.calibration();
    expect(after).toMatchObject({ answers: 1, stale: false });
    expect(after.shift).toBeLessThan(0);
    expect((await newest())?.match?.why?.profile).toBe(`${SHIPPED_PROFILE.version}+local.${after.n}`);
  });

  test('MATCH-32 a reset is exactly the shipped profile, and can be taken back', async () => {
    world = await openWorld(CATALOG);
    await drop([DOUBTFUL]);
    await answer({ kind: 'none' });
    await drop([{ ...DOUBTFUL, content: 'second' }]);
    const learned = await world.store.lanes.music.calibration();
    expect(learned.answers).toBe(1);
    const { before } = await resetProfile(world.store, world.deps.clock);
    await drop([{ ...DOUBTFUL, content: 'third' }]);
    expect((await newest())?.match?.why?.profile).toBe(SHIPPED_PROFILE.version);
    await restoreProfile(world.store, before);
    const back = await world.store.lanes.music.calibration();
    expect(back).toMatchObject({ answers: 1, shift: learned.shift, slope: learned.slope });
    expect(back.n).toBeGreaterThan(learned.n);
  });

  test('MATCH-31 what was published without objection is kept as weak evidence, and alone changes nothing', async () => {
    world = await openWorld(CATALOG);
    await drop(albumFiles());
    const job = await newest();
    expect(job?.match_source).toBe('AGENT');
    await notePublished(world.store, 5, job?.id ?? '');
    expect(world.store.allSamples()).toMatchObject([{ kind: 'published', right: true, weight: 0.1 }]);
    // The next fit has it before it.
    const kept = await world.store.lanes.music.calibration();
    await world.store.put(({ lanes: { music } }) => music.putCalibration({ ...kept, stale: true }));
    await drop([DOUBTFUL]);
    expect(await world.store.lanes.music.calibration()).toMatchObject({ answers: 0, stale: false, slope: 1, shift: 0 });
    expect((await newest())?.match?.why?.profile).toBe(SHIPPED_PROFILE.version);
  });

  test('MATCH-32, MATCH-62 a match of before an update of the app is no sample: what it did not explain is not known', async () => {
    world = await openWorld(CATALOG);
    for (const [profile, samples] of [
      ['gone 1+local.4', 0],
      [`${SHIPPED_PROFILE.version}+local.4`, 1],
    ] as const) {
      await drop([{ ...DOUBTFUL, content: profile }]);
      for (const { id, phase, match } of world.store.allJobs())
        if (phase === 'review' && match?.why)
          await world.store.patchJob(id, { match: { ...match, why: { ...match.why, profile } } });
      await answer({ kind: 'option', option_id: 'track:tr0-2' });
      expect(world.store.allSamples()).toHaveLength(samples);
    }
  });
});
