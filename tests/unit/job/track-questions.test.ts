import { describe, expect, test } from 'vitest';
import { planBatch, type PlanInput } from '#lanes/music/core/decide/batch-plan.ts';
import { askedApart, matchContext, saidAbout } from '#lanes/music/core/decide/match-context.ts';
import type { AgentFinding, JobFields } from '#core/job/job.ts';
import type { FileMatch, GroupMatch } from '#lanes/music/core/match/match.types.ts';
import type { MusicJob, MusicReview, MusicTypes } from '#lanes/music/core/types.ts';
import { countingIds, makeBatch, makeJob } from '../../fixtures/job.ts';
import { catalogTrack, explanation, groupOf, offBy, trackOption } from '../../fixtures/match.ts';

const open = (id: string, patch: Partial<JobFields<MusicTypes>> = {}): MusicJob =>
  makeJob({
    id,
    status: 'PROCESSING',
    phase: 'searching',
    duration_ms: 206_000,
    evidence: { file_id: id, path: `${id}.flac`, duration_ms: 206_000, tags: {} },
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

const ids = ['a', 'b', 'c'];
const three = () => ids.map((id) => open(id));
const offs = [offBy('a', 4), offBy('b', 9), offBy('c', 6)];
const asked = (reviews: MusicReview[]) => reviews.map(({ kind, job_ids }) => [kind, job_ids]);

describe('REVIEW-21 one question for files of one album in the same doubt', () => {
  test('REVIEW-21 says in plain words what the doubt is, with the proposed track of each file', () => {
    const made = plan(three(), offs);
    expect(asked(made.reviews)).toEqual([['tracks', ids]]);
    const [review] = made.reviews;
    expect(review?.question).toBe(
      "3 files of 'Copper Valley': their lengths are 4 to 9 s longer than in the catalog. Are they these tracks?",
    );
    expect(review?.reasoning).toContain("'a.flac' (3:26) as 'Title tr-a' (3:20)");
    expect(review?.options.map(({ id, label }) => [id, label])).toEqual([
      ['accept', 'These tracks'],
      ['each', 'Ask one by one'],
    ]);
    expect(review?.files.map(({ proposed }) => proposed?.track_id)).toEqual(['tr-a', 'tr-b', 'tr-c']);
    expect(made.events.map(({ event }) => event)).toMatchObject(
      ids.map(() => ({ type: 'asked', question: review?.question })),
    );
  });

  test('REVIEW-21 another doubt, another album and a single file are asked by themselves', () => {
    const jobs = ['a', 'b', 'c', 'd', 'e'].map((id) => open(id));
    const files = [
      offBy('a', -4),
      offBy('b', -4),
      offBy('c', 5, { why: explanation([{ kind: 'version', label: 'says live' }]) }),
      offBy('d', 5, { options: [trackOption('tr-d', { album_id: 'al2' })] }),
      offBy('e', 5, { track_id: null, why: null }),
    ];
    const made = plan(jobs, files);
    expect(asked(made.reviews)).toEqual([
      ['tracks', ['a', 'b']],
      ['track', ['c']],
      ['track', ['d']],
      ['track', ['e']],
    ]);
    expect(made.reviews[0]?.question).toContain('their lengths are 4 s shorter than in the catalog');
  });

  test('REVIEW-21 files decided one by one are together when they are of one album', () => {
    const loose = ids.map((id) => groupOf([id], { group_id: `g-${id}`, verdict: 'loose' }));
    expect(asked(plan(three(), offs, {}, loose).reviews)).toEqual([['tracks', ids]]);
  });

  test('REVIEW-21 without a veto it is too little evidence', () => {
    const files = ids.map((id) => offBy(id, 0, { reasons: [], why: explanation() }));
    expect(plan(three(), files).reviews[0]?.question).toContain('the evidence is not enough to be sure');
  });

  test('REVIEW-3 REVIEW-25 the same question stays with its id; another proposal or one file less makes it new', () => {
    const first = plan(three(), offs).reviews;
    const waiting = three().map((job) => makeJob({ ...job, status: 'AWAITING_REVIEW', phase: 'review' }));
    const again = plan(waiting, offs, { openReviews: first });
    expect(again).toMatchObject({ reviews: [], withdrawn: [], events: [] });
    const moved = [...offs.slice(0, 2), offBy('c', 6, { track_id: 'other' })];
    const instead = plan(waiting, moved, { openReviews: first, ids: countingIds('later') });
    expect(instead.withdrawn).toEqual([first[0]?.id]);
    expect(instead.reviews).toMatchObject([{ id: 'later1', kind: 'tracks', selected_option: null }]);
    expect(instead.reviews[0]?.files.map(({ proposed }) => proposed?.track_id)).toEqual(['tr-a', 'tr-b', 'other']);
    expect(instead.events.map(({ event }) => event.type)).toEqual(['asked', 'asked', 'asked']);
    // An answer elsewhere settled one of them.
    const settled = [...offs.slice(0, 2), offBy('c', 0, { confidence: 0.99, reasons: [], why: explanation() })];
    const fewer = plan(waiting, settled, { openReviews: first });
    expect(fewer.withdrawn).toEqual([first[0]?.id]);
    expect(asked(fewer.reviews)).toEqual([['tracks', ['a', 'b']]]);
  });

  test('REVIEW-3 REVIEW-21 a question about several is withdrawn when an answer settles all of them', () => {
    const first = plan(three(), offs).reviews;
    const sure = ids.map((id) => offBy(id, 0, { confidence: 0.99, reasons: [], why: explanation() }));
    const made = plan(three(), sure, { openReviews: first });
    expect(made.withdrawn).toEqual([first[0]?.id]);
    expect(made.events.map(({ event }) => event.type)).toEqual(['approved', 'approved', 'approved']);
  });
});

describe('REVIEW-21 its answers', () => {
  const [review] = plan(three(), offs).reviews;
  if (!review) throw new Error('nothing was asked');
  const answered = (selected_option: string, patch: Partial<MusicReview> = {}): MusicReview => ({
    ...review,
    resolved_at: 7,
    selected_option,
    ...patch,
  });

  test('MATCH-1, REVIEW-35 `accept` chooses each proposed track; a file that left the question is not chosen', () => {
    const context = matchContext(makeBatch(), three(), [answered('accept', { job_ids: ['a', 'b'] })], undefined);
    expect(context.chosenTracks).toEqual({ a: 'tr-a', b: 'tr-b' });
    expect(saidAbout([answered('accept')])).toEqual([
      '3 files: the tracks of "Copper Valley" that they were taken for',
    ]);
  });

  test('REVIEW-21, REVIEW-35 after `each` they are asked one by one and not put together again', () => {
    const apart = askedApart([answered('each')]);
    expect([...apart]).toEqual(ids);
    expect(asked(plan(three(), offs, { apart }).reviews)).toEqual(ids.map((id) => ['track', [id]]));
    expect(saidAbout([answered('each')])).toEqual([]);
    expect(plan(three(), offs, { apart, agent: 'on' }).doubts).toEqual([]);
  });

  test('REVIEW-6 what was taken back is asked as it was: together where it lies together, else alone', () => {
    const held = three().map((job): MusicJob => ({ ...job, hold: true }));
    expect(asked(plan(held, offs).reviews)).toEqual(ids.map((id) => ['track', [id]]));
    expect(asked(plan(held, offs, { openReviews: [review] }).reviews)).toEqual([]);
    expect(plan(held, offs, { openReviews: [review] }).withdrawn).toEqual([]);
  });
});

describe('REVIEW-21 with the agent', () => {
  const keys = plan(three(), offs, { agent: 'on' }).doubts;
  const said = (at: number, answer: string): AgentFinding => ({
    key: keys[at]?.key ?? '',
    workflow_id: 'w1',
    answer,
    why: 'the titles agree',
    model: 'ollama/llama3.1:8b',
    recorded: false,
    agreement: 0.8,
    confidence: 0.5,
    failed: null,
    looked_up: [],
  });

  test('AGENT-1 each file is a doubt of its own; what lies before a person together stays there', () => {
    expect(keys.map(({ kind, file_ids }) => [kind, file_ids])).toEqual(ids.map((id) => ['track', [id]]));
    const openReviews = plan(three(), offs).reviews;
    expect(plan(three(), offs, { agent: 'on', openReviews })).toMatchObject({ doubts: [], withdrawn: [], reviews: [] });
  });

  test('AGENT-6 what it leaves to the person is one question, and so is what it agrees with', () => {
    const left = ids.map((id, at) => open(id, { agent: said(at, 'ask') }));
    expect(plan(left, offs, { agent: 'on' }).reviews).toMatchObject([{ kind: 'tracks', advice: { option_id: null } }]);
    const agreed = ids.map((id, at) => open(id, { agent: said(at, `track:tr-${id}`) }));
    expect(plan(agreed, offs, { agent: 'on' }).reviews).toMatchObject([
      { kind: 'tracks', advice: { option_id: 'accept', why: 'the titles agree', agreement: 0.8 } },
    ]);
  });

  test('AGENT-6, REVIEW-36 what it would answer differently is asked by itself', () => {
    const jobs = [
      open('a', { agent: said(0, 'track:other') }),
      open('b', { agent: said(1, 'ask') }),
      open('c', { agent: said(2, 'ask') }),
    ];
    expect(asked(plan(jobs, offs, { agent: 'on' }).reviews)).toEqual([
      ['track', ['a']],
      ['tracks', ['b', 'c']],
    ]);
  });
});
