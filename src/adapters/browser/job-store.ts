/** Jobs in IndexedDB: the truth of the workstation. Every change is one transaction over all that may hang off a job. */
import type { Table } from 'dexie';
import { failed } from '#core/errors.ts';
import type { Batch, Job, JobPhase, JobStatus, ReasoningStep } from '#core/job/job.ts';
import { handOver, lastNumber } from '#core/job/shared-steps.ts';
import { PHASES } from '#core/job/phases.ts';
import type { Review } from '#core/job/review.ts';
import type { JobRows, JobStore } from '#core/run/job-store.ts';
import type { OutboxItem } from '#core/sync/outbox-item.ts';
import { rowsOfAny } from './any-of.ts';
import { ownSteps, readLog, sameSteps } from './step-rows.ts';
import type { AccessionDb } from './db.ts';

/** What a lane keeps beside its jobs: its rows, and the tables that they are in. */
export interface DexieLaneRows {
  tables: readonly string[];
  rows: object;
}

/**
 * `epoch`: of the lock holder, so that a change of an earlier holder is refused with `conflict`. Without it the store is a
 * command's, of any tab.
 */
export class DexieJobStore implements JobStore, JobRows {
  readonly lanes: object;
  readonly #db: AccessionDb;
  readonly #tables: Table[];
  readonly #epoch: number | null;

  constructor(db: AccessionDb, { tables, rows }: DexieLaneRows, epoch: number | null = null) {
    this.#db = db;
    this.lanes = rows;
    this.#epoch = epoch;
    this.#tables = [
      ...[db.batches, db.jobs, db.steps, db.reviews, db.outbox, db.meta],
      ...tables.map((name) => db.table(name)),
    ];
  }

  change<T>(work: (rows: JobRows) => Promise<T>): Promise<T> {
    return this.#db.transaction('rw', this.#tables, async () => {
      if (this.#epoch !== null) await assertEpoch(this.#db, this.#epoch);
      return work(this);
    });
  }

  /** Written to the disk when the transaction was complete (`durability: strict`). */
  kept(): Promise<void> {
    return Promise.resolve();
  }

  job(id: string): Promise<Job | undefined> {
    return this.#db.jobs.get(id);
  }

  async jobs(ids: readonly string[]): Promise<Job[]> {
    return (await this.#db.jobs.bulkGet([...ids])).filter((job) => job !== undefined);
  }

  jobsOfBatch(batchId: string): Promise<Job[]> {
    return this.#db.jobs.where('batch_id').equals(batchId).toArray();
  }

  jobsIn(...statuses: readonly JobStatus[]): Promise<Job[]> {
    return rowsOfAny(this.#db.jobs, 'status', statuses);
  }

  firstIn(phase: JobPhase): Promise<Job | undefined> {
    const rows = this.#db.jobs.where('status').equals(PHASES[phase].status);
    return rows.filter((job) => job.phase === phase).first();
  }

  jobsOfContent(sha256: string): Promise<Job[]> {
    return this.#db.jobs.where('sha256').equals(sha256).toArray();
  }

  jobsMatchedTo(trackIds: readonly string[]): Promise<Job[]> {
    return rowsOfAny(this.#db.jobs, 'matched_track_id', trackIds);
  }

  steps(jobId: string): Promise<ReasoningStep[]> {
    return readLog(this.#db, jobId);
  }

  batch(id: string): Promise<Batch | undefined> {
    return this.#db.batches.get(id);
  }

  batches(state: Batch['state']): Promise<Batch[]> {
    return this.#db.batches.where('state').equals(state).sortBy('created_at');
  }

  review(id: string): Promise<Review | undefined> {
    return this.#db.reviews.get(id);
  }

  reviewsOfBatch(batchId: string): Promise<Review[]> {
    return this.#db.reviews.where('batch_id').equals(batchId).toArray();
  }

  async reviewsOfJobs(jobIds: readonly string[]): Promise<Review[]> {
    if (jobIds.length === 0) return [];
    return this.#db.reviews
      .where('job_ids')
      .anyOf([...jobIds])
      .distinct()
      .toArray();
  }

  outboxItem(key: string): Promise<OutboxItem | undefined> {
    return this.#db.outbox.get(key);
  }

  outboxOfJob(jobId: string): Promise<OutboxItem[]> {
    return this.#db.outbox.where('job_id').equals(jobId).toArray();
  }

  async outbox(states?: readonly OutboxItem['state'][], limit?: number): Promise<OutboxItem[]> {
    if (states === undefined) {
      const all = this.#db.outbox.orderBy('created_at');
      return (limit === undefined ? all : all.limit(limit)).toArray();
    }
    const found = await rowsOfAny(this.#db.outbox, 'state', states);
    return found.sort((a, b) => a.created_at - b.created_at).slice(0, limit);
  }

  latestOutboxItem(): Promise<OutboxItem | undefined> {
    return this.#db.outbox.orderBy('created_at').last();
  }

  async lastStep(jobId: string): Promise<number> {
    const last = await ownSteps(this.#db, jobId).last();
    return last ? lastNumber(last) : 0;
  }

  async putJob(job: Job): Promise<void> {
    // What a lane adds to its jobs is the lane's.
    await this.#db.jobs.put(job);
  }

  async deleteJobs(ids: readonly string[]): Promise<void> {
    const { steps } = this.#db;
    const gone = new Set(ids);
    const pointing = (await rowsOfAny(steps, 'same_as.job_id', ids)).filter((row) => !gone.has(row.job_id));
    const { put, drop } = await handOver(pointing, (same) => sameSteps(this.#db, same));
    await steps.bulkDelete(drop);
    await steps.bulkPut(put);
    await this.#db.jobs.bulkDelete([...ids]);
    await steps
      .where('job_id')
      .anyOf([...ids])
      .delete();
  }

  async putSteps(steps: readonly ReasoningStep[]): Promise<void> {
    await this.#db.steps.bulkPut([...steps]);
  }

  async putBatch(batch: Batch): Promise<void> {
    await this.#db.batches.put(batch);
  }

  async putReview(review: Review): Promise<void> {
    await this.#db.reviews.put(review);
  }

  async deleteReviews(ids: readonly string[]): Promise<void> {
    await this.#db.reviews.bulkDelete([...ids]);
  }

  async putOutboxItem(item: OutboxItem): Promise<void> {
    await this.#db.outbox.put(this.#epoch === null ? item : { ...item, epoch: this.#epoch });
  }

  async deleteOutboxItems(keys: readonly string[]): Promise<void> {
    await this.#db.outbox.bulkDelete([...keys]);
  }
}

/**
 * Throws `conflict` when another tab has taken the work over since this one got the lock (a frozen tab may wake with a
 * stolen lock). Inside a transaction over `meta`.
 */
export async function assertEpoch(db: AccessionDb, epoch: number): Promise<void> {
  if ((await currentEpoch(db)) !== epoch)
    throw failed('conflict', 'Another tab has taken over the work; this one stops.');
}

/** The epoch of whoever took the work over last. */
export async function currentEpoch(db: AccessionDb): Promise<number> {
  return readEpoch((await db.meta.get(ROW))?.value);
}

/** Takes the next epoch: from now on writes of earlier holders are refused. */
export async function nextEpoch(db: AccessionDb): Promise<number> {
  return db.transaction('rw', db.meta, async () => {
    const value = asRecord((await db.meta.get(ROW))?.value);
    const epoch = readEpoch(value) + 1;
    await db.meta.put({ key: ROW, value: { ...value, epoch } });
    return epoch;
  });
}

/** Whether the person paused all work on files. */
export async function readPaused(db: AccessionDb): Promise<boolean> {
  return asRecord((await db.meta.get(ROW))?.value)['paused'] === true;
}

export async function writePaused(db: AccessionDb, paused: boolean): Promise<void> {
  await db.transaction('rw', db.meta, async () => {
    const value = asRecord((await db.meta.get(ROW))?.value);
    if (value['paused'] !== paused) await db.meta.put({ key: ROW, value: { ...value, paused } });
  });
}

/** Meta row: `epoch` and `paused`. */
const ROW = 'pipeline';

function readEpoch(value: unknown): number {
  const { epoch } = asRecord(value);
  return typeof epoch === 'number' ? epoch : 0;
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
