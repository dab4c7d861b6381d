/**
 * A person's answer to a review: what it may speak of is read, what it means is decided by the lane, and one change takes
 * it over review, jobs and logs. It may be given anywhere; the first answer wins.
 */
import { failed, failure } from '../errors.ts';
import { applyEvent, touchBatch } from '../job/apply.ts';
import type { Job, StepDraft } from '../job/job.ts';
import { readRows } from '../job/row-answer.ts';
import { answerOf, isAnswered, selectedOption, type Review, type ReviewAnswer } from '../job/review.ts';
import { fail, ok, type Result } from '../result.ts';
import { workflowOf, type AgentEngine } from './agent.ts';
import { undoJobs } from './commands.ts';
import type { JobRows } from './job-store.ts';
import type { LaneRun } from './lane-run.ts';
import { matchOpenAgain } from './match-again.ts';
import type { RunDeps } from './ports.ts';

export type AnswerContext = Pick<RunDeps, 'store' | 'clock' | 'ids' | 'lane'>;

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
  const { store } = context;
  const option = selectedOption(answer);
  const asked = await store.review(reviewId);
  const jobs = await store.jobs(asked?.job_ids ?? []);
  const lane = context.lane(asked?.lane ?? jobs[0]?.lane);
  const facts = asked ? await lane.readAnswer(store, asked, option) : null;
  const engine = await engineFor(lane, jobs);
  return store.change(async (rows): Promise<Result<{ winner: string }>> => {
    const review = await rows.review(reviewId);
    if (!review) return fail(failure('not_found', 'This question is gone; it may have been withdrawn.'));
    if (review.resolved_at !== null) {
      if (review.selected_option === option) return ok({ winner: option });
      const winner = review.selected_option ?? 'another answer';
      return fail(failure('conflict', `This question was answered before: ${winner}.`));
    }
    const events = lane.answerEvents(review, option, facts);
    if (!events.ok) return events;
    const label = review.options.find((one) => one.id === option)?.label ?? option;
    await rows.putReview({
      ...{ ...review, resolved_at: context.clock.now() },
      ...{ resolved_by_user_id: user, selected_option: option },
    });
    const said: StepDraft = {
      step_type: 'ReviewAnswer',
      content: answerSentence(option, label),
      metadata: { selected_option: option, by: user },
    };
    for (const jobId of review.job_ids) {
      await tellWorkflow(rows, context, engine, jobId, lane.ownOption(review, jobId, option), user);
      const before = await rows.job(jobId);
      const after = await applyEvent(rows, context, jobId, events.value(jobId), [said]);
      await lane.onAnswered?.(rows, context, { review, option, before, after, facts });
    }
    await touchBatch(rows, review.batch_id, { rematch: true });
    // What other drops brought may be of the new entry.
    if (option.startsWith('created:')) await matchOpenAgain(rows, review.batch_id);
    return ok({ winner: option });
  });
}

/** The line of the log. `label`: of the option. */
export function answerSentence(option: string, label: string): string {
  if (option === 'none') return 'None of these';
  if (option === 'cancelled') return 'Cancelled';
  if (option.startsWith('rows:')) return rowsSentence(option);
  return option.startsWith('created:') ? 'Created a new catalog entry' : `Chose "${label}"`;
}

function rowsSentence(option: string): string {
  const words = Object.values(readRows(option)?.rows ?? {});
  const count = (word: string): number => words.filter((one) => one === word).length;
  const parts = [
    `${words.length - count('ask') - count('none')} by hand`,
    `${count('ask')} asked about`,
    `${count('none')} left out`,
  ];
  return `Answered row by row: ${parts.filter((part) => !part.startsWith('0 ')).join(', ')}`;
}

type Answering = Pick<AgentEngine, 'answer'>;

/** The agent, where a workflow waits for this answer. A person's word counts also where it cannot be fetched. */
async function engineFor(lane: LaneRun, jobs: readonly Job[]): Promise<Answering | null> {
  if (!jobs.some((job) => workflowOf(job)?.state.type === 'AwaitingReview')) return null;
  return (await lane.engine?.().catch(() => null)) ?? null;
}

async function tellWorkflow(
  rows: JobRows,
  context: AnswerContext,
  engine: Answering | null,
  jobId: string,
  option: string | null,
  user: string,
): Promise<void> {
  if (option === null || engine === null) return;
  const workflow = workflowOf(await rows.job(jobId));
  if (workflow?.state.type !== 'AwaitingReview') return;
  const answered = engine.answer(workflow, option, user, context.clock.now());
  await applyEvent(rows, context, jobId, { type: 'workflow', workflow: JSON.stringify(answered) });
}

/** Who answered, where the server does not say. */
const SOMEBODY = 'somebody else';

/**
 * An answer that came through the server. The first one, as the server has it, wins (SYNC-20): an answer given here in
 * the meantime is taken back for it, unless its result is published or on its way, which nothing takes back (SYNC-8). Then
 * the server learns that this one counts (SYNC-27).
 */
export async function takeRemoteAnswer(
  context: AnswerContext,
  reviewId: string,
  selected: string,
  by: string | null,
): Promise<void> {
  const review = await context.store.review(reviewId);
  if (review === undefined || review.selected_option === selected) return;
  if (review.resolved_at !== null && !(await reopened(context, review)))
    return noteTooLate(context, review, selected, by);
  // Where it fails (the entry is not in the catalog here yet) the question is open, and the server is asked again.
  await answerReview(context, reviewId, answerOf(selected), by ?? SOMEBODY);
}

/** Takes the answer that was given here back, of all its files or of none, and asks again under the same id. */
async function reopened(context: AnswerContext, review: Review): Promise<boolean> {
  if (!isAnswered(review)) return false;
  const tooLate = failed('cancelled', 'It is carried out already.');
  try {
    await context.store.change(async (rows) => {
      const before = new Set((await rows.reviewsOfJobs(review.job_ids)).map(({ id }) => id));
      if ((await undoJobs(rows, context, review.job_ids)) !== review.job_ids.length) throw tooLate;
      // What the undo asked anew is this very question.
      const asked = (await rows.reviewsOfJobs(review.job_ids)).filter(({ id }) => !before.has(id));
      await rows.deleteReviews(asked.map(({ id }) => id));
      await rows.putReview({ ...review, resolved_at: null, resolved_by_user_id: null, selected_option: null });
    });
    return true;
  } catch (error) {
    if (error === tooLate) return false;
    throw error;
  }
}

async function noteTooLate(context: AnswerContext, review: Review, selected: string, by: string | null): Promise<void> {
  await context.store.change(async (rows) => {
    const now = await rows.review(review.id);
    if (!now || now.stands === true) return;
    await rows.putReview({ ...now, stands: true });
    const label = review.options.find((one) => one.id === selected)?.label ?? selected;
    const content = `${by ?? SOMEBODY} answered "${label}" elsewhere, which came too late: the answer given here was carried out already`;
    const metadata = { selected_option: selected, by, late: true };
    // The row counts as newer, so that the mirror sends it.
    for (const id of review.job_ids)
      await applyEvent(rows, context, id, { type: 'noted', steps: [{ step_type: 'ReviewAnswer', content, metadata }] });
  });
}
