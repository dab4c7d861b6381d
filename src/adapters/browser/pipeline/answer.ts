/**
 * A person's answer to a review: one transaction over the review, its jobs and their logs. It may run in
 * any tab; the first answer wins.
 */
import { failure } from '#core/errors.ts';
import { splitOption } from '#core/job/batch-plan.ts';
import { acceptedTracks } from '#core/job/match-context.ts';
import type { Job } from '#core/job/job.ts';
import type { Review } from '#core/job/review.ts';
import type { JobEvent, Target } from '#core/job/transitions.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { ReviewAnswer } from '../api.ts';
import type { AgentEngine } from './agent-engine.ts';
import { workflowOf } from './agent-work.ts';
import { learnFromAnswer } from '../memory-store.ts';
import { applyEvent, jobTables, touchBatch, type PipelineContext } from './apply.ts';

export interface AnswerContext extends PipelineContext {
  agent: { engine(): Promise<Pick<AgentEngine, 'answer'>> };
}

/** What the answer is stored as in `selected_option`. */
function selected(answer: ReviewAnswer): string {
  switch (answer.kind) {
    case 'option':
      return answer.option_id;
    case 'none':
      return 'none';
    case 'track':
      return `track:${answer.track_id}`;
    case 'album':
      return `album:${answer.album_id}`;
    case 'created':
      return `created:${answer.album_id}`;
    case 'cancel':
      return 'cancelled';
  }
}

/**
 * Resolves a review. Fails with `conflict` when another answer was first (its message names it), with
 * `not_found` when the review or the chosen entry does not exist. Answering the same again is no error.
 *
 * AGENT-43: a workflow that waits for this answer takes it and is completed; the batch is matched again with it.
 */
export async function answerReview(
  context: AnswerContext,
  reviewId: string,
  answer: ReviewAnswer,
  user: string,
): Promise<Result<{ winner: string }>> {
  const { db } = context;
  const option = selected(answer);
  const engine = await engineFor(context, reviewId);
  return db.transaction(
    'rw',
    [...jobTables(db), db.tracks, db.albums],
    async (): Promise<Result<{ winner: string }>> => {
      const review = await db.reviews.get(reviewId);
      if (!review) return fail(failure('not_found', 'This question is gone; it may have been withdrawn.'));
      if (review.resolved_at !== null) {
        if (review.selected_option === option) return ok({ winner: option });
        const winner = review.selected_option ?? 'another answer';
        return fail(failure('conflict', `This question was answered before: ${winner}.`));
      }
      const events = await eventsOf(context, review, option);
      if (!events.ok) return events;
      const label = review.options.find((one) => one.id === option)?.label ?? option;
      await db.reviews.update(review.id, {
        resolved_at: context.clock.now(),
        resolved_by_user_id: user,
        selected_option: option,
      });
      for (const jobId of review.job_ids) {
        const { event, patch } = events.value(jobId);
        const resumed = await resumedWorkflow(context, engine, jobId, ownOption(review, jobId, option), user);
        const said = {
          step_type: 'ReviewAnswer' as const,
          content: answerSentence(option, label),
          metadata: { selected_option: option, by: user },
        };
        const before = await db.jobs.get(jobId);
        const after = await applyEvent(context, jobId, event, {
          before: [said],
          patch: { hold: false, ...resumed, ...patch },
        });
        await learnFromAnswer(context, { review, option, before, after });
      }
      await touchBatch(db, review.batch_id, { rematch: true });
      return ok({ winner: option });
    },
  );
}

type Answering = Pick<AgentEngine, 'answer'>;

/** The agent, where a workflow waits for this answer. A person's word counts also where it cannot be fetched. */
async function engineFor(context: AnswerContext, reviewId: string): Promise<Answering | null> {
  const review = await context.db.reviews.get(reviewId);
  const jobs = await context.db.jobs.bulkGet(review?.job_ids ?? []);
  if (!jobs.some((job) => workflowOf(job)?.state.type === 'AwaitingReview')) return null;
  return context.agent.engine().catch(() => null);
}

async function resumedWorkflow(
  context: AnswerContext,
  engine: Answering | null,
  jobId: string,
  option: string | null,
  user: string,
): Promise<Partial<Job>> {
  if (option === null) return {};
  const workflow = workflowOf(await context.db.jobs.get(jobId));
  if (engine === null || workflow?.state.type !== 'AwaitingReview') return {};
  const answered = engine.answer(workflow, option, user, context.clock.now());
  return { workflow_state: JSON.stringify(answered) };
}

/** What an answer to a question about several files says of one of them, as its own question would have had it. */
function ownOption(review: Review, jobId: string, option: string): string | null {
  if (option === 'each') return null;
  if (option !== 'accept') return option;
  const track = acceptedTracks(review).get(jobId);
  return track === undefined ? null : `track:${track}`;
}

type EventOf = (jobId: string) => { event: JobEvent; patch?: Partial<Job> };

async function eventsOf(context: PipelineContext, review: Review, option: string): Promise<Result<EventOf>> {
  const [kind, id] = splitOption(option);
  if (kind === 'track' && id !== null) {
    const target = await targetOf(context, id);
    if (!target) return fail(failure('not_found', `There is no track "${id}" in the catalog.`));
    if (review.job_ids.length > 1)
      return fail(failure('invalid', 'One track cannot be chosen for several files; choose their album.'));
    return ok(() => ({ event: chosen(target, 'You chose this track') }));
  }
  if (kind === 'album' && id !== null && !(await context.db.albums.get(id))) {
    return fail(failure('not_found', `There is no album "${id}" in the catalog.`));
  }
  if (kind === 'album' || kind === 'created') return ok(() => ({ event: { type: 'rematch' } }));
  if (review.kind === 'replace') return replaceEvents(context, review, option);
  if (review.kind === 'tracks' && option === 'accept') return acceptEvents(context, review);
  // REVIEW-21: the next plan asks about each; it sees that this was answered so (`askedApart`).
  if (review.kind === 'tracks' && option === 'each') return ok(() => ({ event: { type: 'rematch' } }));
  if (option === 'cancelled') return ok(() => ({ event: { type: 'cancelled' } }));
  if (option === 'none' && review.kind === 'album') return ok(() => ({ event: { type: 'rematch' } }));
  if (option === 'none') return ok(() => ({ event: { type: 'rejected', why: 'none of the candidates was right.' } }));
  return fail(failure('invalid', `"${option}" is no answer to this question.`));
}

/**
 * REVIEW-21: every file is the track that was proposed for it. The next plan approves them by that word (`matchContext`),
 * so that two formats of one track and audio that is there already are treated as everywhere.
 */
async function acceptEvents(context: PipelineContext, review: Review): Promise<Result<EventOf>> {
  const tracks = [...acceptedTracks(review).values()];
  const found = await context.db.tracks.bulkGet(tracks);
  const gone = found.findIndex((track) => track === undefined);
  if (gone >= 0) return fail(failure('not_found', `There is no track "${tracks[gone] ?? ''}" in the catalog.`));
  return ok(() => ({ event: { type: 'rematch' } }));
}

async function replaceEvents(context: PipelineContext, review: Review, option: string): Promise<Result<EventOf>> {
  if (option === 'cancelled') return ok(() => ({ event: { type: 'cancelled' } }));
  const jobs = await context.db.jobs.bulkGet(review.job_ids);
  const targets = new Map<string, Target>();
  for (const job of jobs) {
    const trackId = job?.match?.track_id ?? null;
    const target = trackId === null ? null : await targetOf(context, trackId);
    if (job && target) targets.set(job.id, target);
  }
  return ok((jobId) => {
    const target = targets.get(jobId);
    if (!target) return { event: { type: 'rejected', why: 'the track is not in the catalog any more.' } };
    if (option === 'replace')
      return { event: chosen(target, 'You chose to replace the present audio'), patch: { replace: true } };
    return {
      event: { type: 'duplicate', of: target.track_id, reason: `"${target.title}" has audio in the catalog already` },
    };
  });
}

function chosen(target: Target, why: string): JobEvent {
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

async function targetOf(context: PipelineContext, trackId: string): Promise<Target | null> {
  const track = await context.db.tracks.get(trackId);
  if (!track) return null;
  const album = await context.db.albums.get(track.album_id);
  return { track_id: track.id, title: track.title, album_id: track.album_id, album: album?.title ?? '' };
}

function answerSentence(option: string, label: string): string {
  if (option === 'none') return 'None of these';
  if (option === 'cancelled') return 'Cancelled';
  return option.startsWith('created:') ? 'Created a new catalog entry' : `Chose "${label}"`;
}
