/** What a person's answer to a question means for each of its jobs. Pure: the run applies it in one change. */
import { failure } from '#core/errors.ts';
import type { Target } from '#core/job/target.ts';
import { splitOption } from '#core/job/review.ts';
import { readRows, trackOf } from '#core/job/row-answer.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { acceptedTracks } from '../decide/match-context.ts';
import type { MusicEvent, MusicJob, MusicReview } from '../types.ts';

/** What of the catalog and the jobs an answer may speak of. */
export interface AnswerFacts {
  /** The track as a job is approved for it; null where the catalog has none. */
  target(trackId: string): Target | null;
  hasAlbum(albumId: string): boolean;
  /** The question's jobs that are there. */
  jobs: readonly MusicJob[];
}

export type EventOf = (jobId: string) => MusicEvent;

const REMATCH: MusicEvent = { type: 'rematch' };

/** Fails with `not_found` for a track or album that is not there, with `invalid` for what is no answer to this question. */
export function answerEvents(review: MusicReview, option: string, facts: AnswerFacts): Result<EventOf> {
  if (option.startsWith('rows:')) return rowEvents(review, option, facts);
  const [kind, id] = splitOption(option);
  if (kind === 'track' && id !== null) {
    const target = facts.target(id);
    if (!target) return fail(failure('not_found', `There is no track "${id}" in the catalog.`));
    if (review.job_ids.length > 1)
      return fail(failure('invalid', 'One track cannot be chosen for several files; choose their album.'));
    return ok(() => chosen(target, 'You chose this track'));
  }
  if (kind === 'album' && id !== null && !facts.hasAlbum(id))
    return fail(failure('not_found', `There is no album "${id}" in the catalog.`));
  if (kind === 'album' || kind === 'created') return ok(() => REMATCH);
  if (review.kind === 'replace') return ok(replaceEvents(option, facts));
  if (review.kind === 'tracks' && option === 'accept') return acceptEvents(review, facts);
  // REVIEW-21: the next plan asks about each; it sees that this was answered so (`askedApart`).
  if (review.kind === 'tracks' && option === 'each') return ok(() => REMATCH);
  if (option === 'cancelled') return ok(() => ({ type: 'cancelled' }));
  if (option === 'none' && review.kind === 'album') return ok(() => REMATCH);
  if (option === 'none') return ok(() => ({ type: 'rejected', why: 'none of the candidates was right.' }));
  return fail(failure('invalid', `"${option}" is no answer to this question.`));
}

/**
 * REVIEW-21: every file is the track that was proposed for it. The next plan approves them by that word (`matchContext`),
 * so that two formats of one track and audio that is there already are treated as everywhere.
 */
function acceptEvents(review: MusicReview, facts: AnswerFacts): Result<EventOf> {
  const gone = [...acceptedTracks(review).values()].find((id) => facts.target(id) === null);
  if (gone !== undefined) return fail(failure('not_found', `There is no track "${gone}" in the catalog.`));
  return ok(() => REMATCH);
}

/**
 * MATCH-113: what is left out is rejected; for all others the next plan takes the words (`matchContext`), and solves the
 * rest of the album around them.
 */
function rowEvents(review: MusicReview, option: string, facts: AnswerFacts): Result<EventOf> {
  const said = readRows(option);
  const album = said?.album_id ?? null;
  const fits = said !== null && (review.kind === 'album' ? album !== null : review.kind === 'tracks' && album === null);
  if (said === null || !fits) return fail(failure('invalid', `"${option}" is no answer to this question.`));
  if (album !== null && !facts.hasAlbum(album))
    return fail(failure('not_found', `There is no album "${album}" in the catalog.`));
  for (const [job, word] of Object.entries(said.rows)) {
    if (!review.job_ids.includes(job)) return fail(failure('invalid', 'A row is of no file of this question.'));
    const track = trackOf(word);
    if (track !== null && facts.target(track) === null)
      return fail(failure('not_found', `There is no track "${track}" in the catalog.`));
  }
  const named = Object.values(said.rows).flatMap((word) => trackOf(word) ?? []);
  if (new Set(named).size < named.length)
    return fail(failure('invalid', 'Two files were given one track; take another for one of them.'));
  return ok((jobId) => (said.rows[jobId] === 'none' ? { type: 'rejected', why: 'you left it out.' } : REMATCH));
}

function replaceEvents(option: string, facts: AnswerFacts): EventOf {
  if (option === 'cancelled') return () => ({ type: 'cancelled' });
  const jobs = new Map(facts.jobs.map((job) => [job.id, job]));
  return (jobId) => {
    const trackId = jobs.get(jobId)?.match?.track_id ?? null;
    const target = trackId === null ? null : facts.target(trackId);
    if (!target) return { type: 'rejected', why: 'the track is not in the catalog any more.' };
    if (option === 'replace') return { ...chosen(target, 'You chose to replace the present audio'), replace: true };
    const reason = `"${target.title}" has audio in the catalog already`;
    return { type: 'duplicate', of: target.track_id, reason };
  };
}

function chosen(target: Target, why: string): MusicEvent & { type: 'approved' } {
  return {
    type: 'approved',
    target,
    match: null,
    confidence: 1,
    source: 'HUMAN_REVIEW',
    why: `${why}: "${target.title}" on "${target.album}"`,
    reasons: [{ kind: 'chosen', label: 'chosen by you', tone: 'good' }],
  };
}
