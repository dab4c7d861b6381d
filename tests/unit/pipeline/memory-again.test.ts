import { afterEach, describe, expect, test } from 'vitest';
import { failure } from '#core/errors.ts';
import { applyEvent } from '#core/job/apply.ts';
import type { DroppedAudio } from './harness.ts';
import { albumFiles, CATALOG, DOUBTFUL, openWorld, TRACKS } from './remembering.ts';

let world: Awaited<ReturnType<typeof openWorld>>;
afterEach(() => world.stop());

const FERRIES = { kind: 'option', option_id: 'track:tr0-2' } as const;

describe('REVIEW-31 another catalog', () => {
  test.each<[string, () => Promise<void> | void]>([
    ['the same ids in another catalog', () => void (world.records.catalogId = 'other')],
    ['another title', () => world.records.patchTrack('tr0-2', { title: 'Slow Ferries (reprise)' })],
    ['another length', () => world.records.patchTrack('tr0-2', { duration_ms: 197_000 })],
    ['another album', () => world.records.patchTrack('tr0-2', { album_id: 'al1' })],
    [
      'a row of the first form',
      () =>
        world.store.put(async ({ lanes: { music } }) => {
          for (const { catalog_id: _, track: __, ...row } of world.store.allRemembered()) await music.remember(row);
        }),
    ],
  ])('REVIEW-43 %s: it is asked once more, and the answer is remembered anew', async (_what, change) => {
    world = await openWorld();
    await world.drop([DOUBTFUL]);
    await world.answer(FERRIES);
    await world.store.clearJobs();
    await change();
    await world.drop([DOUBTFUL]);
    expect(await world.newest()).toMatchObject({ phase: 'review', matched_track_id: null });
    await world.answer(FERRIES);
    await world.store.clearJobs();
    await world.drop([DOUBTFUL]);
    expect(await world.newest()).toMatchObject({ phase: 'waiting', matched_track_id: 'tr0-2' });
  });
});

describe('REVIEW-34 a copy of what is on its way', () => {
  async function copied() {
    world = await openWorld();
    await world.drop([DOUBTFUL]);
    await world.answer(FERRIES);
    const holder = (await world.newest())?.id ?? '';
    await world.drop([{ ...DOUBTFUL, name: 'again/02.flac' }]);
    const copy = await world.newest();
    expect(copy).toMatchObject({ phase: 'duplicate', duplicate_of: holder });
    return { holder, copy: copy?.id ?? '' };
  }

  test('is published where that is cancelled', async () => {
    const { holder, copy } = await copied();
    expect(await world.cancel([holder])).toBe(1);
    await world.settle();
    expect(await world.store.job(copy)).toMatchObject({
      ...{ phase: 'waiting', matched_track_id: 'tr0-2', duplicate_of: null, completed_at: null },
    });
    expect((await world.contents(copy)).join('\n')).toContain('will not be published: it is matched again');
  });

  test('is published where that fails', async () => {
    const { holder, copy } = await copied();
    const event = { type: 'failed', failure: failure('server_error', 'refused') } as const;
    await world.store.change((rows) => applyEvent(rows, world.deps, holder, event));
    await world.settle();
    expect((await world.store.job(copy))?.phase).toBe('waiting');
  });

  test('is asked about where the decision is taken back, and follows the new one', async () => {
    const { holder, copy } = await copied();
    expect(await world.undo([holder])).toBe(1);
    await world.settle();
    expect((await world.store.job(copy))?.phase).toBe('review');
    const own = (await world.openReviews()).find((review) => review.job_ids.includes(holder));
    await world.answerReview(own?.id ?? '', { kind: 'option', option_id: 'track:tr0-1' });
    await world.settle();
    expect(await world.store.job(copy)).toMatchObject({ phase: 'duplicate', duplicate_of: holder });
    expect(await world.openReviews()).toEqual([]);
  });
});

describe('REVIEW-45 what is a duplicate of a file that fails', () => {
  const refused = { type: 'failed', failure: failure('conversion_failed', 'the audio broke off') } as const;

  async function twoOfOneTrack(more: Partial<DroppedAudio> = {}) {
    world = await openWorld();
    const [first] = albumFiles();
    if (first === undefined) expect.unreachable();
    await world.drop([first, { ...first, name: 'Harbour Songs/copy.flac', content: 'another rip', ...more }]);
    const [taken, twin] = ['waiting', 'duplicate'].map((phase) =>
      world.store.allJobs().find((job) => job.phase === phase),
    );
    expect(twin).toMatchObject({ status: 'COMPLETED', duplicate_of: taken?.id });
    return { taken: taken?.id ?? '', twin: twin?.id ?? '' };
  }

  test('another file of the track takes its place', async () => {
    const { taken, twin } = await twoOfOneTrack();
    await world.store.change((rows) => applyEvent(rows, world.deps, taken, refused));
    await world.settle();
    expect(await world.store.job(twin)).toMatchObject({
      phase: 'waiting',
      matched_track_id: 'tr0-1',
      duplicate_of: null,
    });
  });

  test('the same content, which was never stored, fails with it and says which file it was', async () => {
    const { taken, twin } = await twoOfOneTrack({ content: 'harbour 0' });
    await world.store.change((rows) => applyEvent(rows, world.deps, twin, { type: 'freed' }));
    await world.store.change((rows) => applyEvent(rows, world.deps, taken, refused));
    await world.settle();
    const failed = await world.store.job(twin);
    expect(failed).toMatchObject({ status: 'FAILED', duplicate_of: null, failure: { retryable: false } });
    const names = [twin, taken].map((id) => world.store.allJobs().find((job) => job.id === id)?.original_filename);
    expect(failed?.error_message).toBe(
      `"${names[0]}" has the same content as "${names[1]}", which failed: the audio broke off`,
    );
  });

  test('nothing happens where that is cancelled: its person did not want the track', async () => {
    const { taken, twin } = await twoOfOneTrack();
    await world.cancel([taken]);
    await world.settle();
    expect((await world.store.job(twin))?.phase).toBe('duplicate');
  });
});

test('REVIEW-31, REVIEW-42 where the files beside it prove another album, the remembered track is offered, not taken', async () => {
  const other: [string, number][] = [
    ['Night Ports', 221],
    ['Slow Ferries', 198],
    ['Customs House', 187],
    ['Breakwater', 243],
    ['Tide Tables', 276],
  ];
  world = await openWorld([...CATALOG, { album: 'Night Ports', artist: 'The Mooring Lines', tracks: other }]);
  const file = {
    name: 'Slow Ferries.flac',
    seconds: 198,
    tags: { title: 'Slow Ferries', artist: 'The Mooring Lines' },
  };
  await world.drop([{ ...file, content: 'both' }]);
  await world.answer(FERRIES);
  await world.store.clearJobs();
  const album = other.map(([title, seconds], at) => ({
    name: `Night Ports/${at + 1} ${title}.flac`,
    seconds,
    tags: { title, artist: 'The Mooring Lines' },
    content: at === 1 ? 'both' : `night ${at}`,
  }));
  await world.drop(album);
  const [review, more] = await world.openReviews();
  expect(more).toBeUndefined();
  expect(review?.options.slice(0, 2).map(({ id }) => id)).toEqual(['track:tr2-2', 'track:tr0-2']);
  expect(review?.reasoning).toContain('you said "Slow Ferries" on "Harbour Songs" on 1 Jan');
  expect((await world.contents(review?.job_id ?? '')).join('\n')).toContain(
    'it fits another track, so it is asked about',
  );
  expect(world.store.allJobs().filter((job) => job.phase === 'waiting')).toHaveLength(4);
  await world.answer({ kind: 'option', option_id: 'track:tr2-2' });
  expect(await world.store.job(review?.job_id ?? '')).toMatchObject({ phase: 'waiting', matched_track_id: 'tr2-2' });
});

describe('answers about several files', () => {
  test('REVIEW-30 MATCH-31, MATCH-60 accepted together, each is remembered and a sample, and one answer counts once', async () => {
    world = await openWorld();
    await world.drop(albumFiles({ 1: 6, 3: 7 }));
    expect(await world.openReviews()).toMatchObject([{ kind: 'tracks', job_ids: { length: 2 } }]);
    await world.answer({ kind: 'option', option_id: 'accept' });
    expect(await world.openReviews()).toEqual([]);
    const rows = world.store.allRemembered();
    expect(rows.map(({ kind, track_id }) => `${kind} ${track_id}`).sort()).toEqual(['track tr0-2', 'track tr0-4']);
    expect(rows[0]?.track).toMatchObject({ album_id: 'al0' });
    const samples = world.store.allSamples();
    expect(samples.map(({ right, weight }) => [right, weight])).toEqual([
      [true, 0.5],
      [true, 0.5],
    ]);
  });

  test.each([
    ['the one it proposed', 0],
    ['the other', 1],
  ])(
    'REVIEW-30 MATCH-31 an album chosen (%s): the plan remembers each track and settles its sample',
    async (_which, at) => {
      world = await openWorld(
        [undefined, 1999].flatMap((year) => CATALOG.slice(0, 1).map((one) => ({ ...one, ...(year && { year }) }))),
      );
      await world.drop(albumFiles());
      const [review] = await world.openReviews();
      expect(review).toMatchObject({ kind: 'album', options: { length: 2 } });
      const proposed = (await world.newest())?.match?.track_id?.slice(0, 3) ?? '';
      const chosen = ['tr0', 'tr1'].find((album) => (album === proposed) === (at === 0)) ?? '';
      await world.answer({ kind: 'option', option_id: chosen.replace('tr', 'album:al') });
      expect(world.store.allJobs().every((job) => job.phase === 'waiting')).toBe(true);
      const rows = world.store.allRemembered();
      expect(rows.map(({ track_id }) => track_id).sort()).toEqual(TRACKS.map((_, n) => `${chosen}-${n + 1}`));
      const samples = world.store.allSamples();
      expect(samples).toHaveLength(TRACKS.length);
      expect(samples.every(({ right, weight }) => right === (at === 0) && weight === 0.2)).toBe(true);
    },
  );

  test('REVIEW-33 clearing takes answered questions of which no file is left; what was learned stays', async () => {
    world = await openWorld();
    await world.drop(albumFiles({ 1: 6, 3: 7 }));
    const [review] = await world.openReviews();
    const [first = '', second = ''] = review?.job_ids ?? [];
    await world.answer({ kind: 'option', option_id: 'accept' });
    await world.store.patchJobs({ status: 'COMPLETED', phase: 'published' });
    await world.clear([first]);
    expect(world.store.allReviews()).toHaveLength(1);
    await world.store.put(async ({ lanes: { music } }) => {
      const sample = await music.sample(second);
      if (sample) await music.putSample({ ...sample, right: null });
    });
    await world.clear([second]);
    expect(world.store.allReviews()).toHaveLength(0);
    expect(world.store.allSamples().map(({ id }) => id)).toEqual([first]);
    expect(world.store.allRemembered()).toHaveLength(2);
  });
});
