/** What a person can do to jobs, from wherever they are: each runs inside one change, and reads before it writes. */
import { applyEvent, touchBatch, type ApplyContext } from '../job/apply.ts';
import { canPause, isFinished, isUndecided, canUndo, type ChosenCover, type Job } from '../job/job.ts';
import type { Failure } from '../errors.ts';
import type { Review } from '../job/review.ts';
import { mayTakeBack } from '../sync/outbox.ts';
import { dropDoubt, endUnanswered, openDoubts } from './doubts.ts';
import type { JobRows } from './job-store.ts';
import { laneOf, type RunDeps } from './ports.ts';
import { answersAbout, leaveQuestions, putQuestion, takeOut } from './questions.ts';

export interface CommandContext extends ApplyContext, Pick<RunDeps, 'lane'> {}

/** Ends unfinished jobs as FAILED "cancelled". What the server may be accepting right now is left alone. Answers how many. */
export async function cancelJobs(
  rows: JobRows,
  context: CommandContext,
  jobIds: readonly string[],
  how: { logged?: true; elsewhere?: true } = {},
): Promise<number> {
  let cancelled = 0;
  for (const id of jobIds) {
    if (!(await takeBack(rows, id))) continue;
    const job = await applyEvent(rows, context, id, { type: 'cancelled', ...how });
    if (!job) continue;
    cancelled += 1;
    await dropDoubt(rows, context, job);
    await leaveQuestions(rows, context, job.id, 'cancelled');
    await touchBatch(rows, job.batch_id, { rematch: true });
  }
  return cancelled;
}

/** Ends a job whose stored original is gone: nothing is asked about it any more, and it says what to do. */
export async function loseOriginal(rows: JobRows, context: ApplyContext, job: Job, why: Failure): Promise<void> {
  const ended = isFinished(job) ? null : await applyEvent(rows, context, job.id, { type: 'failed', failure: why });
  await applyEvent(rows, context, job.id, { type: 'freed' });
  if (ended === null) return;
  await dropDoubt(rows, context, ended);
  await leaveQuestions(rows, context, job.id, 'withdrawn');
  await touchBatch(rows, job.batch_id, { rematch: true });
}

/** Takes a job's waiting results back. False, and nothing is removed, while the server may have accepted one (SYNC-8). */
export async function takeBack(rows: JobRows, jobId: string): Promise<boolean> {
  const items = await rows.outboxOfJob(jobId);
  if (!items.every(mayTakeBack)) return false;
  await rows.deleteOutboxItems(items.map((item) => item.key));
  return true;
}

/** Takes up failed jobs again. Answers how many could be. */
export async function retryJobs(rows: JobRows, context: CommandContext, jobIds: readonly string[]): Promise<number> {
  let retried = 0;
  for (const id of jobIds) {
    const job = await applyEvent(rows, context, id, { type: 'retried' });
    if (!job) continue;
    await rows.deleteOutboxItems((await rows.outboxOfJob(id)).map((item) => item.key));
    // From its start it is worked out without the answers that led to its end.
    if (job.phase === 'queued') for (const review of await answersAbout(rows, id)) await takeOut(rows, review.id, [id]);
    await laneOf(context, job).onTakenBack?.(rows, context, job, 'retried');
    retried += 1;
    await touchBatch(rows, job.batch_id);
  }
  return retried;
}

/** Takes decisions back: each job is asked about again, as before, until a person answers. Answers how many. */
export async function undoJobs(rows: JobRows, context: CommandContext, jobIds: readonly string[]): Promise<number> {
  /** By the question that led to the decisions; those without one are asked about one by one. */
  const again = new Map<string, { answered: Review | null; jobs: Job[] }>();
  for (const id of jobIds) {
    const before = await rows.job(id);
    if (!before) continue;
    const answered = (await answersAbout(rows, id)).at(-1) ?? null;
    const job = isUndecided(before)
      ? await takeAnswerBack(rows, context, before, answered)
      : await undecide(rows, context, before);
    if (!job) continue;
    await laneOf(context, job).onTakenBack?.(rows, context, job, 'undone');
    const entry = again.get(answered?.id ?? id) ?? { answered, jobs: [] };
    entry.jobs.push(job);
    again.set(answered?.id ?? id, entry);
    await touchBatch(rows, job.batch_id);
  }
  for (const { answered, jobs } of again.values()) await askAgainAbout(rows, context, answered, jobs);
  return [...again.values()].reduce((sum, { jobs }) => sum + jobs.length, 0);
}

/** Takes back what was decided about one file; null where it is too late. */
async function undecide(rows: JobRows, context: CommandContext, job: Job): Promise<Job | null> {
  if (!canUndo(job) || !(await takeBack(rows, job.id))) return null;
  return applyEvent(rows, context, job.id, { type: 'undone' });
}

/**
 * REVIEW-26: takes back an answer that has decided nothing yet about the file: its plan has not run, or it led to another
 * question, which is withdrawn. null where there was none.
 */
async function takeAnswerBack(
  rows: JobRows,
  context: CommandContext,
  before: Job,
  answered: Review | null,
): Promise<Job | null> {
  if (answered === null) return null;
  const job = await applyEvent(rows, context, before.id, { type: 'rematch', undo: true });
  await dropDoubt(rows, context, before);
  await leaveQuestions(rows, context, before.id, 'withdrawn');
  await touchBatch(rows, before.batch_id, { rematch: true });
  return job;
}

async function askAgainAbout(
  rows: JobRows,
  context: CommandContext,
  answered: Review | null,
  jobs: readonly Job[],
): Promise<void> {
  const [first] = jobs;
  if (!first) return;
  const lane = laneOf(context, first);
  const draft = answered === null ? lane.questionAbout(first) : lane.questionLeft(answered, jobs);
  if (answered !== null)
    await takeOut(
      rows,
      answered.id,
      jobs.map((job) => job.id),
    );
  const files = draft.files.filter((file) => jobs.some((job) => job.id === file.job_id));
  // In the place where it stood before.
  await putQuestion(rows, context, jobs, { ...draft, files }, answered?.created_at);
}

/**
 * REVIEW-33: removes finished rows, their logs and the answered questions of which no file is left. What is in the
 * catalog stays, and what was learned from the answers. Answers how many rows.
 */
export async function clearJobs(rows: JobRows, context: CommandContext, jobIds: readonly string[]): Promise<number> {
  const finished = (await rows.jobs(jobIds)).filter(isFinished);
  const ids = finished.map((job) => job.id);
  const asked = await rows.reviewsOfJobs(ids);
  await rows.deleteJobs(ids);
  const left = new Set((await rows.jobs(asked.flatMap((one) => one.job_ids))).map((job) => job.id));
  const needless = asked.filter((one) => one.resolved_at !== null && !one.job_ids.some((id) => left.has(id)));
  await rows.deleteReviews(needless.map((one) => one.id));
  for (const lane of new Set(finished.map((job) => laneOf(context, job)))) await lane.onCleared?.(rows, ids);
  return ids.length;
}

/**
 * JOB-12: marks files whose conversion is to come or under way; who converts sees it at the next poke, wherever that is.
 * Answers how many changed.
 */
export async function pauseJobs(
  rows: JobRows,
  context: ApplyContext,
  jobIds: readonly string[],
  paused: boolean,
): Promise<number> {
  let changed = 0;
  for (const job of await rows.jobs(jobIds)) {
    if (!canPause(job) || (job.paused === true) === paused) continue;
    if (await applyEvent(rows, context, job.id, { type: 'paused', paused })) changed += 1;
  }
  return changed;
}

/** JOB-80: the picture that goes into what is published of these jobs; null: each file's own. Answers how many took it. */
export async function coverJobs(
  rows: JobRows,
  context: ApplyContext,
  jobIds: readonly string[],
  cover: ChosenCover | null,
): Promise<number> {
  let covered = 0;
  for (const id of jobIds) if (await applyEvent(rows, context, id, { type: 'covered', cover })) covered += 1;
  return covered;
}

/**
 * The person answers these jobs' doubts themselves: the workflow is stopped (its next save is refused) and each doubt is
 * a review as soon as the batch was matched again. Answers how many jobs that frees.
 */
export async function skipAgent(rows: JobRows, context: CommandContext, jobIds: readonly string[]): Promise<number> {
  const { doubts } = await openDoubts(rows, context);
  let skipped = 0;
  for (const { workflow } of doubts) {
    if (!workflow.input.file_ids.some((id) => jobIds.includes(id))) continue;
    const why = 'You took the question over before the agent had answered.';
    skipped += await endUnanswered(rows, context, workflow, why, 'ReviewAnswer');
  }
  return skipped;
}

/** SYNC-28: converts and publishes again what can be. Answers the jobs. */
export async function publishAgain(rows: JobRows, context: ApplyContext, jobIds: readonly string[]): Promise<string[]> {
  const again: string[] = [];
  for (const id of jobIds) if (await applyEvent(rows, context, id, { type: 'lost' })) again.push(id);
  return again;
}
