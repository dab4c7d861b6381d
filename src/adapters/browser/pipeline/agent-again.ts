import { failure } from '#core/errors.ts';
import type { Review } from '#core/job/review.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { appendSteps } from '../steps.ts';
import type { AgentStageDeps } from './agent-stage.ts';
import { wakeAgent } from './agent-state.ts';
import { jobTables, touchBatch, type PipelineContext } from './apply.ts';

/**
 * AGENT-52: the person has the model asked again about questions that it could not be asked before (`advice.failed`). What
 * was found is forgotten, the question is withdrawn and the batch matched again, which puts the doubt to the model from the
 * start. Answers how many questions; fails with `model_missing` where no model is set, with `conflict` where none of the
 * questions waits, or what waits was taken back by the person (AGENT-1: it stays theirs).
 */
export async function askAgain(
  context: PipelineContext & Pick<AgentStageDeps, 'agent'>,
  jobIds: string[],
): Promise<Result<{ asked: number }>> {
  const { db, clock, ids, agent } = context;
  const batches = [...new Set((await db.jobs.bulkGet(jobIds)).flatMap((job) => (job ? [job.batch_id] : [])))];
  for (const batch of await db.batches.bulkGet(batches)) {
    if (batch && (await agent.model(batch)) === null) return fail(failure('model_missing', 'No model is chosen.'));
  }
  const asked = await db.transaction('rw', jobTables(db), async () => {
    const reviews = await failedReviews(context, jobIds);
    for (const review of reviews) {
      const now = clock.now();
      await db.jobs
        .where('id')
        .anyOf(review.job_ids)
        .modify((job) => {
          job.agent = null;
          job.updated_at = Math.max(now, job.updated_at + 1);
        });
      await db.reviews.update(review.id, { resolved_at: now, selected_option: 'withdrawn' });
      await appendSteps(db, ids, now, review.job_id, [
        { step_type: 'ReviewAnswer', content: 'The model is asked again', metadata: { review_id: review.id } },
      ]);
      await touchBatch(db, review.batch_id, { rematch: true });
    }
    return reviews.length;
  });
  if (asked === 0) {
    const remedy = 'Answer the question yourself.';
    return fail(failure('conflict', 'There is nothing here that the model could be asked again.', { remedy }));
  }
  await wakeAgent(db);
  return ok({ asked });
}

async function failedReviews({ db }: PipelineContext, jobIds: string[]): Promise<Review[]> {
  const open = await db.reviews
    .where('job_ids')
    .anyOf(jobIds)
    .distinct()
    .filter((review) => review.resolved_at === null && (review.advice?.failed ?? null) !== null)
    .toArray();
  const held = new Set(
    (await db.jobs.bulkGet(open.flatMap((one) => one.job_ids))).flatMap((job) => (job?.hold ? [job.id] : [])),
  );
  return open.filter((review) => !review.job_ids.some((id) => held.has(id)));
}
