import { failure } from '../errors.ts';
import { addSteps, applyEvent, touchBatch } from '../job/apply.ts';
import type { Review } from '../job/review.ts';
import { fail, ok, type Result } from '../result.ts';
import { woken } from './agent-state.ts';
import type { JobReader } from './job-store.ts';
import type { RunDeps } from './ports.ts';

/**
 * AGENT-52: the person has the model asked again about questions that it could not be asked before (`advice.failed`). What
 * was found is forgotten, the question is withdrawn and the batch matched again, which puts the doubt to the model from the
 * start. Answers how many questions; fails with `model_missing` where no model is set, with `conflict` where none of the
 * questions waits, or what waits was taken back by the person (AGENT-1: it stays theirs).
 */
export async function askAgain(
  context: Pick<RunDeps, 'store' | 'clock' | 'ids' | 'agent' | 'agentState'>,
  jobIds: readonly string[],
): Promise<Result<{ asked: number }>> {
  const { store, clock, agent, agentState } = context;
  for (const id of new Set((await store.jobs(jobIds)).map((job) => job.batch_id))) {
    const batch = await store.batch(id);
    if (batch && (await agent.model(batch)) === null) return fail(failure('model_missing', 'No model is chosen.'));
  }
  const asked = await store.change(async (rows) => {
    const reviews = await failedReviews(rows, jobIds);
    for (const review of reviews) {
      for (const id of review.job_ids) await applyEvent(rows, context, id, { type: 'forgotten' });
      await rows.putReview({ ...review, resolved_at: clock.now(), selected_option: 'withdrawn' });
      await addSteps(rows, context, review.job_id, [
        { step_type: 'ReviewAnswer', content: 'The model is asked again', metadata: { review_id: review.id } },
      ]);
      await touchBatch(rows, review.batch_id, { rematch: true });
    }
    return reviews.length;
  });
  if (asked === 0) {
    const remedy = 'Answer the question yourself.';
    return fail(failure('conflict', 'There is nothing here that the model could be asked again.', { remedy }));
  }
  await agentState.change(woken);
  return ok({ asked });
}

async function failedReviews(rows: JobReader, jobIds: readonly string[]): Promise<Review[]> {
  const open = (await rows.reviewsOfJobs(jobIds)).filter(
    (review) => review.resolved_at === null && (review.advice?.failed ?? null) !== null,
  );
  const held = new Set(
    (await rows.jobs(open.flatMap((one) => one.job_ids))).flatMap((job) => (job.hold ? [job.id] : [])),
  );
  return open.filter((review) => !review.job_ids.some((id) => held.has(id)));
}
