/**
 * Where jobs are kept, by need. Adapters: IndexedDB in a browser, memory, and a document that a worker holds under a
 * lease of the server. Conformance: tests/contract/job-store.ts.
 */
import type { Batch, Job, JobPhase, JobStatus, LaneTypes, ReasoningStep } from '../job/job.ts';
import type { Review } from '../job/review.ts';
import type { OutboxItem } from '../sync/outbox-item.ts';
import { AccessionError } from '../errors.ts';

export interface JobReader<L extends LaneTypes = LaneTypes> {
  job(id: string): Promise<Job<L> | undefined>;
  /** Those that are there, in the order of the ids. */
  jobs(ids: readonly string[]): Promise<Job<L>[]>;
  jobsOfBatch(batchId: string): Promise<Job<L>[]>;
  jobsIn(...statuses: readonly JobStatus[]): Promise<Job<L>[]>;
  /** One that is in this phase; the order is the store's. */
  firstIn(phase: JobPhase): Promise<Job<L> | undefined>;
  /** By the SHA-256 of the original. */
  jobsOfContent(sha256: string): Promise<Job<L>[]>;
  /** Decided as one of these tracks, whatever became of it. */
  jobsMatchedTo(trackIds: readonly string[]): Promise<Job<L>[]>;
  /** Of one job, in order. */
  steps(jobId: string): Promise<ReasoningStep[]>;
  batch(id: string): Promise<Batch | undefined>;
  /** The oldest first. */
  batches(state: Batch['state']): Promise<Batch[]>;
  review(id: string): Promise<Review<L['review']> | undefined>;
  reviewsOfBatch(batchId: string): Promise<Review<L['review']>[]>;
  /** Each once, also where several of the jobs are in it. */
  reviewsOfJobs(jobIds: readonly string[]): Promise<Review<L['review']>[]>;
  outboxItem(key: string): Promise<OutboxItem | undefined>;
  outboxOfJob(jobId: string): Promise<OutboxItem[]>;
  /** In these states, or all; the oldest first. `limit`: only so many. */
  outbox(states?: readonly OutboxItem['state'][], limit?: number): Promise<OutboxItem[]>;
  /** The one that is at the end of the queue. */
  latestOutboxItem(): Promise<OutboxItem | undefined>;
  /** What lanes keep beside their jobs, by lane. */
  readonly lanes: L['rows'];
}

/** Inside one change. Only `core/job/apply.ts` and `core/job/new-job.ts` write jobs (a lint rule). */
export interface JobRows<L extends LaneTypes = LaneTypes> extends JobReader<L> {
  putJob(job: Job<L>): Promise<void>;
  /** With their logs. */
  deleteJobs(ids: readonly string[]): Promise<void>;
  /** Steps that are numbered already, as they came from another store, or as `addSteps` makes them. */
  putSteps(steps: readonly ReasoningStep[]): Promise<void>;
  /** The number of a job's last step; 0 where it has none. */
  lastStep(jobId: string): Promise<number>;
  putBatch(batch: Batch): Promise<void>;
  putReview(review: Review<L['review']>): Promise<void>;
  deleteReviews(ids: readonly string[]): Promise<void>;
  putOutboxItem(item: OutboxItem): Promise<void>;
  deleteOutboxItems(keys: readonly string[]): Promise<void>;
}

export interface JobStore<L extends LaneTypes = LaneTypes> extends JobReader<L> {
  /**
   * One transaction over everything: all that `work` writes is stored, or nothing of it. `work` awaits nothing but
   * `rows`. Throws AccessionError `conflict` where somebody else has taken the work over, and what `work` throws.
   */
  change<T>(work: (rows: JobRows<L>) => Promise<T>): Promise<T>;
  /**
   * Resolves when everything that was changed before would survive the end of this process; before what cannot be done
   * twice this is awaited. Throws AccessionError `cancelled` where somebody else has taken the work over.
   */
  kept(): Promise<void>;
}

/** Whether somebody else has taken the work over: the only error after which a run must not go on. */
export function isLockLost(error: unknown): boolean {
  return error instanceof AccessionError && error.failure.code === 'conflict';
}
