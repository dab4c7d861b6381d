/**
 * What the sockets tell about jobs. An update is written in the transaction that makes it true, under a number that no
 * earlier update can follow (the counter is locked until the commit, as the change feed's is): whoever has read up to a
 * number misses nothing, whichever process wrote it. The newest ones are kept; a client from before them reads the jobs.
 */
import type { IngestionUpdate } from '#core/sync/protocol.ts';
import type { ReviewAdvice } from '#core/job/review.ts';
import { countOn, positions, placeCursor } from '../store/feed.ts';
import { chunks, findRows } from '../store/rows.ts';
import type { IngestionUpdateTable, Reader, Tx } from '../store/schema.ts';
import { createTurns } from '../turns.ts';
import { adviceOf, shownStep } from './job-records.ts';

/** Updates that are kept at least; about a day of somebody who works hard. */
const KEEP = 50_000;
/** Rows of one statement. */
const AT_ONCE = 400;
/** They are pruned once in so many. */
const PRUNE_EVERY = 1_000;

/** What changed about jobs, gathered while a request is taken. */
export class JobChanges {
  /** By job its new steps in their order, as many of the last ones as updates are kept. */
  readonly #steps = new Map<string, string[]>();

  /** @param step_id a new step; none: the status or the question changed */
  note(job_id: string, step_id?: string): void {
    const own = this.#steps.get(job_id);
    if (own === undefined) this.#steps.set(job_id, step_id === undefined ? [] : [step_id]);
    else if (step_id !== undefined) {
      own.push(step_id);
      if (own.length > 2 * KEEP) own.splice(0, own.length - KEEP);
    }
  }

  jobs(): string[] {
    return [...this.#steps.keys()];
  }

  stepsOf(job_id: string): readonly string[] {
    return this.#steps.get(job_id)?.slice(-KEEP) ?? [];
  }
}

/**
 * Writes what changed about these jobs: one update for each new step, one for a job without any. To be called last in
 * a transaction: it waits for the counter. Jobs that are not there are left out.
 */
export async function noteUpdates(tx: Tx, changes: JobChanges): Promise<void> {
  const turns = createTurns();
  const rows: Omit<IngestionUpdateTable, 'seq'>[] = [];
  for (const part of chunks(changes.jobs(), 1, 500)) {
    const jobs = await tx
      .selectFrom('ingestion_jobs as job')
      .select(['job.id', 'job.user_id', 'job.status'])
      .select((eb) =>
        // Of all at once: a question may be about a hundred thousand jobs.
        eb
          .selectFrom('ingestion_steps as step')
          .select('step.id')
          .whereRef('step.job_id', '=', 'job.id')
          .orderBy('step.step_number', 'desc')
          .orderBy('step.id', 'desc')
          .limit(1)
          .as('latest_step'),
      )
      .where('job.id', 'in', part)
      .execute();
    const asked = new Set((await openQuestions(tx, part)).map((row) => row.job_id));
    for (const job of jobs) {
      const common = {
        user_id: job.user_id,
        job_id: job.id,
        status: job.status,
        needs_review: asked.has(job.id) ? 1 : 0,
      };
      const own = changes.stepsOf(job.id);
      if (own.length === 0) rows.push({ ...common, step_id: job.latest_step });
      await turns.each(own, (step_id) => rows.push({ ...common, step_id }));
    }
  }
  if (rows.length === 0) return;
  const last = await countOn(tx, 'updates', rows.length);
  const first = last - rows.length + 1;
  // Of more than are kept the oldest would be pruned at once.
  for (let from = Math.max(0, rows.length - KEEP); from < rows.length; from += AT_ONCE) {
    const part = rows.slice(from, from + AT_ONCE).map((row, at) => ({ ...row, seq: first + from + at }));
    await tx.insertInto('ingestion_updates').values(part).execute();
  }
  if (Math.floor(last / PRUNE_EVERY) !== Math.floor((first - 1) / PRUNE_EVERY)) await prune(tx, last);
}

/** The same of jobs whose status or question changed. */
export async function noteJobs(tx: Tx, ids: readonly string[]): Promise<void> {
  const changes = new JobChanges();
  for (const id of ids) changes.note(id);
  await noteUpdates(tx, changes);
}

async function prune(tx: Tx, last: number): Promise<void> {
  await tx
    .deleteFrom('ingestion_updates')
    .where('seq', '<=', last - KEEP)
    .execute();
}

function openQuestions(db: Reader, jobIds: readonly string[]): Promise<{ job_id: string; advice: string | null }[]> {
  return db
    .selectFrom('ingestion_review_jobs as link')
    .innerJoin('ingestion_reviews as review', 'review.id', 'link.review_id')
    .select(['link.job_id', 'review.advice'])
    .where('link.job_id', 'in', [...jobIds])
    .where('review.resolved_at', 'is', null)
    .execute();
}

/** An update with its number and whose job it is about. */
export interface ReadUpdate {
  seq: number;
  user_id: string;
  message: IngestionUpdate;
}

/** Updates after `after`, oldest first, at most `limit`. `user`: only about this user's jobs; null: everybody's. */
export async function readUpdates(
  db: Reader,
  catalogId: string,
  after: number,
  limit: number,
  user: string | null,
): Promise<ReadUpdate[]> {
  let query = db.selectFrom('ingestion_updates').selectAll().where('seq', '>', after);
  if (user !== null) query = query.where('user_id', '=', user);
  const rows = await query.orderBy('seq').limit(limit).execute();
  const ids = rows.flatMap((row) => (row.step_id === null ? [] : [row.step_id]));
  const steps = await findRows(db, 'ingestion_steps', ids);
  const asked = rows.filter((row) => Number(row.needs_review) === 1).map((row) => row.job_id);
  const advice = await adviceOn(db, [...new Set(asked)]);
  const read: ReadUpdate[] = [];
  for (const { seq, user_id, job_id, status, step_id, needs_review } of rows) {
    const step = steps.get(step_id ?? '');
    read.push({
      seq: Number(seq),
      user_id,
      message: {
        type: 'IngestionUpdate',
        job_id,
        status,
        latest_step: step === undefined ? null : await shownStep(db, user_id, step),
        needs_review: Number(needs_review) === 1,
        ...adviceIn(Number(needs_review) === 1 ? advice.get(job_id) : undefined),
        cursor: placeCursor(catalogId, Number(seq)),
      },
    });
  }
  return read;
}

/** What the agent says of the open questions about these jobs, by job. */
async function adviceOn(db: Reader, jobIds: readonly string[]): Promise<Map<string, ReviewAdvice>> {
  const found = new Map<string, ReviewAdvice>();
  for (const part of chunks(jobIds))
    for (const row of await openQuestions(db, part)) {
      const advice = adviceOf(row.advice);
      if (advice !== null) found.set(row.job_id, advice);
    }
  return found;
}

const adviceIn = (advice: ReviewAdvice | undefined) => (advice === undefined ? {} : { advice });

/**
 * The number behind which a client goes on, or null when what it missed is not known any more: a cursor of another
 * database, one ahead of this one (it was put back from a copy), or from before the oldest update that is kept.
 */
export async function placeOf(db: Reader, catalogId: string, cursor: string): Promise<number | null> {
  const [, mark, digits] = /^(\w{1,8})\.(\d{1,15})$/.exec(cursor) ?? [];
  if (mark !== catalogId.slice(0, 8) || digits === undefined) return null;
  const after = Number(digits);
  const { updates } = await positions(db);
  if (after > updates) return null;
  if (after === updates) return after;
  const oldest = await db.selectFrom('ingestion_updates').select('seq').orderBy('seq').limit(1).executeTakeFirst();
  return oldest !== undefined && Number(oldest.seq) <= after + 1 ? after : null;
}
