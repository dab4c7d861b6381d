import { describe, expect, test } from 'vitest';
import { planBatch, type PlanInput } from '#lanes/music/core/decide/batch-plan.ts';
import { matchContext } from '#lanes/music/core/decide/match-context.ts';
import type { AgentFinding, JobFields } from '#core/job/job.ts';
import type { Track } from '#lanes/music/core/catalog.ts';
import type { FileMatch, GroupMatch } from '#lanes/music/core/match/match.types.ts';
import type { MusicJob, MusicReview, MusicTypes } from '#lanes/music/core/types.ts';
import { countingIds, makeBatch, makeJob } from '../../fixtures/job.ts';
import { catalogTrack, groupOf, trackOption } from '../../fixtures/match.ts';

const fileMatch = (id: string, confidence: number, track: string | null = `tr-${id}`): FileMatch => ({
  file_id: id,
  group_id: 'g1',
  track_id: track,
  confidence,
  options: track === null ? [] : [trackOption(track)],
  reasons: [{ kind: 'title', label: 'title 0.97', tone: 'good' }],
  detected: { title: null, artist: null, disc: null, position: null },
});

const searching = (id: string, patch: Partial<JobFields<MusicTypes>> = {}): MusicJob =>
  makeJob({
    id,
    status: 'PROCESSING',
    phase: 'searching',
    evidence: { file_id: id, path: `${id}.flac`, duration_ms: 200_000, tags: {} },
    ...patch,
  });

function plan(jobs: MusicJob[], files: FileMatch[], patch: Partial<PlanInput> = {}, groups?: GroupMatch[]) {
  return planBatch({
    batch: makeBatch(),
    jobs,
    match: { groups: groups ?? [groupOf(jobs.map((job) => job.id))], files },
    threshold: 0.9,
    track: catalogTrack,
    albumTitle: () => 'Copper Valley',
    published: new Map(),
    claimedByOthers: new Map(),
    openReviews: [],
    agent: 'off',
    now: 5,
    ids: countingIds('review'),
    ...patch,
  });
}

describe('from a match to what happens', () => {
  test('REVIEW-1 above the threshold approved, at it asked', () => {
    const made = plan([searching('a'), searching('b')], [fileMatch('a', 0.91), fileMatch('b', 0.9)]);
    expect(made.events.map(({ job_id, event }) => [job_id, event.type])).toEqual([
      ['a', 'approved'],
      ['b', 'asked'],
    ]);
    const stricter = plan([searching('a')], [fileMatch('a', 0.91)], { threshold: 0.95 });
    expect(stricter.events[0]?.event.type).toBe('asked');
  });

  test('REVIEW-1 MATCH-1 a person’s word about a file is above every threshold, their word about its album is not', () => {
    const said = (label: string): FileMatch => ({
      ...fileMatch('a', label === 'chosen by you' ? 1 : 0.99),
      reasons: [{ kind: 'chosen', label, tone: 'good' }],
    });
    const first = (label: string) => plan([searching('a')], [said(label)], { threshold: 1 }).events[0]?.event;
    expect(first('chosen by you')).toMatchObject({ type: 'approved', source: 'HUMAN_REVIEW' });
    expect(first('album chosen by you')?.type).toBe('asked');
  });

  test('REVIEW-8 REVIEW-25 audio of another track to be replaced is another question; the same one stays', () => {
    const present = { track: (id: string): Track => ({ ...catalogTrack(id), availability: 'available' }) };
    const first = plan([searching('a')], [fileMatch('a', 0.99)], present).reviews;
    expect(first[0]).toMatchObject({ kind: 'replace', files: [{ replaces: 'tr-a' }] });
    const waiting = [searching('a', { status: 'AWAITING_REVIEW', phase: 'review' })];
    const standing = { ...present, openReviews: first, ids: countingIds('later') };
    expect(plan(waiting, [fileMatch('a', 0.99)], standing)).toMatchObject({ reviews: [], withdrawn: [] });
    const moved = plan(waiting, [fileMatch('a', 0.99, 'tr-b')], standing);
    expect(moved.withdrawn).toEqual([first[0]?.id]);
    expect(moved.reviews).toMatchObject([{ files: [{ replaces: 'tr-b' }] }]);
    expect(moved.reviews[0]?.id).not.toBe(first[0]?.id);
  });

  test('REVIEW-20 a veto is asked about whatever the threshold is, and so is an album in doubt', () => {
    const low = { threshold: 0.5 };
    const veto = { kind: 'veto', label: 'veto: length off by 8 s', tone: 'bad' as const };
    const struck = { ...fileMatch('a', 0.85), reasons: [veto] };
    const made = plan([searching('a'), searching('b')], [struck, fileMatch('b', 0.85)], low);
    expect(made.events.map(({ job_id, event }) => [job_id, event.type])).toEqual([
      ['b', 'approved'],
      ['a', 'asked'],
    ]);
    const album = { reasons: [{ kind: 'chosen', label: 'album chosen by you', tone: 'good' as const }, veto] };
    expect(plan([searching('a')], [{ ...struck, ...album }], low).events[0]?.event.type).toBe('asked');
    const albums = [{ ...trackOption('x'), year: 1999, track_count: 3, duration_share: 1, tracks_fitting: 3 }];
    const groups = [groupOf(['b'], { verdict: 'ask_album', options: albums })];
    expect(plan([searching('b')], [fileMatch('b', 0.85)], low, groups).events[0]?.event.type).toBe('asked');
  });

  test('REVIEW-2 one question for an album, one for each doubtful file', () => {
    const ids = ['a', 'b', 'c'];
    const jobs = ids.map((id) => searching(id));
    const files = ids.map((id) => fileMatch(id, 0.4));
    const albums = [{ ...trackOption('x'), year: 1999, track_count: 3, duration_share: 1, tracks_fitting: 3 }];
    const album = plan(jobs, files, {}, [groupOf(ids, { verdict: 'ask_album', options: albums })]);
    expect(album.reviews.map((review) => [review.kind, review.job_ids])).toEqual([['album', ids]]);
    const tracks = plan(jobs, files);
    expect(tracks.reviews.map((review) => [review.kind, review.job_ids])).toEqual(ids.map((id) => ['track', [id]]));
    const nothing = plan(jobs, files, {}, [groupOf(ids, { verdict: 'no_match', album_id: null })]);
    expect(nothing.reviews.map((review) => [review.kind, review.job_ids])).toEqual([['no_match', ids]]);
  });

  test('REVIEW-3 a needless question is withdrawn, the same one stays with its id', () => {
    const jobs = [searching('a'), searching('b')];
    const first = plan(jobs, [fileMatch('a', 0.4), fileMatch('b', 0.4)]);
    const asked = jobs.map((job) => makeJob({ ...job, status: 'AWAITING_REVIEW', phase: 'review' }));
    const second = plan(asked, [fileMatch('a', 0.99), fileMatch('b', 0.4)], { openReviews: first.reviews });
    expect(second.withdrawn).toEqual([first.reviews.find((review) => review.job_id === 'a')?.id]);
    expect(second.reviews).toEqual([]);
    expect(second.events.map(({ job_id, event }) => [job_id, event.type])).toEqual([['a', 'approved']]);
  });

  test('REVIEW-3 MATCH-22, MATCH-58 an album question whose files are other tracks now is shown anew, under its id', () => {
    const pair = { file_id: 'a', title_similarity: null, off: 0, position_agrees: null };
    const asking = (track_id: string, openReviews: MusicReview[] = []) => {
      const pairs = [{ ...pair, track_id }];
      const albums = [{ ...trackOption('x'), year: 1999, track_count: 3, duration_share: 1, tracks_fitting: 1, pairs }];
      const groups = [groupOf(['a'], { verdict: 'ask_album', options: albums })];
      return plan([searching('a')], [fileMatch('a', 0.4)], { openReviews }, groups);
    };
    const first = asking('t1').reviews;
    expect(asking('t1', first).reviews).toEqual([]);
    const again = asking('t2', first);
    expect(again.reviews).toMatchObject([{ id: first[0]?.id, options: [{ album: { pairs: [{ track_id: 't2' }] } }] }]);
    expect(again.withdrawn).toEqual([]);
  });

  test('REVIEW-6 a decision that was taken back is not approved again without a word', () => {
    const made = plan([searching('a', { hold: true })], [fileMatch('a', 0.99)]);
    expect(made.events[0]?.event.type).toBe('asked');
  });

  test('REVIEW-7 what a person said is told to the matcher, and what was decided is pinned', () => {
    const review = (patch: Partial<MusicReview>): MusicReview => ({
      schema_version: 1,
      id: 'r',
      kind: 'album',
      job_id: 'a',
      job_ids: ['a', 'b'],
      batch_id: 'b1',
      group_id: 'g1',
      question: '?',
      reasoning: '',
      options: [],
      detected: { album: null, artist: null, year: null, title: null },
      files: [],
      created_at: 1,
      resolved_at: 2,
      resolved_by_user_id: 'me',
      selected_option: 'album:al1',
      ...patch,
    });
    const jobs = [searching('a'), searching('c', { status: 'CONVERTING', phase: 'approved', matched_track_id: 'tr9' })];
    const answers = [
      review({}),
      review({ id: 'r2', kind: 'track', job_ids: ['d'], selected_option: 'track:tr7' }),
      review({ id: 'r3', resolved_at: null, selected_option: null, job_ids: ['e'] }),
    ];
    expect(matchContext(makeBatch(), jobs, answers, undefined)).toEqual({
      type: 'spontaneous',
      chosenAlbums: [{ file_ids: ['a', 'b'], album_id: 'al1', over: [] }],
      chosenTracks: { d: 'tr7', c: 'tr9' },
      rejectedAlbums: [],
    });
  });
});

const finding = (key: string, patch: Partial<AgentFinding> = {}): AgentFinding => ({
  key,
  workflow_id: 'w1',
  answer: 'ask',
  why: 'two fit as well',
  model: 'ollama/llama3.1:8b',
  recorded: false,
  agreement: 1,
  confidence: 0.5,
  failed: null,
  looked_up: [],
  ...patch,
});

describe('doubts and the agent', () => {
  const on = { agent: 'on' as const };
  const two = {
    ...fileMatch('b', 0.4),
    options: [trackOption('x'), trackOption('y'), trackOption('z'), trackOption('w')],
  };

  test('AGENT-1 with an agent a doubt is thought about in place of a review; what is sure is approved at once', () => {
    const made = plan([searching('a'), searching('b')], [fileMatch('a', 0.95), fileMatch('b', 0.4)], on);
    expect(made.events.map(({ job_id, event }) => [job_id, event.type])).toEqual([
      ['a', 'approved'],
      ['b', 'thinking'],
    ]);
    expect(made.reviews).toEqual([]);
    expect(made.doubts).toMatchObject([{ kind: 'track', file_ids: ['b'], batch_id: 'b1', threshold: 0.9 }]);
  });

  test('AGENT-1 a doubt that is being thought about stays what it is', () => {
    const first = plan([searching('a')], [fileMatch('a', 0.4)], on);
    const again = plan([searching('a', { phase: 'thinking' })], [fileMatch('a', 0.4)], on);
    expect(again.events).toEqual([]);
    expect(again.doubts.map(({ key }) => key)).toEqual(first.doubts.map(({ key }) => key));
  });

  test('AGENT-2 while the album is in doubt there is one doubt, for the album', () => {
    const ids = ['a', 'b', 'c'];
    const albums = [{ ...trackOption('x'), year: 1999, track_count: 3, duration_share: 1, tracks_fitting: 3 }];
    const groups = [groupOf(ids, { verdict: 'ask_album', options: albums })];
    const made = plan(
      ids.map((id) => searching(id)),
      ids.map((id) => fileMatch(id, 0.4)),
      on,
      groups,
    );
    expect(made.doubts.map(({ kind, file_ids }) => [kind, file_ids])).toEqual([['album', ids]]);
    expect(made.events.map(({ event }) => event.type)).toEqual(['thinking', 'thinking', 'thinking']);
  });

  test('AGENT-6 with its finding the doubt becomes a review, the advised option first', () => {
    const key = plan([searching('b')], [two], on).doubts[0]?.key ?? '';
    const answered = searching('b', { agent: finding(key, { answer: 'track:w', why: 'the length' }) });
    for (const agent of ['on', 'off'] as const) {
      const made = plan([answered], [two], { agent });
      expect(made.doubts).toEqual([]);
      expect(made.reviews[0]?.options.map(({ id }) => id)).toEqual(['track:w', 'track:x', 'track:y', 'track:z']);
      expect(made.reviews[0]?.advice).toEqual({
        option_id: 'track:w',
        why: 'the length',
        model: 'ollama/llama3.1:8b',
        recorded: false,
        agreement: 1,
        failed: null,
      });
    }
  });

  test.each([
    ['none', 'none'],
    ['ask', null],
    ['failed', null],
    ['track:elsewhere', null],
  ])('AGENT-6 the answer %s advises %s', (answer, advised) => {
    const key = plan([searching('b')], [two], on).doubts[0]?.key ?? '';
    const failed = answer === 'failed' ? 'Nothing answers there.' : null;
    const made = plan([searching('b', { agent: finding(key, { answer, failed }) })], [two], on);
    expect(made.reviews[0]?.advice).toMatchObject({ option_id: advised, failed });
    expect(made.reviews[0]?.options.map(({ id }) => id)).toEqual(['track:x', 'track:y', 'track:z']);
  });

  test('AGENT-6 an album that the agent found for what matched nothing is offered', () => {
    const albums = [{ ...trackOption('x'), year: 1999, track_count: 3, duration_share: 0.5, tracks_fitting: 1 }];
    const groups = [groupOf(['a', 'b'], { verdict: 'no_match', album_id: null, options: albums })];
    const files = [fileMatch('a', 0, null), fileMatch('b', 0, null)];
    const key = plan([searching('a'), searching('b')], files, on, groups).doubts[0]?.key ?? '';
    const agent = finding(key, { answer: 'album:al1' });
    const made = plan([searching('a', { agent }), searching('b', { agent })], files, on, groups);
    expect(made.reviews.map(({ kind, advice }) => [kind, advice?.option_id])).toEqual([['album', 'album:al1']]);
  });

  test('AGENT-1, AGENT-56 what a person took back, or has before them already, is not taken to the agent', () => {
    expect(plan([searching('a', { hold: true })], [fileMatch('a', 0.99)], on).reviews).toHaveLength(1);
    const asked = plan([searching('a')], [fileMatch('a', 0.4)]);
    const standing = { openReviews: asked.reviews, ...on };
    const later = plan(
      [searching('a', { status: 'AWAITING_REVIEW', phase: 'review' })],
      [fileMatch('a', 0.4)],
      standing,
    );
    expect(later).toMatchObject({ doubts: [], events: [], withdrawn: [], reviews: [] });
  });

  test('AGENT-1, AGENT-56 whether audio is replaced is never the agent’s to say', () => {
    const present = { track: (id: string): Track => ({ ...catalogTrack(id), availability: 'available' }) };
    const made = plan([searching('a')], [fileMatch('a', 0.99)], { ...on, ...present });
    expect(made.doubts).toEqual([]);
    expect(made.reviews[0]?.kind).toBe('replace');
  });

  test('AGENT-1 AGENT-53, AGENT-57 a doubt that every answer changes ends with a person, without advice that was about another', () => {
    const job = searching('b', { agent: finding('another', { answer: 'track:w', rounds: 6 }) });
    const made = plan([job], [two], on);
    expect(made.doubts).toEqual([]);
    expect(made.reviews).toHaveLength(1);
    // What it said last was about another doubt.
    expect(made.reviews[0]?.advice).toBeUndefined();
    expect(made.reviews[0]?.options[0]?.id).toBe('track:x');
  });

  test('AGENT-5 where the agent would look is told to the matcher, for open jobs only', () => {
    const a = finding('k', { answer: 'album:al7', looked_up: ['al8'] });
    const jobs = [
      searching('a', { agent: a }),
      searching('b', { agent: a, phase: 'thinking' }),
      searching('c', { agent: a, phase: 'approved', status: 'CONVERTING', matched_track_id: 'tr1' }),
      searching('d', { agent: finding('k', { answer: 'track:t' }) }),
    ];
    expect(matchContext(makeBatch(), jobs, [], undefined).lookAt).toEqual([
      { file_ids: ['a', 'b'], album_ids: ['al7', 'al8'] },
    ]);
  });
});
