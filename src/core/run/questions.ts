/** Questions as rows: how one is put, what is left of it when some of its files leave it, and how it is asked again. */
import type { ApplyContext } from '../job/apply.ts';
import type { Job } from '../job/job.ts';
import { isAnswered, type Review } from '../job/review.ts';
import type { JobRows } from './job-store.ts';
import type { QuestionDraft } from './lane-run.ts';

/** Puts a new question about these jobs; `since`: when it was asked first, where it takes the place of another one. */
export async function putQuestion(
  rows: JobRows,
  { clock, ids }: ApplyContext,
  jobs: readonly Job[],
  draft: QuestionDraft,
  since = clock.now(),
): Promise<void> {
  const [first] = jobs;
  if (!first) return;
  await rows.putReview({
    schema_version: 1,
    ...(first.lane === undefined ? {} : { lane: first.lane }),
    ...draft,
    id: ids.next(),
    job_id: first.id,
    job_ids: jobs.map((job) => job.id),
    batch_id: first.batch_id,
    group_id: first.group_id,
    created_at: since,
    resolved_at: null,
    resolved_by_user_id: null,
    selected_option: null,
  });
}

/** Takes a job out of the open questions that it is in; one that is about nothing else any more ends as `how`. */
export async function leaveQuestions(
  rows: JobRows,
  { clock }: ApplyContext,
  jobId: string,
  how: 'cancelled' | 'withdrawn',
): Promise<void> {
  for (const review of await rows.reviewsOfJobs([jobId])) {
    if (review.resolved_at !== null) continue;
    const job_ids = review.job_ids.filter((id) => id !== jobId);
    const files = review.files.filter((file) => file.job_id !== jobId);
    if (job_ids.length === 0) await rows.putReview({ ...review, resolved_at: clock.now(), selected_option: how });
    else await rows.putReview({ ...review, job_ids, job_id: job_ids[0] ?? '', files });
  }
}

/** What was answered about a job, the latest last. */
export async function answersAbout(rows: Pick<JobRows, 'reviewsOfJobs'>, jobId: string): Promise<Review[]> {
  const answered = (await rows.reviewsOfJobs([jobId])).filter(isAnswered);
  return answered.sort((a, b) => (a.resolved_at ?? 0) - (b.resolved_at ?? 0));
}

/** The answer no longer speaks for these jobs. */
export async function takeOut(rows: JobRows, reviewId: string, jobIds: readonly string[]): Promise<void> {
  const review = await rows.review(reviewId);
  if (!review) return;
  const job_ids = review.job_ids.filter((id) => !jobIds.includes(id));
  await rows.putReview(
    job_ids.length === 0 ? { ...review, selected_option: 'undone' } : { ...review, job_ids, job_id: job_ids[0] ?? '' },
  );
}
