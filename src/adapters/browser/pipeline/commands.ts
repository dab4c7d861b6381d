/** What a person can do to jobs, from any tab: each is one transaction that reads before it writes. */
import { questionForFile } from '#core/music/phrase.ts';
import { trackChoice } from '#core/job/batch-plan.ts';
import { isFinished, type Job } from '#core/job/job.ts';
import { isUndecided } from '#core/job/match-context.ts';
import type { Review } from '#core/job/review.ts';
import { pairsSentence } from '#core/job/track-questions.ts';
import { canUndo } from '#core/job/transitions.ts';
import { mayTakeBack } from '#core/sync/outbox.ts';
import { appendSteps } from '../steps.ts';
import { unlearn } from '../memory-store.ts';
import { dropDoubt } from './agent-begin.ts';
import { applyEvent, jobTables, touchBatch, type PipelineContext } from './apply.ts';

/** Ends unfinished jobs as FAILED "cancelled". What the server may be accepting right now is left alone. Answers how many. */
export async function cancelJobs(context: PipelineContext, jobIds: string[]): Promise<number> {
  const { db } = context;
  return db.transaction('rw', jobTables(db), async () => {
    let cancelled = 0;
    for (const id of jobIds) {
      if (!(await dropFromOutbox(context, id))) continue;
      const job = await applyEvent(context, id, { type: 'cancelled' });
      if (!job) continue;
      cancelled += 1;
      await dropDoubt(context, job);
      await leaveReviews(context, job, 'cancelled');
      await touchBatch(db, job.batch_id, { rematch: true });
    }
    return cancelled;
  });
}

/** Takes up failed jobs again. Answers how many could be. */
export async function retryJobs(context: PipelineContext, jobIds: string[]): Promise<number> {
  const { db } = context;
  return db.transaction('rw', jobTables(db), async () => {
    let retried = 0;
    for (const id of jobIds) {
      const job = await applyEvent(context, id, { type: 'retried' }, { patch: { hold: false } });
      if (!job) continue;
      await db.outbox.where('job_id').equals(id).delete();
      await forgetAnswers(context, job);
      await unlearn(context, job, 'retried');
      retried += 1;
      await touchBatch(db, job.batch_id);
    }
    return retried;
  });
}

/** Takes decisions back: each job is asked about again, as before, until a person answers. Answers how many. */
export async function undoJobs(context: PipelineContext, jobIds: string[]): Promise<number> {
  const { db } = context;
  return db.transaction('rw', jobTables(db), async () => {
    const reopened = new Map<string, { review: Review; jobs: Job[] }>();
    let undone = 0;
    for (const id of jobIds) {
      const before = await db.jobs.get(id);
      if (!before) continue;
      const answered = await lastAnswered(context, id);
      const job = isUndecided(before) ? await unanswer(context, before, answered) : await undecide(context, before);
      if (!job) continue;
      undone += 1;
      await unlearn(context, job, 'undone');
      const source = answered ?? freshQuestion(context, job);
      const entry = reopened.get(source.id) ?? { review: source, jobs: [] };
      entry.jobs.push(job);
      reopened.set(source.id, entry);
      await touchBatch(db, job.batch_id);
    }
    for (const { review, jobs } of reopened.values())
      await reopen(context, asAsked(context, review, jobs), jobs, review);
    return undone;
  });
}

/** Takes back what was decided about one file; null where it is too late. */
async function undecide(context: PipelineContext, job: Job): Promise<Job | null> {
  if (!canUndo(job) || !(await dropFromOutbox(context, job.id))) return null;
  return applyEvent(context, job.id, { type: 'undone' }, { patch: { hold: true, replace: false } });
}

/**
 * REVIEW-26: takes back an answer that has decided nothing yet about the file: its plan has not run, or it led to another
 * question, which is withdrawn. null where there was none.
 */
async function unanswer(context: PipelineContext, before: Job, answered: Review | null): Promise<Job | null> {
  if (answered === null) return null;
  const { db, ids, clock } = context;
  const patch = { hold: true, replace: false };
  const said = { step_type: 'ReviewAnswer' as const, content: 'Answer taken back', metadata: { undo: true } };
  const again = await applyEvent(context, before.id, { type: 'rematch' }, { before: [said], patch });
  if (!again) {
    // It waits for its plan already.
    await db.jobs.update(before.id, { ...patch, updated_at: Math.max(clock.now(), before.updated_at + 1) });
    await appendSteps(db, ids, clock.now(), before.id, [said]);
  }
  await dropDoubt(context, before);
  await leaveReviews(context, before, 'withdrawn');
  await touchBatch(db, before.batch_id, { rematch: true });
  return again ?? { ...before, ...patch };
}

/**
 * REVIEW-33: removes finished rows, their logs and the answered questions of which no file is left. What is in the
 * catalog stays, and what was learned from the answers. Answers how many rows.
 */
export async function clearJobs(context: PipelineContext, jobIds: string[]): Promise<number> {
  const { db } = context;
  return db.transaction('rw', jobTables(db), async () => {
    const finished = (await db.jobs.bulkGet(jobIds)).flatMap((job) => (job && isFinished(job) ? [job.id] : []));
    await db.jobs.bulkDelete(finished);
    await db.steps.where('job_id').anyOf(finished).delete();
    await clearReviews(context, finished);
    // An answered sample is what the local profile rests on; one without an answer will get none any more.
    await db.samples
      .where('id')
      .anyOf(finished)
      .filter((sample) => sample.right === null)
      .delete();
    return finished.length;
  });
}

async function clearReviews({ db }: PipelineContext, jobIds: readonly string[]): Promise<void> {
  const asked = await db.reviews.where('job_ids').anyOf(jobIds).distinct().toArray();
  const left = new Set(
    await db.jobs
      .where('id')
      .anyOf([...new Set(asked.flatMap((one) => one.job_ids))])
      .primaryKeys(),
  );
  const needless = asked.filter((one) => one.resolved_at !== null && !one.job_ids.some((id) => left.has(id)));
  await db.reviews.bulkDelete(needless.map((one) => one.id));
}

/** Removes a job's waiting result. False while the server may be accepting it. */
async function dropFromOutbox(context: PipelineContext, jobId: string): Promise<boolean> {
  const items = await context.db.outbox.where('job_id').equals(jobId).toArray();
  if (!items.every(mayTakeBack)) return false;
  await context.db.outbox.bulkDelete(items.map((item) => item.key));
  return true;
}

async function leaveReviews(context: PipelineContext, job: Job, how: string): Promise<void> {
  const { db, clock } = context;
  const open = (await db.reviews.where('job_ids').equals(job.id).toArray()).filter(
    (review) => review.resolved_at === null,
  );
  for (const review of open) {
    const rest = review.job_ids.filter((id) => id !== job.id);
    if (rest.length === 0) await db.reviews.update(review.id, { resolved_at: clock.now(), selected_option: how });
    else
      await db.reviews.update(review.id, {
        job_ids: rest,
        job_id: rest[0] ?? '',
        files: review.files.filter((file) => file.job_id !== job.id),
      });
  }
}

async function answeredReviews(context: PipelineContext, jobId: string): Promise<Review[]> {
  const reviews = await context.db.reviews.where('job_ids').equals(jobId).toArray();
  return reviews.filter(
    (review) =>
      review.resolved_at !== null && review.selected_option !== 'withdrawn' && review.selected_option !== 'undone',
  );
}

async function lastAnswered(context: PipelineContext, jobId: string): Promise<Review | null> {
  const reviews = await answeredReviews(context, jobId);
  return reviews.sort((a, b) => (b.resolved_at ?? 0) - (a.resolved_at ?? 0))[0] ?? null;
}

/** A retried job starts without the answers that led to its end, people's and the agent's. */
async function forgetAnswers(context: PipelineContext, job: Job): Promise<void> {
  if (job.phase !== 'queued') return;
  await context.db.jobs.update(job.id, { agent: null, workflow_state: null });
  for (const review of await answeredReviews(context, job.id)) await takeOut(context, review, [job.id]);
}

/** The answer no longer speaks for these jobs. */
async function takeOut(context: PipelineContext, review: Review, jobIds: string[]): Promise<void> {
  const rest = review.job_ids.filter((id) => !jobIds.includes(id));
  await context.db.reviews.update(
    review.id,
    rest.length === 0 ? { selected_option: 'undone' } : { job_ids: rest, job_id: rest[0] ?? '' },
  );
}

/** REVIEW-21: what is left of a question about several files; about one file it is the question about that. */
function asAsked(context: PipelineContext, review: Review, jobs: Job[]): Review {
  const [first] = jobs;
  if (review.kind !== 'tracks' || first === undefined) return review;
  if (jobs.length === 1) return freshQuestion(context, first);
  const files = review.files.filter((file) => jobs.some((job) => job.id === file.job_id));
  const question = review.question.replace(/^\d+/, String(files.length));
  return { ...review, question, reasoning: pairsSentence(files), files };
}

async function reopen(context: PipelineContext, review: Review, jobs: Job[], answered: Review): Promise<void> {
  const ids = jobs.map((job) => job.id);
  if (await context.db.reviews.get(answered.id)) await takeOut(context, answered, ids);
  await context.db.reviews.put({
    ...review,
    id: context.ids.next(),
    job_id: ids[0] ?? '',
    job_ids: ids,
    files: review.files.filter((file) => ids.includes(file.job_id)),
    created_at: context.clock.now(),
    resolved_at: null,
    resolved_by_user_id: null,
    selected_option: null,
  });
}

/** The question about a file that had been approved without one. */
function freshQuestion(context: PipelineContext, job: Job): Review {
  const match = job.match;
  const text =
    match && job.evidence
      ? questionForFile(match, job.evidence)
      : { question: `Which track is "${job.original_filename}"?`, reasoning: '' };
  return {
    schema_version: 1,
    id: context.ids.next(),
    kind: 'track',
    job_id: job.id,
    job_ids: [job.id],
    batch_id: job.batch_id,
    group_id: job.group_id,
    question: text.question,
    reasoning: text.reasoning,
    options: match?.options.map(trackChoice) ?? [],
    detected: { album: null, artist: match?.detected.artist ?? null, year: null, title: match?.detected.title ?? null },
    files: [
      {
        job_id: job.id,
        name: job.original_filename,
        title: match?.detected.title ?? null,
        disc: match?.detected.disc ?? null,
        position: match?.detected.position ?? null,
        duration_ms: job.duration_ms,
      },
    ],
    created_at: context.clock.now(),
    resolved_at: null,
    resolved_by_user_id: null,
    selected_option: null,
  };
}
