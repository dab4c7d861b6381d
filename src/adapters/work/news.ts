/** What people and commits did to an upload, taken over into its rows by the same commands as in the app. */
import { applyEvent, touchBatch } from '#core/job/apply.ts';
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
    const batch = await rows.batch(context.store.batchId);
    const archives = (batch?.archives ?? []).map((archive) =>
      cancelled.includes(archive.job_id ?? '') && archive.error === undefined
        ? { ...archive, done: true, error: 'cancelled' }
        : archive,
    );
    const stopped = archives.filter((archive, at) => archive !== batch?.archives[at]).length;
    if (batch && stopped > 0) await rows.putBatch({ ...batch, archives });
    for (const one of published) await takePublished(rows, context, one);
    // The server has written the line about it.
    return stopped + (await cancelJobs(rows, context, cancelled, { logged: true })) + published.length;
  });
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
