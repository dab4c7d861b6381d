/** Jobs, steps and reviews: rows as the wire has them, and records as rows. Contexts are lower case there and upper case in storage, as the specification writes both. */
import type { SameSteps } from '#core/job/job.ts';
import type { ReviewAdvice } from '#core/job/review.ts';
import { inPlaceOf, lastNumber, wholeLog } from '#core/job/shared-steps.ts';
import type { MirroredJob, MirroredReview, Step, CommitRequest } from '#core/sync/protocol.ts';
import { sql, type ExpressionBuilder } from 'kysely';
import { chunks, findRows, upsert } from '../store/rows.ts';
import type {
  Database,
  IngestionJobTable,
  IngestionReviewTable,
  IngestionStepTable,
  Reader,
  Tx,
} from '../store/schema.ts';

export function toJob(row: IngestionJobTable): MirroredJob & { user_id: string } {
  const { committed: _committed, batch_id, cancelled_at: _cancelled, context_type, ...rest } = row;
  return {
    ...rest,
    ...(batch_id === null ? {} : { on_server: true }),
    context_type: context_type === 'DOWNLOAD_REQUEST' ? 'download_request' : 'spontaneous',
  };
}

/** `batchId`: the upload over HTTP that it belongs to. `heard_at`: when a workstation spoke of it. */
export function jobRow(
  job: MirroredJob,
  userId: string,
  batchId: string | null = null,
  heard_at: number | null = null,
): IngestionJobTable {
  const context_type = job.context_type === 'download_request' ? 'DOWNLOAD_REQUEST' : 'SPONTANEOUS';
  const { parent_job_id = null, on_server: _said, heard_at: _heard, ...rest } = job;
  const own = { parent_job_id, batch_id: batchId, cancelled_at: null, committed: 0, heard_at };
  return { ...rest, ...own, context_type, user_id: userId };
}

function toStep(row: IngestionStepTable): Step {
  const { job_id: _job, metadata, same_as, ...rest } = row;
  // From our own column, which holds what we validated on the way in.
  const step = { ...rest, metadata: JSON.parse(metadata) as Record<string, unknown> };
  return same_as === null ? step : { ...step, same_as: JSON.parse(same_as) as SameSteps };
}

export function stepRow({ same_as, ...step }: Step, jobId: string): IngestionStepTable {
  const pointer = same_as === undefined ? null : JSON.stringify(same_as);
  return { ...step, job_id: jobId, metadata: JSON.stringify(step.metadata), same_as: pointer };
}

/** Steps of a log that are shown, and characters of them: those of other jobs in their place count as well. */
export const MOST_SHOWN = { steps: 2000, characters: 8_000_000 };
/** Rows of one statement: each may have megabytes. */
const AT_ONCE = 20;

/**
 * A job's log as it is shown: steps of its whole group in their place, of jobs of the same person alone. Of more than are
 * shown the first ones: a row that stands for ten thousand others is soon written.
 */
export async function logOf(db: Reader, { id, user_id }: Pick<IngestionJobTable, 'id' | 'user_id'>): Promise<Step[]> {
  const left = { ...MOST_SHOWN };
  const own = await readSteps(db, left, (steps) => steps.where('job.id', '=', id));
  const shown = await wholeLog(own, (same) => readSteps(db, left, (steps) => steps.where(isOf(user_id, same))));
  return shown.map(unpointed);
}

type Steps = ReturnType<typeof stepsWithJobs>;

const stepsWithJobs = (db: Reader) =>
  db.selectFrom('ingestion_steps as step').innerJoin('ingestion_jobs as job', 'job.id', 'step.job_id');

/** In their order, as many as there is room `left` for, which becomes less by them. */
async function readSteps(
  db: Reader,
  left: { steps: number; characters: number },
  which: (steps: Steps) => Steps,
): Promise<Step[]> {
  if (left.steps <= 0) return [];
  const sizes = await which(stepsWithJobs(db))
    .select(['step.id', sql<number>`length(step.content) + length(step.metadata)`.as('size')])
    .orderBy('step.step_number')
    .orderBy('step.id')
    .limit(left.steps)
    .execute();
  const ids: string[] = [];
  for (const { id, size } of sizes) {
    left.characters -= Number(size);
    if (left.characters < 0) break;
    left.steps -= 1;
    ids.push(id);
  }
  const rows: Step[] = [];
  for (const part of chunks(ids, 1, AT_ONCE)) {
    const found = await findRows(db, 'ingestion_steps', part);
    for (const id of part) rows.push(...[found.get(id) ?? []].flat().map(toStep));
  }
  return rows;
}

/** The last of the steps that this row stands for: what an update says. */
export async function shownStep(db: Reader, userId: string, row: IngestionStepTable): Promise<Step> {
  const step = toStep(row);
  if (!step.same_as) return step;
  const last = stepsOf(db, userId, step.same_as).orderBy('step.step_number', 'desc').limit(1);
  const [shown] = inPlaceOf(step, step.same_as, (await last.execute()).map(toStep));
  return unpointed(shown ?? step);
}

/** The number of a job's last step as it is shown; 0 where it has none. */
export async function lastStepNumber(db: Reader, jobId: string): Promise<number> {
  const steps = db.selectFrom('ingestion_steps').selectAll().where('job_id', '=', jobId);
  const row = await steps.orderBy('step_number', 'desc').limit(1).executeTakeFirst();
  return row === undefined ? 0 : lastNumber(toStep(row));
}

const unpointed = ({ same_as: _same, ...step }: Step): Step => step;

const stepsOf = (db: Reader, userId: string, same: SameSteps) =>
  stepsWithJobs(db).selectAll('step').where(isOf(userId, same));

const isOf =
  (userId: string, { job_id, step_number, count }: SameSteps) =>
  (eb: ExpressionBuilder<Joined, 'step' | 'job'>) =>
    eb.and([
      eb('job.user_id', '=', userId),
      eb('step.job_id', '=', job_id),
      eb('step.step_number', '>=', step_number),
      eb('step.step_number', '<', step_number + count),
    ]);

/** As `stepsWithJobs` names them. */
type Joined = Database & { step: IngestionStepTable; job: IngestionJobTable };

export function toReview(row: IngestionReviewTable, jobIds: string[]): MirroredReview {
  const { acknowledged: _acknowledged, user_id: _user, options, advice, ...rest } = row;
  // Written by `reviewRow` alone.
  return {
    ...rest,
    job_ids: jobIds,
    options: JSON.parse(options) as MirroredReview['options'],
    advice: adviceOf(advice),
  };
}

/** From its column, which `reviewRow` alone writes. */
export function adviceOf(column: string | null): ReviewAdvice | null {
  return column === null ? null : (JSON.parse(column) as ReviewAdvice);
}

export function reviewRow(review: MirroredReview, userId: string): IngestionReviewTable {
  const { job_ids: _jobs, stands: _stands, options, advice = null, ...rest } = review;
  const said = { options: JSON.stringify(options), advice: advice === null ? null : JSON.stringify(advice) };
  return { ...rest, ...said, user_id: userId, acknowledged: 1 };
}

/** Writes a review, over what was there, with the jobs that it is about. */
export async function putReview(
  tx: Tx,
  row: IngestionReviewTable,
  about: Pick<MirroredReview, 'job_id' | 'job_ids'>,
): Promise<void> {
  const { id: review_id } = row;
  await upsert(tx, 'ingestion_reviews', [row]);
  await tx.deleteFrom('ingestion_review_jobs').where('review_id', '=', review_id).execute();
  const links = jobsAbout(about).map((job_id) => ({ review_id, job_id }));
  for (const part of chunks(links, 2)) await tx.insertInto('ingestion_review_jobs').values(part).execute();
}

/** Every job that a review is about, once. */
export function jobsAbout({ job_id, job_ids }: Pick<MirroredReview, 'job_id' | 'job_ids'>): string[] {
  return [...new Set([job_id, ...job_ids])];
}

/**
 * How a job ended here outlasts what whoever works on it says later: an accepted commit, and somebody's wish to cancel
 * it until they know of it and said FAILED themselves. They may take it up again then; until they do, a commit that
 * is late finds it cancelled.
 */
export function keepEnd(row: IngestionJobTable, before: IngestionJobTable | undefined): IngestionJobTable {
  if (!before) return row;
  const { status, error_message, completed_at, committed, cancelled_at } = before;
  if (Number(committed) === 1) {
    const { matched_track_id, match_confidence, match_source, output_file_path } = before;
    const result = { matched_track_id, match_confidence, match_source, output_file_path };
    return { ...row, ...result, status, error_message, completed_at, committed };
  }
  // Whoever ended it was told so: that it had failed by itself as well, unsaid until then, does not take its place.
  if (row.status === 'FAILED') return cancelled_at === null ? row : { ...row, error_message, cancelled_at };
  return isUnreported(before) ? { ...row, status, error_message, completed_at, cancelled_at } : row;
}

/** It was cancelled, and whoever works on it has not said FAILED since: the end is still the one that was written here. */
export function isUnreported({ cancelled_at, completed_at, committed }: IngestionJobTable): boolean {
  return cancelled_at !== null && Number(committed) !== 1 && Number(completed_at) === Number(cancelled_at);
}

/**
 * What was sent earlier may arrive later: a question that was answered does not open again (it is asked anew under
 * another id), and one that was withdrawn or taken back stays so.
 */
export function keepReviewEnd(
  row: IngestionReviewTable,
  before: IngestionReviewTable | undefined,
  review: MirroredReview,
): IngestionReviewTable {
  if (!before || !isOver(before, review)) return row;
  const { resolved_at, resolved_by_user_id, selected_option } = before;
  return { ...row, resolved_at, resolved_by_user_id, selected_option };
}

function isOver(before: IngestionReviewTable, review: MirroredReview): boolean {
  if (before.resolved_at === null) return false;
  return review.resolved_at === null || before.selected_option === 'undone' || before.selected_option === 'withdrawn';
}

/**
 * Marks the job of an accepted commit COMPLETED, for good: what a workstation mirrors later does not take it back.
 * A job that was not mirrored yet is made here; its other fields come with the mirror.
 */
export async function completeJob(
  tx: Tx,
  userId: string,
  body: CommitRequest,
  output_file_path: string | null,
  now: number,
): Promise<void> {
  const result = {
    status: 'COMPLETED' as const,
    matched_track_id: body.track_id,
    match_confidence: body.match_confidence,
    match_source: body.match_source,
    output_file_path,
    error_message: null,
    completed_at: now,
    committed: 1,
  };
  const row: IngestionJobTable = {
    ...result,
    id: body.job_id,
    user_id: userId,
    original_filename: body.original_filename,
    file_size_bytes: 0,
    duration_ms: body.duration_ms,
    codec: null,
    bitrate: null,
    context_type: body.request_id === null ? 'SPONTANEOUS' : 'DOWNLOAD_REQUEST',
    context_id: body.request_id,
    created_at: now,
    started_at: null,
    parent_job_id: null,
    batch_id: null,
    cancelled_at: null,
    heard_at: null,
    // Older than anything a workstation sends: its row is taken over when it comes.
    updated_at: 0,
  };
  await tx
    .insertInto('ingestion_jobs')
    .values(row)
    .onConflict((c) => c.column('id').doUpdateSet(result).where('ingestion_jobs.user_id', '=', userId))
    .execute();
}
