/**
 * An answer that was given elsewhere. The first one, as the server has it, wins (SYNC-20): an answer given here in the
 * meantime is taken back for it, unless its result is published or on its way, which nothing takes back (SYNC-8). Then
 * the server is told that this one stands (SYNC-27).
 */
import { splitOption } from '#core/job/batch-plan.ts';
import type { Review } from '#core/job/review.ts';
import type { ReviewAnswer } from '../api.ts';
import { appendSteps } from '../steps.ts';
import { jobTables, type PipelineContext } from './apply.ts';
import { undoJobs } from './commands.ts';

/** Takes an answer like one given here, in this person's name. */
export type TakeAnswer = (reviewId: string, answer: ReviewAnswer, by: string) => Promise<unknown>;

/** Who answered, where the server does not say. */
const SOMEBODY = 'somebody else';

export async function takeRemoteAnswer(
  context: PipelineContext,
  take: TakeAnswer,
  reviewId: string,
  selected: string,
  by: string | null,
): Promise<void> {
  const review = await context.db.reviews.get(reviewId);
  if (review === undefined || review.selected_option === selected) return;
  if (review.resolved_at !== null && !(await reopened(context, review))) return stand(context, review, selected, by);
  // Where it fails (the entry is not in the catalog here yet) the question is open, and the mirror asks again.
  await take(reviewId, remoteAnswer(selected), by ?? SOMEBODY);
}

/** In the form that this workstation would have taken it. */
function remoteAnswer(selected: string): ReviewAnswer {
  const [kind, id] = splitOption(selected);
  if (selected === 'none') return { kind: 'none' };
  if (selected === 'cancelled') return { kind: 'cancel' };
  if (kind === 'created' && id !== null) return { kind: 'created', album_id: id };
  return { kind: 'option', option_id: selected };
}

class TooLate extends Error {}

/** Takes the answer that was given here back, of all its files or of none, and asks again under the same id. */
async function reopened(context: PipelineContext, review: Review): Promise<boolean> {
  const { db } = context;
  if (review.selected_option === 'withdrawn' || review.selected_option === 'undone') return false;
  try {
    await db.transaction('rw', jobTables(db), async () => {
      const before = new Set(await db.reviews.where('job_ids').anyOf(review.job_ids).primaryKeys());
      if ((await undoJobs(context, review.job_ids)) !== review.job_ids.length) throw new TooLate();
      const asked = await db.reviews.where('job_ids').anyOf(review.job_ids).toArray();
      // What the undo asked anew is this very question.
      await db.reviews.bulkDelete(asked.filter(({ id }) => !before.has(id)).map(({ id }) => id));
      await db.reviews.put({ ...review, resolved_at: null, resolved_by_user_id: null, selected_option: null });
    });
    return true;
  } catch (error) {
    if (error instanceof TooLate) return false;
    throw error;
  }
}

async function stand(context: PipelineContext, review: Review, selected: string, by: string | null): Promise<void> {
  const { db, ids, clock } = context;
  await db.transaction('rw', jobTables(db), async () => {
    if ((await db.reviews.get(review.id))?.stands === true) return;
    await db.reviews.update(review.id, { stands: true });
    const label = review.options.find((one) => one.id === selected)?.label ?? selected;
    const content = `${by ?? SOMEBODY} answered "${label}" elsewhere, which came too late: the answer given here was carried out already`;
    const step = {
      step_type: 'ReviewAnswer' as const,
      content,
      metadata: { selected_option: selected, by, late: true },
    };
    for (const job of await db.jobs.bulkGet(review.job_ids)) {
      if (job === undefined) continue;
      await appendSteps(db, ids, clock.now(), job.id, [step]);
      // So that the mirror sends it.
      await db.jobs.update(job.id, { updated_at: Math.max(clock.now(), job.updated_at + 1) });
    }
  });
}
