/**
 * What this user's other workstations and the server's worker are at, as the server tells it: jobs and open questions
 * that are not this browser's, kept in rows of their own so that every page sees them live, also while the server is
 * away. They are read whole at the start, and then patched by what the socket says.
 */
import type { Table } from 'dexie';
import { isFinished } from '#core/job/job.ts';
import { ok, type Result } from '#core/result.ts';
import type { IngestionUpdate, MirroredJob, MirroredReview } from '#core/sync/protocol.ts';
import type { ServerClient } from '../../http/server-client.ts';
import type { AccessionDb, RemoteJobRow } from '../db.ts';

export interface RemoteJobsOptions {
  db: AccessionDb;
  client: Partial<Pick<ServerClient, 'jobs' | 'reviews'>>;
}

/** Jobs and questions that are kept: the newest are what somebody looks for. */
const MOST = 200;

export interface RemoteJobs {
  /** Reads what there is now. */
  pull(): Promise<Result<null>>;
  /** Takes an update in. True: it says less than what is to be known, so it should be read. */
  hear(update: IngestionUpdate): Promise<boolean>;
}

export function createRemoteJobs({ db, client }: RemoteJobsOptions): RemoteJobs {
  const tables = [db.jobs, db.reviews, db.remote_jobs, db.remote_reviews];
  /** Of each read that is under way what was heard since it began: its lists may be older. */
  const reads = new Set<IngestionUpdate[]>();
  return {
    async pull() {
      if (client.jobs === undefined || client.reviews === undefined) return ok(null);
      const heard: IngestionUpdate[] = [];
      reads.add(heard);
      try {
        const jobs = await client.jobs({ limit: MOST });
        // A token that may work alone knows its claims and nothing else.
        if (!jobs.ok) return jobs.failure.code === 'forbidden' ? ok(null) : jobs;
        const reviews = await client.reviews({ limit: MOST });
        if (!reviews.ok) return reviews;
        await db.transaction('rw', tables, async () => {
          await replaceAll(db, jobs.value.items, reviews.value.items);
          for (const update of heard) await take(db, update);
        });
        return ok(null);
      } finally {
        reads.delete(heard);
      }
    },

    hear(update) {
      for (const heard of reads) heard.push(update);
      return db.transaction('rw', tables, () => take(db, update));
    },
  };
}

/** Answers as `hear` does. */
async function take(db: AccessionDb, { job_id, status, latest_step, needs_review }: IngestionUpdate): Promise<boolean> {
  if ((await db.jobs.get(job_id)) !== undefined) return false;
  const row = await db.remote_jobs.get(job_id);
  if (row === undefined) return true;
  const step_number = Math.max(row.step_number, latest_step?.step_number ?? 0);
  await db.remote_jobs.update(job_id, { status, needs_review, step_number });
  if (!needs_review) await db.remote_reviews.where('job_ids').equals(job_id).delete();
  // A question, and where an end led to, are not in the message.
  return (needs_review && !row.needs_review) || isFinished({ status }) !== isFinished(row);
}

async function replaceAll(
  db: AccessionDb,
  jobs: readonly MirroredJob[],
  reviews: readonly MirroredReview[],
): Promise<void> {
  const own = new Set((await db.jobs.bulkGet(jobs.map((job) => job.id))).flatMap((job) => (job ? [job.id] : [])));
  const known = new Map((await db.remote_jobs.toArray()).map((row) => [row.id, row]));
  const asked = reviews.filter((review) => !review.job_ids.some((id) => own.has(id)));
  const questioned = new Set(asked.flatMap((review) => review.job_ids));
  const rows = jobs
    .filter((job) => !own.has(job.id))
    .map((job): RemoteJobRow => {
      const step_number = known.get(job.id)?.step_number ?? 0;
      return { ...job, needs_review: questioned.has(job.id), step_number };
    });
  await replace(db.remote_jobs, rows);
  const mine = new Set((await db.reviews.bulkGet(asked.map((one) => one.id))).flatMap((one) => (one ? [one.id] : [])));
  await replace(
    db.remote_reviews,
    asked.filter((review) => !mine.has(review.id)),
  );
}

/** Writes what differs and nothing else: each write wakes the pages. */
async function replace<T extends { id: string }>(table: Table<T, string>, rows: readonly T[]): Promise<void> {
  const before = new Map((await table.toArray()).map((row) => [row.id, JSON.stringify(row)]));
  const changed = rows.filter((row) => before.get(row.id) !== JSON.stringify(row));
  const kept = new Set(rows.map((row) => row.id));
  const gone = [...before.keys()].filter((id) => !kept.has(id));
  if (changed.length > 0) await table.bulkPut(changed);
  if (gone.length > 0) await table.bulkDelete(gone);
}
