/** What people and commits did to an upload, taken over into its rows by the same commands as in the app. */
import { applyEvent, touchBatch } from '#core/job/apply.ts';
import { isFinished, type BatchArchive } from '#core/job/job.ts';
import { answerOf } from '#core/job/review.ts';
import type { Failure } from '#core/errors.ts';
import { answerReview, answerSentence, type AnswerContext } from '#core/run/answer.ts';
import { cancelJobs } from '#core/run/commands.ts';
import { takePublished } from '#core/run/outbox.ts';
import type { WorkNews } from '#core/sync/work-protocol.ts';
import type { LeasedJobStore } from './leased-store.ts';

export type NewsContext = AnswerContext & { store: LeasedJobStore };

/** Jobs that were cancelled or published. Answers how many were news. */
export async function takeEnds(context: NewsContext, { cancelled, published }: WorkNews): Promise<number> {
  if (cancelled.length + published.length === 0) return 0;
  return context.store.change(async (rows) => {
    let news = 0;
    for (const one of published) if (await takePublished(rows, context, one)) news += 1;
    const batch = await rows.batch(context.store.batchId);
    const stopped = batch ? stoppedArchives(batch.archives, cancelled) : new Set<string>();
    if (batch && stopped.size > 0) {
      const end = { done: true, error: 'cancelled' };
      const archives = batch.archives.map((one) => (stopped.has(one.path) ? { ...one, ...end } : one));
      await rows.putBatch({ ...batch, archives });
    }
    // The server has written the line about those that it knows.
    news += stopped.size + (await cancelJobs(rows, context, cancelled, { logged: true }));
    const inside = (await rows.jobsOfBatch(context.store.batchId)).filter((job) => stopped.has(job.archive ?? ''));
    const unfinished = inside.filter((job) => !isFinished(job)).map((job) => job.id);
    return news + (await cancelJobs(rows, context, unfinished));
  });
}

/** Paths of archives that are over by this, with those inside them: the server may not have known what is in them. */
function stoppedArchives(archives: readonly BatchArchive[], cancelled: readonly string[]): Set<string> {
  const isStopped = ({ job_id, inside }: BatchArchive): boolean =>
    cancelled.includes(job_id ?? '') || archives.some((one) => one.path === inside && isStopped(one));
  return new Set(archives.filter((one) => one.error === undefined && isStopped(one)).map((one) => one.path));
}

/** Answers that are not known here yet. */
export async function newAnswers(store: LeasedJobStore, { answers }: WorkNews): Promise<WorkNews['answers']> {
  const asked = await Promise.all(answers.map(({ review_id }) => store.review(review_id)));
  return answers.filter((_, at) => asked[at]?.resolved_at === null);
}

/** Who answered, where the server does not say. */
const SOMEBODY = 'somebody else';

export async function takeAnswers(context: NewsContext, answers: WorkNews['answers']): Promise<void> {
  for (const { review_id, selected_option, resolved_by_user_id: by } of answers) {
    const answered = await answerReview(context, review_id, answerOf(selected_option), by ?? SOMEBODY);
    if (!answered.ok && answered.failure.code !== 'conflict')
      await askAnew(context, review_id, selected_option, by, answered.failure);
  }
}

/** What was chosen is gone from the catalog: the files are matched, and asked about, again. */
async function askAnew(
  context: NewsContext,
  reviewId: string,
  option: string,
  by: string | null,
  why: Failure,
): Promise<void> {
  await context.store.change(async (rows) => {
    const review = await rows.review(reviewId);
    if (!review) return;
    await rows.putReview({
      ...{ ...review, resolved_at: context.clock.now() },
      ...{ resolved_by_user_id: by, selected_option: option },
    });
    const label = review.options.find((one) => one.id === option)?.label ?? option;
    const metadata = { selected_option: option, by };
    const steps = [
      { step_type: 'ReviewAnswer' as const, content: answerSentence(option, label), metadata },
      { step_type: 'Error' as const, content: why.message },
    ];
    for (const id of review.job_ids) await applyEvent(rows, context, id, { type: 'rematch' }, steps);
    await touchBatch(rows, review.batch_id, { rematch: true });
  });
}
