/**
 * What a workstation reports of its work: jobs, their steps, its reviews. The workstation knows best, with two
 * exceptions: a job whose commit was accepted stays COMPLETED, and a review that was answered here keeps that
 * answer until the workstation has taken it over, or says that its own counts (SYNC-27).
 */
import { randomBytes } from 'node:crypto';
import { isFinished } from '#core/job/job.ts';
import type { MirroredJob, MirroredReview, MirrorRequest, MirrorResponse } from '#core/sync/protocol.ts';
import { writeAudit } from '../audit/audit.ts';
import { HttpError } from '../http/http-error.ts';
import { chunks, findRow, findRows, idsOf, upsert } from '../store/rows.ts';
import type { InParts } from '../http/long-parts.ts';
import type { IngestionReviewTable, Reader, Tx } from '../store/schema.ts';
import { CANCELLED } from '../work/cancel-job.ts';
import {
  jobRow,
  jobsAbout,
  putReview,
  reviewRow,
  stepRow,
  isUnreported,
  keepEnd,
  keepReviewEnd,
} from './job-records.ts';
import { JobChanges, noteUpdates } from './updates.ts';

/**
 * What a person decided at the workstation is in the log of who did what.
 * @param now the server's clock, milliseconds. Throws HttpError 409 for a job of another user, 422 for steps of a job
 * that is not known, 410 where what was reported before is not known (any more)
 */
export async function takeMirror(
  tx: Tx,
  userId: string,
  request: InParts<MirrorRequest>,
  now: number,
): Promise<MirrorResponse> {
  const mark = await nextMark(tx, userId, request.after, now);
  const changes = new JobChanges();
  const { cancelled, lost } = await takeJobs(tx, userId, request.jobs, now, changes);
  await takeSteps(tx, userId, request.steps, changes);
  const resolved_reviews: MirrorResponse['resolved_reviews'] = [];
  for (const review of request.reviews) {
    const { kept, changed } = await takeReview(tx, userId, review, now);
    if (kept) resolved_reviews.push(kept);
    if (changed) for (const job_id of jobsAbout(review)) changes.note(job_id);
  }
  await noteUpdates(tx, changes);
  return {
    resolved_reviews,
    ...(cancelled.length > 0 ? { cancelled_jobs: cancelled } : {}),
    ...(lost.length > 0 ? { lost_jobs: lost } : {}),
    mark,
  };
}

/** Whether this database took the report that was answered with the mark. One that was put back since did not. */
export async function knowsMark(db: Reader, userId: string, mark: string): Promise<boolean> {
  const marks = db.selectFrom('mirror_marks').select('mark').where('mark', '=', mark).where('user_id', '=', userId);
  return (await marks.executeTakeFirst()) !== undefined;
}

/**
 * Marks the report after the one that was answered with `after`. That one is kept: this answer may be lost. Throws
 * HttpError 410 where it is not known.
 */
async function nextMark(tx: Tx, userId: string, after: string | undefined, at: number): Promise<string> {
  const mark = randomBytes(12).toString('hex');
  if (after !== undefined) {
    const own = tx.selectFrom('mirror_marks').select('parent').where('mark', '=', after).where('user_id', '=', userId);
    const before = await own.executeTakeFirst();
    if (before === undefined)
      throw new HttpError('not_found', 'This server does not have what was reported before: it was put back.', {
        status: 410,
        remedy: 'Report everything again, without "after".',
      });
    if (before.parent !== null) await tx.deleteFrom('mirror_marks').where('mark', '=', before.parent).execute();
  }
  await tx
    .insertInto('mirror_marks')
    .values({ mark, user_id: userId, parent: after ?? null, at })
    .execute();
  return mark;
}

/**
 * Notes the jobs that are new or have another status. Answers those that were cancelled here and go on there, or ended
 * there as a duplicate before that was known, and those that were published and of whose commit nothing is known here
 * (FAULT-3).
 */
async function takeJobs(
  tx: Tx,
  userId: string,
  jobs: Iterable<MirroredJob>,
  now: number,
  changes: JobChanges,
): Promise<{ cancelled: string[]; lost: string[] }> {
  const cancelled: string[] = [];
  const lost: string[] = [];
  for (const part of chunks(jobs)) {
    const known = await findRows(tx, 'ingestion_jobs', idsOf(part));
    for (const job of part) {
      const before = known.get(job.id);
      if (before && before.user_id !== userId)
        throw new HttpError('conflict', `The job "${job.id}" belongs to another user.`);
      const isDuplicate = job.status === 'COMPLETED' && job.output_file_path === null;
      if (before && isUnreported(before) && (!isFinished(job) || isDuplicate)) cancelled.push(job.id);
      if (job.status === 'COMPLETED' && job.output_file_path !== null && Number(before?.committed) !== 1)
        lost.push(job.id);
      // What was sent earlier may arrive later; a job of an upload over HTTP is reported by its worker.
      if (before && (before.batch_id !== null || job.updated_at < before.updated_at)) continue;
      const row = keepEnd(jobRow(job, userId, null, now - (now % MINUTE_MS)), before);
      await upsert(tx, 'ingestion_jobs', [row]);
      if (row.status === 'FAILED' && row.error_message === CANCELLED && before?.status !== 'FAILED')
        await writeAudit(tx, {
          at: now,
          user_id: userId,
          action: 'job.cancelled',
          entity_id: job.id,
          details: { file: job.original_filename, owner: userId, jobs: 1, at_workstation: true },
        });
      if (before?.status !== row.status) changes.note(job.id);
    }
  }
  return { cancelled, lost };
}

/** Notes the steps that are new, by job. */
async function takeSteps(
  tx: Tx,
  userId: string,
  steps: Iterable<MirrorRequest['steps'][number]>,
  changes: JobChanges,
): Promise<void> {
  for (const part of chunks(steps, 9, 500)) {
    const ids = [...new Set(part.map((step) => step.job_id))];
    const own = tx.selectFrom('ingestion_jobs').select('id').where('id', 'in', ids).where('user_id', '=', userId);
    const known = new Set(idsOf(await own.execute()));
    const stray = ids.find((id) => !known.has(id));
    if (stray !== undefined)
      throw new HttpError('invalid', `There is no job "${stray}" for the steps that name it.`, { status: 422 });
    const latest = new Map(part.map(({ job_id, step }) => [step.id, stepRow(step, job_id)]));
    const there = tx
      .selectFrom('ingestion_steps')
      .select('id')
      .where('id', 'in', [...latest.keys()]);
    const before = new Set(idsOf(await there.execute()));
    await tx
      .insertInto('ingestion_steps')
      .values([...latest.values()])
      .onConflict((c) =>
        c
          .column('id')
          .doUpdateSet((eb) => ({
            content: eb.ref('excluded.content'),
            metadata: eb.ref('excluded.metadata'),
            duration_ms: eb.ref('excluded.duration_ms'),
            same_as: eb.ref('excluded.same_as'),
          }))
          // An id that is another job's step already stays that.
          .whereRef('ingestion_steps.job_id', '=', 'excluded.job_id'),
      )
      .execute();
    for (const step of latest.values()) {
      if (!before.has(step.id)) changes.note(step.job_id, step.id);
    }
  }
}

/** A question can be about one's own jobs alone. Jobs that are not mirrored yet are taken for one's own. */
async function refuseForeign(tx: Tx, userId: string, jobIds: readonly string[]): Promise<void> {
  for (const part of chunks(jobIds)) {
    const foreign = tx.selectFrom('ingestion_jobs').select('id').where('id', 'in', part).where('user_id', '!=', userId);
    const job = await foreign.limit(1).executeTakeFirst();
    if (job) throw new HttpError('conflict', `The job "${job.id}" belongs to another user.`);
  }
}

const MINUTE_MS = 60_000;

type Resolution = MirrorResponse['resolved_reviews'][number];

/**
 * Takes a review over. `kept`: the answer given here, when the workstation does not have it yet. `changed`: it is new,
 * or answered, or open again.
 */
async function takeReview(
  tx: Tx,
  userId: string,
  review: MirroredReview,
  now: number,
): Promise<{ kept: Resolution | null; changed: boolean }> {
  const before = await findRow(tx, 'ingestion_reviews', review.id);
  if (before && before.user_id !== userId)
    throw new HttpError('conflict', `The review "${review.id}" belongs to another user.`);
  const mine = before && review.stands !== true ? answeredHere(before) : null;
  const agreed = mine !== null && mine.selected_option === review.selected_option;
  const row = keepReviewEnd(reviewRow(review, userId), before, review);
  const kept = mine !== null && !agreed ? { ...row, ...mine, acknowledged: 0 } : row;
  await refuseForeign(tx, userId, jobsAbout(review));
  await putReview(tx, kept, review);
  await logAnswer(tx, userId, before, kept, now);
  const changed = before === undefined || (before.resolved_at === null) !== (kept.resolved_at === null);
  return { kept: mine !== null && !agreed ? { id: review.id, ...mine } : null, changed };
}

/** One line for each answer of a person that came this way first; what the program withdrew by itself is nobody's. */
async function logAnswer(
  tx: Tx,
  userId: string,
  before: IngestionReviewTable | undefined,
  { id, job_id, resolved_by_user_id, selected_option }: IngestionReviewTable,
  at: number,
): Promise<void> {
  if (resolved_by_user_id === null || selected_option === null || before?.selected_option === selected_option) return;
  await writeAudit(tx, {
    at,
    // Not whom the workstation names: it could name anybody.
    user_id: userId,
    action: 'review.answered',
    entity_id: job_id,
    details: { selected_option, review_id: id, owner: userId, at_workstation: true },
  });
}

function answeredHere(row: IngestionReviewTable): Omit<Resolution, 'id'> | null {
  const { acknowledged, selected_option, resolved_at, resolved_by_user_id } = row;
  if (acknowledged === 1 || selected_option === null || resolved_at === null) return null;
  return { selected_option, resolved_at, resolved_by_user_id };
}
