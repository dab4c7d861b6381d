/** Jobs in memory: for evaluations and tests, and the rows of an upload while a worker has it under a lease. */
import type { Batch, Job, JobPhase, JobStatus, LaneTypes, ReasoningStep } from '#core/job/job.ts';
import type { Review } from '#core/job/review.ts';
import { handOver, lastNumber, wholeLog } from '#core/job/shared-steps.ts';
import type { JobRows, JobStore } from '#core/run/job-store.ts';
import type { MemoryLanes } from '#core/run/lane-rows.ts';
import type { OutboxItem } from '#core/sync/outbox-item.ts';
import type { StateOf } from '#core/run/ports.ts';

function copyOf<R>(lanes: MemoryLanes<R>): MemoryLanes<R> {
  const copy = { ...lanes };
  for (const id in lanes) copy[id] = lanes[id].copy();
  return copy;
}

/** Every row. Rows are never changed in place, so that a copy of the maps is a copy of everything. */
export class MemoryRows<L extends LaneTypes = LaneTypes> implements JobRows<L> {
  batchMap = new Map<string, Batch>();
  jobMap = new Map<string, Job<L>>();
  stepMap = new Map<string, readonly ReasoningStep[]>();
  reviewMap = new Map<string, Review<L['review']>>();
  outboxMap = new Map<string, OutboxItem>();
  /** Of jobs whose steps so far are in another store: the number of the last one. */
  firstNumbers = new Map<string, number>();
  lanes: MemoryLanes<L['rows']>;

  constructor(lanes: MemoryLanes<L['rows']>) {
    this.lanes = lanes;
  }

  copy(): MemoryRows<L> {
    const copy = new MemoryRows<L>(copyOf(this.lanes));
    copy.batchMap = new Map(this.batchMap);
    copy.jobMap = new Map(this.jobMap);
    copy.stepMap = new Map(this.stepMap);
    copy.reviewMap = new Map(this.reviewMap);
    copy.outboxMap = new Map(this.outboxMap);
    copy.firstNumbers = this.firstNumbers;
    return copy;
  }

  job(id: string): Promise<Job<L> | undefined> {
    return Promise.resolve(this.jobMap.get(id));
  }

  jobs(ids: readonly string[]): Promise<Job<L>[]> {
    return Promise.resolve(ids.flatMap((id) => this.jobMap.get(id) ?? []));
  }

  jobsOfBatch(batchId: string): Promise<Job<L>[]> {
    return this.#jobsWhere((job) => job.batch_id === batchId);
  }

  jobsIn(...statuses: readonly JobStatus[]): Promise<Job<L>[]> {
    return this.#jobsWhere((job) => statuses.includes(job.status));
  }

  async firstIn(phase: JobPhase): Promise<Job<L> | undefined> {
    return (await this.#jobsWhere((job) => job.phase === phase))[0];
  }

  jobsOfContent(sha256: string): Promise<Job<L>[]> {
    return this.#jobsWhere((job) => job.sha256 === sha256);
  }

  jobsMatchedTo(trackIds: readonly string[]): Promise<Job<L>[]> {
    return this.#jobsWhere((job) => job.matched_track_id !== null && trackIds.includes(job.matched_track_id));
  }

  steps(jobId: string): Promise<ReasoningStep[]> {
    return wholeLog(this.stepMap.get(jobId) ?? [], this.#stepsOf);
  }

  batch(id: string): Promise<Batch | undefined> {
    return Promise.resolve(this.batchMap.get(id));
  }

  batches(state: Batch['state']): Promise<Batch[]> {
    const found = [...this.batchMap.values()].filter((batch) => batch.state === state);
    return Promise.resolve(found.sort((a, b) => a.created_at - b.created_at));
  }

  review(id: string): Promise<Review<L['review']> | undefined> {
    return Promise.resolve(this.reviewMap.get(id));
  }

  reviewsOfBatch(batchId: string): Promise<Review<L['review']>[]> {
    return Promise.resolve([...this.reviewMap.values()].filter((review) => review.batch_id === batchId));
  }

  reviewsOfJobs(jobIds: readonly string[]): Promise<Review<L['review']>[]> {
    const found = [...this.reviewMap.values()].filter((review) => review.job_ids.some((id) => jobIds.includes(id)));
    return Promise.resolve(found);
  }

  outboxItem(key: string): Promise<OutboxItem | undefined> {
    return Promise.resolve(this.outboxMap.get(key));
  }

  async outboxOfJob(jobId: string): Promise<OutboxItem[]> {
    return (await this.outbox()).filter((item) => item.job_id === jobId);
  }

  outbox(states?: readonly OutboxItem['state'][], limit = Infinity): Promise<OutboxItem[]> {
    const found = [...this.outboxMap.values()].filter((item) => states?.includes(item.state) ?? true);
    return Promise.resolve(found.sort((a, b) => a.created_at - b.created_at).slice(0, limit));
  }

  async latestOutboxItem(): Promise<OutboxItem | undefined> {
    return (await this.outbox()).at(-1);
  }

  async putJob(job: Job<L>): Promise<void> {
    this.jobMap.set(job.id, job);
  }

  async deleteJobs(ids: readonly string[]): Promise<void> {
    const gone = new Set(ids);
    const kept = [...this.stepMap].flatMap(([id, steps]) => (gone.has(id) ? [] : steps));
    const { put, drop } = await handOver(
      kept.filter(({ same_as }) => same_as && gone.has(same_as.job_id)),
      this.#stepsOf,
    );
    const dropped = new Set([...drop, ...put.map((step) => step.id)]);
    for (const id of new Set(put.map((step) => step.job_id))) {
      const own = (this.stepMap.get(id) ?? []).filter((step) => !dropped.has(step.id));
      const now = [...own, ...put.filter((step) => step.job_id === id)];
      this.stepMap.set(
        id,
        now.sort((a, b) => a.step_number - b.step_number),
      );
    }
    for (const id of ids) {
      this.jobMap.delete(id);
      this.stepMap.delete(id);
    }
  }

  async putSteps(steps: readonly ReasoningStep[]): Promise<void> {
    for (const step of steps) this.stepMap.set(step.job_id, [...(this.stepMap.get(step.job_id) ?? []), step]);
  }

  lastStep(jobId: string): Promise<number> {
    const last = this.stepMap.get(jobId)?.at(-1);
    return Promise.resolve(last ? lastNumber(last) : (this.firstNumbers.get(jobId) ?? 0));
  }

  async putBatch(batch: Batch): Promise<void> {
    this.batchMap.set(batch.id, batch);
  }

  async putReview(review: Review<L['review']>): Promise<void> {
    this.reviewMap.set(review.id, review);
  }

  async deleteReviews(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.reviewMap.delete(id);
  }

  async putOutboxItem(item: OutboxItem): Promise<void> {
    this.outboxMap.set(item.key, item);
  }

  async deleteOutboxItems(keys: readonly string[]): Promise<void> {
    for (const key of keys) this.outboxMap.delete(key);
  }

  readonly #stepsOf = ({ job_id }: { job_id: string }): Promise<readonly ReasoningStep[]> =>
    Promise.resolve(this.stepMap.get(job_id) ?? []);

  #jobsWhere(wanted: (job: Job<L>) => boolean): Promise<Job<L>[]> {
    return Promise.resolve([...this.jobMap.values()].filter(wanted));
  }
}

/** Changes come one after the other; each works on a copy, which takes the rows' place when all of it went well. */
export class MemoryJobStore<L extends LaneTypes = LaneTypes> implements JobStore<L> {
  protected rows: MemoryRows<L>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(lanes: MemoryLanes<L['rows']>) {
    this.rows = new MemoryRows<L>(lanes);
  }

  get lanes(): L['rows'] {
    return this.rows.lanes;
  }

  change<T>(work: (rows: JobRows<L>) => Promise<T>): Promise<T> {
    const run = this.#last.then(async () => {
      const copy = this.rows.copy();
      const answer = await work(copy);
      const before = this.rows;
      this.rows = copy;
      this.changed(before, copy);
      return answer;
    });
    this.#last = run.catch(() => undefined);
    return run;
  }

  /** Called after every change that went well. */
  protected changed(_before: MemoryRows<L>, _now: MemoryRows<L>): void {
    // Memory keeps nothing else.
  }

  kept(): Promise<void> {
    return Promise.resolve();
  }

  readonly job = (id: string) => this.rows.job(id);
  readonly jobs = (ids: readonly string[]) => this.rows.jobs(ids);
  readonly jobsOfBatch = (batchId: string) => this.rows.jobsOfBatch(batchId);
  readonly jobsIn = (...statuses: readonly JobStatus[]) => this.rows.jobsIn(...statuses);
  readonly firstIn = (phase: JobPhase) => this.rows.firstIn(phase);
  readonly jobsOfContent = (sha256: string) => this.rows.jobsOfContent(sha256);
  readonly jobsMatchedTo = (trackIds: readonly string[]) => this.rows.jobsMatchedTo(trackIds);
  readonly steps = (jobId: string) => this.rows.steps(jobId);
  readonly batch = (id: string) => this.rows.batch(id);
  readonly batches = (state: Batch['state']) => this.rows.batches(state);
  readonly review = (id: string) => this.rows.review(id);
  readonly reviewsOfBatch = (batchId: string) => this.rows.reviewsOfBatch(batchId);
  readonly reviewsOfJobs = (jobIds: readonly string[]) => this.rows.reviewsOfJobs(jobIds);
  readonly outboxItem = (key: string) => this.rows.outboxItem(key);
  readonly outboxOfJob = (jobId: string) => this.rows.outboxOfJob(jobId);
  readonly outbox = (states?: readonly OutboxItem['state'][], limit?: number) => this.rows.outbox(states, limit);
  readonly latestOutboxItem = () => this.rows.latestOutboxItem();
}

/** A record that lives as long as the process. */
export function memoryState<T>(first: T): StateOf<T> {
  let now = first;
  return {
    read: () => Promise.resolve(now),
    change: (change) => Promise.resolve((now = change(now))),
  };
}
