import { afterEach, describe, expect, test } from 'vitest';
import { failure } from '#core/errors.ts';
import { fail, ok } from '#core/result.ts';
import type { MusicJob } from '#lanes/music/core/types.ts';
import { converted, openPipeline, type DroppedAudio } from './harness.ts';

const HARBOUR: [string, number][] = [
  ['Lantern Weather', 251],
  ['Slow Ferries', 198],
  ['Cordage', 305],
  ['The Pilot Sleeps', 172],
  ['Brackish', 264],
  ['Undertow Hymn', 333],
  ['Gulls at Noon', 187],
  ['Salt Ledger', 229],
];
const CATALOG = [
  { album: 'Harbour Songs', artist: 'The Mooring Lines', year: 1997, tracks: HARBOUR },
  {
    album: 'Copper Valley',
    artist: 'Ida Strand',
    tracks: [
      ['Ore', 211],
      ['Smelter Waltz', 247],
      ['Night Shift', 301],
    ] as [string, number][],
  },
];

let pipeline: Awaited<ReturnType<typeof openPipeline>>;
afterEach(async () => {
  await pipeline.stop();
});

const tagged = (at: number): DroppedAudio => {
  const [title, seconds] = HARBOUR[at] ?? ['', 0];
  const tags = { title, artist: 'The Mooring Lines', album: 'Harbour Songs', track: at + 1 };
  return { name: `Harbour Songs/${String(at + 1).padStart(2, '0')} - ${title}.flac`, seconds, tags };
};
const ALBUM = HARBOUR.map((_, at) => tagged(at));

describe('pipeline', () => {
  test('an album with tags goes from drop to outbox without a question, and says why', async () => {
    pipeline = await openPipeline(CATALOG);
    await pipeline.drop(ALBUM);
    const jobs = await pipeline.settled();
    expect(jobs.map((job) => [job.phase, job.matched_track_id])).toEqual(
      HARBOUR.map((_, at) => ['waiting', `tr0-${at + 1}`]),
    );
    expect(pipeline.store.allOutbox().length).toBe(8);
    const types = (await pipeline.store.steps(jobs[0]?.id ?? '')).map((step) => step.step_type);
    expect(types).toEqual(expect.arrayContaining(['ToolCall', 'ToolResult', 'Decision', 'Action']));
    expect(pipeline.conversions[0]?.tags).toMatchObject({
      ALBUM: 'Harbour Songs',
      ALBUMARTIST: 'The Mooring Lines',
      DATE: '1997',
    });
  });

  test('JOB-4 a tab that died in the middle of everything goes on, and nothing is published twice', async () => {
    pipeline = await openPipeline(CATALOG);
    let release = (): void => undefined;
    pipeline.setConvert(
      () =>
        new Promise((resolve) => {
          release = () => resolve(fail(failure('worker_died', 'gone')));
        }),
    );
    await pipeline.drop(ALBUM.slice(0, 3));
    await expect.poll(() => pipeline.store.allJobs().filter((job) => job.phase === 'converting').length).toBe(2);
    await expect.poll(() => pipeline.conversions.length).toBe(2);
    await pipeline.stop();
    release();
    pipeline.setConvert(async (request) => ({
      ok: true,
      value: {
        sha256: '0'.repeat(63) + request.job_id.at(-1),
        size: 1,
        duration_ms: 1,
        conversion_reason: 'x',
        verified: [],
      },
    }));
    await pipeline.start();
    const jobs = await pipeline.settled();
    expect(jobs.every((job) => job.phase === 'waiting')).toBe(true);
    expect(pipeline.store.allOutbox().length).toBe(3);
    expect(pipeline.conversions.length).toBe(2 + 3);
  });

  test('REVIEW-6 undo takes an approved file back and it is not approved again by itself', async () => {
    pipeline = await openPipeline(CATALOG);
    await pipeline.drop(ALBUM);
    const [first] = await pipeline.settled();
    expect(await pipeline.undo([first?.id ?? ''])).toBe(1);
    pipeline.poke();
    const jobs = await pipeline.settled();
    expect(jobs.find((job) => job.id === first?.id)?.phase).toBe('review');
    expect(pipeline.store.allOutbox().length).toBe(7);
    const [review] = await pipeline.openReviews();
    expect(review?.options.map((option) => option.label)).toContain('Lantern Weather');
    const answered = await pipeline.answerReview(review?.id ?? '', { kind: 'option', option_id: 'track:tr0-1' }, 'me');
    expect(answered.ok).toBe(true);
    pipeline.poke();
    const again = (await pipeline.settled()).find((job) => job.id === first?.id);
    expect(again).toMatchObject({ phase: 'waiting', match_source: 'HUMAN_REVIEW', matched_track_id: 'tr0-1' });
  });

  test('REVIEW-5 the first answer wins', async () => {
    pipeline = await openPipeline(CATALOG);
    await pipeline.drop(ALBUM);
    const [first] = await pipeline.settled();
    await pipeline.undo([first?.id ?? '']);
    const [review] = await pipeline.openReviews();
    const id = review?.id ?? '';
    expect((await pipeline.answerReview(id, { kind: 'option', option_id: 'track:tr0-1' }, 'me')).ok).toBe(true);
    expect((await pipeline.answerReview(id, { kind: 'option', option_id: 'track:tr0-1' }, 'me')).ok).toBe(true);
    expect(await pipeline.answerReview(id, { kind: 'none' }, 'you')).toMatchObject({
      ok: false,
      failure: { code: 'conflict' },
    });
  });

  const UNKNOWN = ['Glass Orchard', 'Vermilion Static', 'Ten Thousand Kites'].map((title, at) => ({
    name: `Obscure Album/${at + 1}. ${title}.mp3`,
    seconds: 150 + at * 41,
    tags: { title, artist: 'Unknown Quartet', album: 'Obscure Album', track: at + 1 },
  }));
  /** As the editor and the change feed do: album and tracks are there at once. */
  function create({ albums, tracks }: typeof pipeline.records): void {
    albums.set('new', {
      id: 'new',
      title: 'Obscure Album',
      artist_id: 'x',
      artist: 'Unknown Quartet',
      year: null,
      is_compilation: false,
      discs: 1,
      track_count: 3,
    });
    for (const [at, file] of UNKNOWN.entries())
      tracks.set(`new${at}`, {
        id: `new${at}`,
        album_id: 'new',
        title: file.tags.title,
        artist_id: 'x',
        artist: 'Unknown Quartet',
        disc: 1,
        position: at + 1,
        duration_ms: file.seconds * 1000,
        availability: 'missing',
      });
  }

  test('an album that is not in the catalog is one question; after it was created the files match it', async () => {
    pipeline = await openPipeline(CATALOG);
    await pipeline.drop(UNKNOWN);
    await pipeline.settled();
    const [review, more] = await pipeline.openReviews();
    expect(more).toBeUndefined();
    expect(review).toMatchObject({ kind: 'no_match', detected: { album: 'Obscure Album', artist: 'Unknown Quartet' } });
    expect(review?.question).toContain('Could not find matching album in catalog.');
    create(pipeline.records);
    await pipeline.answerReview(review?.id ?? '', { kind: 'created', album_id: 'new' }, 'me');
    pipeline.poke();
    const jobs = await pipeline.settled();
    expect(jobs.map((job) => job.matched_track_id)).toEqual(['new0', 'new1', 'new2']);
  });

  test('MATCH-115 an album that was created for one drop is found for what another drop brought before', async () => {
    pipeline = await openPipeline(CATALOG);
    const [first, ...rest] = UNKNOWN;
    await pipeline.drop(rest, { id: 'rest' });
    await pipeline.drop(first ? [first] : [], { id: 'first' });
    await pipeline.settled();
    const open = await pipeline.openReviews();
    expect(open.map(({ kind, batch_id }) => [kind, batch_id])).toEqual([
      ['no_match', 'rest'],
      ['no_match', 'first'],
    ]);
    create(pipeline.records);
    await pipeline.answerReview(open[0]?.id ?? '', { kind: 'created', album_id: 'new' }, 'me');
    pipeline.poke();
    const jobs = await pipeline.settled();
    expect(jobs.map((job) => job.matched_track_id).toSorted()).toEqual(['new0', 'new1', 'new2']);
    expect(await pipeline.openReviews()).toEqual([]);
  });

  test('JOB-16 an album that arrives while an older index is taken is waited for, and not asked about again', async () => {
    pipeline = await openPipeline(CATALOG);
    await pipeline.drop(UNKNOWN);
    await pipeline.settled();
    const [review] = await pipeline.openReviews();
    const { records, poke, setIndex } = pipeline;
    const whole = setIndex(null);
    // An index of before; the album is there by the time that it is had.
    let taken = 0;
    setIndex(async () => {
      taken += 1;
      const index = await whole();
      if (!records.albums.has('new')) create(records);
      return index;
    });
    await pipeline.answerReview(review?.id ?? '', { kind: 'created', album_id: 'new' }, 'me');
    const wanted = pipeline.replicaWanted();
    poke();
    await wanted;
    expect(taken).toBe(0);
    create(records);
    poke();
    const jobs = await pipeline.settled();
    expect(jobs.map((job) => job.matched_track_id)).toEqual(['new0', 'new1', 'new2']);
  });

  test('MATCH-16 track01.mp3: the album is asked once, then files match by position and duration', async () => {
    const lengths = [225, 252, 238, 301, 199, 263, 217, 244];
    const twin = (album: string, by: number) => ({
      album,
      artist: 'Pair',
      tracks: lengths.map((seconds, at): [string, number] => [`${album} ${'abcdefgh'[at]}`, seconds + by]),
    });
    pipeline = await openPipeline([...CATALOG, twin('First Light', 0), twin('Second Sight', 1)]);
    await pipeline.drop(lengths.map((seconds, at) => ({ name: `track0${at + 1}.mp3`, seconds })));
    await pipeline.settled();
    const [review, more] = await pipeline.openReviews();
    expect(more).toBeUndefined();
    expect(review?.kind).toBe('album');
    expect(review?.options.map((option) => option.label).sort()).toEqual(['First Light', 'Second Sight']);
    const option = review?.options.find((one) => one.label === 'Second Sight');
    await pipeline.answerReview(review?.id ?? '', { kind: 'option', option_id: option?.id ?? '' }, 'me');
    pipeline.poke();
    const jobs = await pipeline.settled();
    expect(jobs.map((job) => [job.phase, job.matched_track_id])).toEqual(
      lengths.map((_, at) => ['waiting', `tr3-${at + 1}`]),
    );
  });

  test('AGENT-86 what the rules look up is logged in the form of the agent’s calls', async () => {
    pipeline = await openPipeline(CATALOG);
    await pipeline.drop([tagged(0)]);
    const [job] = await pipeline.settled();
    const steps = await pipeline.store.steps(job?.id ?? '');
    const calls = steps.filter(({ step_type }) => step_type === 'ToolCall').map(({ content }) => content);
    expect(calls[0]).toBe(`get_file_metadata({"file":"${job?.original_filename}"})`);
    expect(calls.length).toBeGreaterThan(1);
    for (const call of calls.slice(1)) {
      const [, input = ''] = /^search_catalog\((.*)\)$/.exec(call) ?? [];
      expect(JSON.parse(input)).toEqual({ query: expect.any(String) });
    }
  });

  test('REVIEW-4 two formats of one track: the better one is taken', async () => {
    pipeline = await openPipeline(CATALOG);
    await pipeline.drop([...ALBUM, { ...tagged(2), name: 'Harbour Songs/03 - Cordage.mp3', lossless: false }]);
    const jobs = await pipeline.settled();
    const cordage = jobs.filter((job) => job.path.includes('Cordage'));
    expect(cordage.map((job) => [job.path.slice(-4), job.phase])).toEqual(
      expect.arrayContaining([
        ['flac', 'waiting'],
        ['.mp3', 'duplicate'],
      ]),
    );
  });

  test('REVIEW-8 audio that is in the catalog is not replaced without a word, and asked once for all', async () => {
    pipeline = await openPipeline(CATALOG);
    for (const id of pipeline.records.tracks.keys()) pipeline.records.patchTrack(id, { availability: 'available' });
    await pipeline.drop(ALBUM);
    await pipeline.settled();
    const [review, more] = await pipeline.openReviews();
    expect(more).toBeUndefined();
    expect(review).toMatchObject({ kind: 'replace', job_ids: { length: 8 } });
    await pipeline.answerReview(review?.id ?? '', { kind: 'option', option_id: 'keep' }, 'me');
    pipeline.poke();
    expect(
      (await pipeline.settled()).every((job) => job.phase === 'duplicate' && job.duplicate_of === job.match?.track_id),
    ).toBe(true);
    expect(pipeline.store.allOutbox().length).toBe(0);
  });

  test('JOB-6, JOB-7 cancel stops a conversion, retry takes it up with its decision', async () => {
    pipeline = await openPipeline(CATALOG);
    pipeline.setConvert(() => new Promise(() => undefined));
    await pipeline.drop(ALBUM.slice(0, 2));
    await expect.poll(() => pipeline.store.allJobs().filter((job) => job.phase === 'converting').length).toBe(2);
    const jobs = pipeline.store.allJobs();
    expect(await pipeline.cancel(jobs.map((job) => job.id))).toBe(2);
    pipeline.poke();
    expect((await pipeline.settled()).map((job) => job.error_message)).toEqual(['cancelled', 'cancelled']);
    pipeline.setConvert(async (request) => ({
      ok: true,
      value: {
        sha256: '1'.repeat(63) + request.job_id.at(-1),
        size: 1,
        duration_ms: 1,
        conversion_reason: 'x',
        verified: [],
      },
    }));
    expect(await pipeline.retry(jobs.map((job) => job.id))).toBe(2);
    pipeline.poke();
    expect((await pipeline.settled()).map((job) => job.phase)).toEqual(['waiting', 'waiting']);
  });

  test('JOB-11, JOB-13 pause stops what is converted at once; it goes on from the beginning of the file', async () => {
    pipeline = await openPipeline(CATALOG);
    pipeline.setConvert(() => new Promise(() => undefined));
    await pipeline.drop(ALBUM.slice(0, 3));
    const phases = (): string[] =>
      pipeline.store
        .allJobs()
        .map((job) => job.phase)
        .sort();
    await expect.poll(phases).toEqual(['approved', 'converting', 'converting']);

    pipeline.setPaused(true);
    pipeline.poke();
    await expect.poll(phases).toEqual(['approved', 'approved', 'approved']);
    await expect.poll(() => pipeline.ended()).toBe(2);
    // A reload changes nothing of it.
    await pipeline.stop();
    await pipeline.start();
    pipeline.setConvert(async (request) => ok(converted(request)));
    expect(phases()).toEqual(['approved', 'approved', 'approved']);

    pipeline.setPaused(false);
    pipeline.poke();
    expect((await pipeline.settled()).map((job) => job.phase)).toEqual(['waiting', 'waiting', 'waiting']);
    const steps = pipeline.store.allSteps();
    expect(steps.filter((step) => step.content.startsWith('Paused;'))).toHaveLength(2);
  });

  test('JOB-14 cancel reaches a conversion at once, also while another drop is being looked at', async () => {
    pipeline = await openPipeline(CATALOG);
    let looked = (): void => undefined;
    const { probe } = pipeline.media;
    pipeline.media.probe = async (sha256, name, signal) => {
      if (name === 'slow.flac') await new Promise<void>((resolve) => (looked = resolve));
      return probe(sha256, name, signal);
    };
    pipeline.setConvert(() => new Promise(() => undefined));
    await pipeline.drop(ALBUM.slice(0, 1));
    const phases = (): string[] =>
      pipeline.store
        .allJobs()
        .map((job) => job.phase)
        .sort();
    await expect.poll(phases).toEqual(['converting']);
    await pipeline.drop([{ name: 'slow.flac', seconds: 1 }]);
    await expect.poll(phases).toEqual(['converting', 'probing']);
    const [converting] = pipeline.store.allJobs().filter((job) => job.phase === 'converting');
    await pipeline.cancel([converting?.id ?? '']);
    pipeline.poke();
    await expect.poll(() => pipeline.ended()).toBe(1);
    expect(phases()).toContain('probing');
    looked();
  });

  test('JOB-12 a paused file waits while the others go on', async () => {
    pipeline = await openPipeline(CATALOG);
    pipeline.setConvert(() => new Promise(() => undefined));
    await pipeline.drop(ALBUM.slice(0, 2));
    const count = (phase: string): number => pipeline.store.allJobs().filter((job) => job.phase === phase).length;
    await expect.poll(() => count('converting')).toBe(2);
    const [first] = pipeline.store.allJobs();
    pipeline.setConvert(async (request) => ok(converted(request)));
    expect(await pipeline.pause([first?.id ?? ''], true)).toBe(1);
    pipeline.poke();
    await expect.poll(() => count('approved')).toBe(1);
    expect((await pipeline.store.job(first?.id ?? ''))?.phase).toBe('approved');

    expect(await pipeline.pause([first?.id ?? ''], false)).toBe(1);
    pipeline.poke();
    await expect.poll(() => count('waiting')).toBe(1);
  });

  test('a file whose conversion fails is a FAILED row that says why; the rest goes on', async () => {
    pipeline = await openPipeline(CATALOG);
    pipeline.setConvert(async (request) =>
      request.original_filename.startsWith('02')
        ? fail(failure('file_damaged', `"${request.original_filename}" is damaged.`))
        : {
            ok: true,
            value: {
              sha256: '2'.repeat(63) + request.job_id.at(-1),
              size: 1,
              duration_ms: 1,
              conversion_reason: 'x',
              verified: [],
            },
          },
    );
    await pipeline.drop(ALBUM);
    const jobs = await pipeline.settled();
    expect(jobs.filter((job) => job.phase === 'waiting').length).toBe(7);
    expect(jobs.find((job) => job.status === 'FAILED')?.error_message).toContain('02 - Slow Ferries.flac');
  });

  test('JOB-9, MEDIA-89 without the converter a file waits, says for what, and goes on when the server is back', async () => {
    pipeline = await openPipeline(CATALOG);
    pipeline.setConvert(async () => fail(failure('offline', 'The converter could not be loaded.')));
    await pipeline.drop(ALBUM);
    const said = () => pipeline.store.allJobs().map(({ phase, error_message }) => `${phase}: ${error_message}`);
    await expect.poll(() => new Set(said()).size).toBe(1);
    await expect.poll(() => said()[0]).toContain('approved: The converter could not be loaded. Nothing to do');
    pipeline.setConvert(async (request) => ({
      ok: true,
      value: {
        sha256: '3'.repeat(63) + request.job_id.at(-1),
        size: 1,
        duration_ms: 1,
        conversion_reason: 'x',
        verified: [],
      },
    }));
    pipeline.online();
    const after = (await pipeline.settled()).map(({ phase, error_message }) => `${phase}: ${error_message}`);
    expect(new Set(after)).toEqual(new Set(['waiting: null']));
  });

  test('REVIEW-9 the very content that is in the catalog is a duplicate, without a question', async () => {
    pipeline = await openPipeline(CATALOG);
    await pipeline.drop(ALBUM.slice(0, 3));
    const jobs = await pipeline.settled();
    for (const job of jobs)
      pipeline.records.patchTrack(job.matched_track_id ?? '', {
        availability: 'available',
        original_sha256: job.sha256 ?? '',
      });
    await pipeline.store.put(async (rows) => {
      for (const job of jobs)
        await rows.putJob({ ...job, status: 'PROCESSING', phase: 'grouping', matched_track_id: null } as MusicJob);
      await rows.deleteOutboxItems(pipeline.store.allOutbox().map((item) => item.key));
    });
    pipeline.poke();
    expect((await pipeline.settled()).map((job) => [job.phase, job.duplicate_of])).toEqual(
      [1, 2, 3].map((at) => ['duplicate', `tr0-${at}`]),
    );
    expect(await pipeline.openReviews()).toEqual([]);
  });

  test('MEDIA-23 a converter that breaks down is tried once more, without the fast way', async () => {
    pipeline = await openPipeline(CATALOG);
    pipeline.setConvert(async (request) =>
      request.fast === false
        ? ok({ sha256: '0'.repeat(64), size: 1, duration_ms: 1, conversion_reason: 'x', verified: [] })
        : fail(failure('worker_died', 'gone')),
    );
    await pipeline.drop(ALBUM.slice(0, 1));
    expect((await pipeline.settled()).map((job) => job.phase)).toEqual(['waiting']);
    expect(pipeline.conversions.map(({ fast }) => fast)).toEqual([true, false]);
  });

  test('JOB-5 a result that waits without an outbox row is converted again', async () => {
    pipeline = await openPipeline(CATALOG);
    await pipeline.drop(ALBUM.slice(0, 2));
    await pipeline.settled();
    await pipeline.stop();
    await pipeline.store.put((rows) => rows.deleteOutboxItems(pipeline.store.allOutbox().map((item) => item.key)));
    await pipeline.start();
    await expect.poll(() => pipeline.store.allOutbox().length).toBe(2);
    expect((await pipeline.settled()).map((job) => job.phase)).toEqual(['waiting', 'waiting']);
  });

  test('JOB-1, JOB-8 a tab that lost the work to another writes nothing more', async () => {
    pipeline = await openPipeline(CATALOG);
    pipeline.store.takeOver();
    await pipeline.drop(ALBUM.slice(0, 2));
    await expect.poll(() => pipeline.errors.length).toBe(1);
    expect(pipeline.store.allJobs().map((job) => job.phase)).toEqual(['queued', 'queued']);
    expect(pipeline.store.allSteps()).toHaveLength(0);
  });

  test('JOB-10 what breaks a turn is said and tried again', async () => {
    pipeline = await openPipeline(CATALOG);
    const working = pipeline.setIndex(async () => {
      throw new Error('the storage does not answer');
    });
    await pipeline.drop(ALBUM.slice(0, 2));
    await expect.poll(() => pipeline.errors.length).toBeGreaterThan(0);
    pipeline.setIndex(working);
    pipeline.errors.length = 0;
    pipeline.poke();
    expect((await pipeline.settled()).map((job) => job.phase)).toEqual(['waiting', 'waiting']);
  });

  test('JOB-10 what the matcher breaks on is a failure of those files, and the next drop goes on', async () => {
    pipeline = await openPipeline(CATALOG);
    const working = pipeline.setIndex(null);
    pipeline.setIndex(async () => {
      const index = await working();
      if (index === null) return null;
      return {
        ...index,
        albumsByText: () => {
          throw new Error('broken');
        },
      };
    });
    await pipeline.drop(ALBUM.slice(0, 1));
    expect((await pipeline.settled()).map((job) => [job.status, job.failure?.retryable])).toEqual([['FAILED', true]]);
    pipeline.setIndex(working);
    await pipeline.drop(ALBUM.slice(1, 3));
    expect((await pipeline.settled()).map((job) => job.phase).sort()).toEqual(['failed', 'waiting', 'waiting']);
  });
});
