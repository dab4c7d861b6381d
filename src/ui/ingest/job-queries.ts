/** Live queries over jobs and their batches. */
import { isFinished, type Batch, type Job } from '#core/job/job.ts';
import { db, inIndex, keysOfAny } from '../client/db.ts';
import { byArrival } from '../parts/order.ts';
import { JobRows } from './job-rows.ts';

export const ACTIVE_STATUSES = ['PENDING', 'PROCESSING', 'AWAITING_REVIEW', 'CONVERTING'] as const;

const jobsInOrder = byArrival<Job>(({ path }) => path);

/** The unfinished jobs, and all that belongs to the same batches, for counts like 9 of 17. */
export interface Board {
  batches: Batch[];
  /** Every job of those batches, finished ones too. */
  jobs: Job[];
}

/** Every job of a drop, as a query that knows what it read before. */
export function jobsOfBatch(batchId: string): () => Promise<Job[]> {
  const rows = new JobRows();
  return async () => {
    const ids = await db.jobs.where('batch_id').equals(batchId).primaryKeys();
    await rows.refresh(ids);
    rows.keep(ids);
    return rows.of(ids).sort(jobsInOrder);
  };
}

/**
 * What is under way, and the `limit` jobs that finished last, newest first, each with their batches. Both are made of the
 * same rows: a job that ends is in the one or in the other, never in both and never in none.
 */
export function dashboard(limit: number): () => Promise<{ active: Board; recent: Board }> {
  const rows = new JobRows();
  let drawn = new Map<string, { batch: Batch; text: string }>();
  return async () => {
    const [active, staging] = await Promise.all([
      keysOfAny(db.jobs, 'status', ACTIVE_STATUSES),
      db.batches.where('state').equals('staging').primaryKeys(),
    ]);
    await rows.refresh(active);
    const drops = [...new Set([...batchIds(rows.of(active)), ...staging])];
    const [all, finished] = await Promise.all([
      keysOfAny(db.jobs, 'batch_id', drops),
      inIndex(db.jobs, 'completed_at').reverse().limit(limit).primaryKeys(),
    ]);
    const ids = new Set([...active, ...all, ...finished]);
    const read = new Set(active);
    await rows.refresh([...ids].filter((id) => !read.has(id)));
    rows.keep(ids);
    const jobs = rows.of(all).sort(jobsInOrder);
    const recent = rows
      .of([...new Set([...finished, ...active])])
      .filter(isFinished)
      .sort((a, b) => (b.completed_at ?? 0) - (a.completed_at ?? 0))
      .slice(0, limit);
    const batches = await db.batches.bulkGet([...new Set([...drops, ...batchIds(recent)])]);
    // As with the jobs, one that did not change stays the same object.
    const known = new Map<string, { batch: Batch; text: string }>();
    for (const batch of batches) {
      if (batch === undefined) continue;
      const text = JSON.stringify(batch);
      const before = drawn.get(batch.id);
      known.set(batch.id, before?.text === text ? before : { batch, text });
    }
    drawn = known;
    const pick = (wanted: readonly string[]): Batch[] => wanted.flatMap((id) => known.get(id)?.batch ?? []);
    return { active: { batches: pick(drops), jobs }, recent: { batches: pick(batchIds(recent)), jobs: recent } };
  };
}

const batchIds = (jobs: readonly Job[]): string[] => [...new Set(jobs.map((job) => job.batch_id))];
