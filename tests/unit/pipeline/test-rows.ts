import { MemoryJobStore, type MemoryRows } from '#adapters/memory/job-store.ts';
import { failed } from '#core/errors.ts';
import type { Batch, ReasoningStep } from '#core/job/job.ts';
import type { JobRows, JobStore } from '#core/run/job-store.ts';
import type { OutboxItem } from '#core/sync/outbox-item.ts';
import type { CalibrationSample } from '#lanes/music/core/calibration/local-profile.ts';
import { MemoryMusicRows } from '#lanes/music/core/learning/memory-rows.ts';
import type { Remembered } from '#lanes/music/core/learning/rows.ts';
import type { MusicJob, MusicReview, MusicTypes } from '#lanes/music/core/types.ts';

/** Rows as a test reads them, and changes them behind the run's back. */
export class TestStore extends MemoryJobStore<MusicTypes> {
  #waiting: (() => void)[] = [];
  /** Called before a row is written; what it throws ends the change. */
  beforePut: (job: MusicJob) => void = () => undefined;

  constructor() {
    // Where nothing was learned before: what is learned now is known as not kept yet.
    super({ music: new MemoryMusicRows({ read: async () => [] }) });
  }

  override change<T>(work: (rows: JobRows<MusicTypes>) => Promise<T>): Promise<T> {
    return super.change((rows) => {
      const putJob = rows.putJob.bind(rows);
      rows.putJob = async (job) => {
        this.beforePut(job);
        await putJob(job);
      };
      return work(rows);
    });
  }

  protected override changed(before: MemoryRows<MusicTypes>, now: MemoryRows<MusicTypes>): void {
    super.changed(before, now);
    this.tell();
  }

  /** Resolves after the next change. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  tell(): void {
    for (const resolve of this.#waiting.splice(0)) setImmediate(resolve);
  }

  allJobs = (): MusicJob[] => [...this.rows.jobMap.values()];
  allBatches = (): Batch[] => [...this.rows.batchMap.values()];
  allReviews = (): MusicReview[] => [...this.rows.reviewMap.values()];
  allOutbox = (): OutboxItem[] => [...this.rows.outboxMap.values()];
  allSteps = (): ReasoningStep[] => [...this.rows.stepMap.values()].flat();
  /** What is remembered of people's decisions. */
  allRemembered = (): Remembered[] => this.#learned<Remembered>('memory');
  /** What their answers say of the matcher. */
  allSamples = (): CalibrationSample[] => this.#learned<CalibrationSample>('sample');

  /** The same rows as one holder of the work has them: refused as soon as `holds` says no. */
  heldWhile(holds: () => boolean): JobStore<MusicTypes> {
    const change: JobStore<MusicTypes>['change'] = (work) => (holds() ? this.change(work) : refused());
    return new Proxy<JobStore<MusicTypes>>(this, {
      get: (store, key) => (key === 'change' ? change : Reflect.get(store, key)),
    });
  }

  /** As another tab does: the run of this one is refused from now on. */
  takeOver(): void {
    this.change = refused;
  }

  /** What a test says of a row, whatever it was. */
  patchJob(id: string, patch: Partial<MusicJob>): Promise<void> {
    return this.put(async (rows) => {
      const job = await rows.job(id);
      if (job) await rows.putJob({ ...job, ...patch } as MusicJob);
    });
  }

  patchJobs(patch: Partial<MusicJob>): Promise<void> {
    return this.put(async (rows) => {
      for (const job of this.allJobs()) await rows.putJob({ ...job, ...patch } as MusicJob);
    });
  }

  clearJobs(): Promise<void> {
    return this.put((rows) => rows.deleteJobs(this.allJobs().map((job) => job.id)));
  }

  put(work: (rows: JobRows<MusicTypes>) => Promise<void>): Promise<void> {
    return super.change(work);
  }

  #learned<T>(kind: string): T[] {
    const { music } = this.rows.lanes;
    if (!(music instanceof MemoryMusicRows)) throw new Error('these rows are not in memory');
    return music.unsaved().flatMap((row) => (row.kind === kind && row.value !== null ? [row.value as T] : []));
  }
}

function refused(): Promise<never> {
  return Promise.reject(failed('conflict', 'Another tab has taken over the work.'));
}
