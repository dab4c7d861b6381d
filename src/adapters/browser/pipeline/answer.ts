/**
 * A person's answer to a review: one transaction over the review, its jobs and their logs. It may run in
 * any tab; the first answer wins.
 */
import { failure } from '#core/errors.ts';
import { answerEvents, answerSentence, type EventOf } from '#core/job/answer-events.ts';
import { splitOption } from '#core/job/batch-plan.ts';
import { acceptedTracks } from '#core/job/match-context.ts';
import type { Job } from '#core/job/job.ts';
import type { Review } from '#core/job/review.ts';
import type { Target } from '#core/job/transitions.ts';
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

/** Reads what the answer may speak of, then asks the core what it means. */
async function eventsOf(context: PipelineContext, review: Review, option: string): Promise<Result<EventOf>> {
  const [kind, id] = splitOption(option);
  const jobs = (await context.db.jobs.bulkGet(review.job_ids)).flatMap((job) => (job ? [job] : []));
  const named = [
    ...(kind === 'track' && id !== null ? [id] : []),
    ...(option === 'accept' ? acceptedTracks(review).values() : []),
    ...jobs.flatMap((job) => job.match?.track_id ?? []),
  ];
  const targets = new Map<string, Target | null>();
  for (const track of new Set(named)) targets.set(track, await targetOf(context, track));
  const album = kind === 'album' && id !== null ? await context.db.albums.get(id) : undefined;
  return answerEvents(review, option, {
    target: (track) => targets.get(track) ?? null,
    hasAlbum: (one) => album?.id === one,
    jobs,
  });
}

async function targetOf(context: PipelineContext, trackId: string): Promise<Target | null> {
  const track = await context.db.tracks.get(trackId);
  if (!track) return null;
  const album = await context.db.albums.get(track.album_id);
  return { track_id: track.id, title: track.title, album_id: track.album_id, album: album?.title ?? '' };
}
