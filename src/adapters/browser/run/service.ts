/**
 * What pages may ask of the pipeline (PipelineApi). Commands are changes of the store and work in every tab; only the
 * tab that holds the lock also runs the driver.
 */
import { answered, ok, tried, type Result } from '#core/result.ts';
import { answerReview, takeRemoteAnswer } from '#core/run/answer.ts';
import { askAgain } from '#core/run/ask-again.ts';
import { woken } from '#core/run/agent-state.ts';
import { cancelJobs, clearJobs, pauseJobs, retryJobs, skipAgent, undoJobs } from '#core/run/commands.ts';
import type { JobRows, JobStore } from '#core/run/job-store.ts';
import type { RunBeside, RunDeps } from '#core/run/ports.ts';
import { Run } from '#core/run/run.ts';
import type { ReviewAnswer } from '#core/job/review.ts';
import type { PipelineApi, StorageReport } from '../api.ts';
import type { BrowserBlobStore } from '../blobs/blob-store.types.ts';
import type { AccessionDb } from '../db.ts';
import { leaveStorageLoss } from '../blobs/storage-loss-row.ts';
import { DexieJobStore, nextEpoch, readPaused, writePaused, type DexieLaneRows } from '../job-store.ts';
import type { SyncRunner } from '../sync/sync-runner.ts';
import { writeUploadsRest } from '../uploads/state.ts';
import { contend, type Role } from './lock.ts';

/** After "stop and give it back", uploads are left to others for this long. Milliseconds. */
const REST_MS = 600_000;
/** What the log says of a conversion that a closed tab left. */
const CONVERTING = 'The page was closed while it was converted; it is converted again';

export interface ServiceDeps extends Omit<RunDeps, 'store' | 'paused' | 'sync' | 'beside'> {
  db: AccessionDb;
  blobs: BrowserBlobStore;
  laneRows: DexieLaneRows;
  /** Over the same rows, for commands. */
  store: JobStore;
  sync: Pick<SyncRunner, 'start' | 'stop' | 'poke' | 'syncNow' | 'tryOne'>;
  /** Uploads over HTTP, which wait for the person's own files. */
  uploads?: RunBeside;
  /** Who is said to have answered. */
  user: string;
  /** Wakes the pipelines of the other tabs. */
  announce(): void;
  storage(): Promise<StorageReport>;
  free(early?: boolean): Promise<number>;
  /** At the start: what the browser took away. */
  findLoss(): Promise<unknown>;
}

export class PipelineService implements PipelineApi {
  readonly #deps: ServiceDeps;
  #run: Run | null = null;
  #started: Promise<Role> | null = null;

  constructor(deps: ServiceDeps) {
    this.#deps = deps;
  }

  async start(): Promise<Result<{ role: Role }>> {
    this.#started ??= contend({
      db: this.#deps.db,
      now: () => this.#deps.clock.now(),
      owner: this.#deps.ids.next(),
      lead: () => this.#lead(),
    });
    return answered(async () => ({ role: await (this.#started ?? Promise.reject(new Error('not started'))) }));
  }

  async #lead(): Promise<void> {
    const { db, blobs, laneRows, sync, uploads, ...deps } = this.#deps;
    const epoch = await nextEpoch(db);
    const store = new DexieJobStore(db, laneRows, epoch);
    this.#run = new Run(
      {
        ...{ ...deps, store },
        paused: () => readPaused(db),
        sync: { start: () => sync.start(store, epoch), stop: () => sync.stop(), poke: () => sync.poke() },
        ...(uploads ? { beside: uploads } : {}),
      },
      {
        ...{ until: 'stopped', converting: CONVERTING },
        hasOutput: async (sha256) => (await blobs.size(sha256)) !== null,
      },
    );
    await deps.findLoss().catch(deps.onError);
    // What nothing needs any more (a torn conversion, an original past its days) goes before the work begins.
    await deps.free().catch(deps.onError);
    await this.#run.run();
    this.#run = null;
  }

  /** Called when the server answers again. */
  online(): void {
    this.#run?.online();
  }

  async poke(): Promise<void> {
    this.#run?.poke();
    await Promise.resolve();
  }

  answerReview(reviewId: string, answer: ReviewAnswer): Promise<Result<{ winner: string }>> {
    return this.#command(() => answerReview(this.#deps, reviewId, answer, this.#deps.user));
  }

  /** An answer that came through the server, in its giver's name. */
  async takeRemoteAnswer(reviewId: string, selected: string, by: string | null): Promise<void> {
    await takeRemoteAnswer(this.#deps, reviewId, selected, by);
    this.wakeAll();
  }

  /** Jobs were cancelled through the server. */
  async takeRemoteCancel(jobIds: readonly string[]): Promise<void> {
    await this.#deps.store.change((rows) => cancelJobs(rows, this.#deps, jobIds, { elsewhere: true }));
    this.wakeAll();
  }

  readonly undo = this.#counted('undone', undoJobs);
  readonly cancel = this.#counted('cancelled', cancelJobs);
  readonly retry = this.#counted('retried', retryJobs);
  readonly skipAgent = this.#counted('skipped', skipAgent);
  readonly clearHistory = this.#counted('removed', clearJobs);

  askAgain(jobIds: string[]): Promise<Result<{ asked: number }>> {
    return this.#command(() => askAgain(this.#deps, jobIds));
  }

  async wakeAgent(): Promise<void> {
    await this.#deps.agentState.change(woken);
    this.wakeAll();
  }

  async setPaused(paused: boolean): Promise<void> {
    await writePaused(this.#deps.db, paused);
    this.wakeAll();
  }

  pause(jobIds: string[], paused: boolean): Promise<Result<{ changed: number }>> {
    return this.#change(async (rows) => ({ changed: await pauseJobs(rows, this.#deps, jobIds, paused) }));
  }

  syncNow(): Promise<Result<{ waiting: number }>> {
    return this.#command(async () => {
      await this.#deps.sync.syncNow();
      await this.#dueNow(() => true);
      return ok({ waiting: (await this.#deps.store.outbox()).length });
    });
  }

  tryWaiting(key: string): Promise<Result<{ waiting: boolean }>> {
    return this.#command(async () => {
      // Where another tab holds the lock, that one sees it in the row.
      const waiting = await this.#dueNow((item) => item.key === key);
      await this.#deps.sync.tryOne(key);
      return ok({ waiting: waiting > 0 });
    });
  }

  /** Answers how many of the chosen items wait; they are due now. */
  #dueNow(chosen: (item: { key: string }) => boolean): Promise<number> {
    const next_at = this.#deps.clock.now();
    return this.#deps.store.change(async (rows) => {
      const waiting = (await rows.outbox(['waiting'])).filter(chosen);
      for (const item of waiting) await rows.putOutboxItem({ ...item, next_at });
      return waiting.length;
    });
  }

  exportWaiting(key: string): Promise<Result<{ name: string; blob: Blob }>> {
    const { store, blobs } = this.#deps;
    return answered(async () => (await import('../sync/bundle.ts')).exportBundle(store, blobs, key));
  }

  importBundle(file: Blob): Promise<Result<{ original_filename: string; known: boolean }>> {
    return this.#command(async () => {
      const { importBundle } = await import('../sync/bundle.ts');
      const imported = await importBundle(this.#deps, this.#deps.blobs, file);
      this.#deps.sync.poke();
      return ok(imported);
    });
  }

  storage(): Promise<Result<StorageReport>> {
    return answered(() => this.#deps.storage());
  }

  freeStorage(early: boolean): Promise<Result<{ freed: number }>> {
    return answered(async () => ({ freed: await this.#deps.free(early) }));
  }

  async leaveStorageLoss(): Promise<void> {
    await leaveStorageLoss(this.#deps.db);
  }

  async restUploads(rest: boolean): Promise<void> {
    await writeUploadsRest(this.#deps.db, rest ? this.#deps.clock.now() + REST_MS : 0);
    this.wakeAll();
  }

  /** Rows were changed: this tab's run and those of the others look again. */
  wakeAll(): void {
    this.#run?.poke();
    this.#deps.announce();
  }

  /** A command on jobs, which answers under this name how many it changed. */
  #counted<Name extends string>(
    name: Name,
    command: (rows: JobRows, context: ServiceDeps, jobIds: readonly string[]) => Promise<number>,
  ) {
    return (jobIds: string[]) =>
      // TypeScript widens a name that is computed.
      this.#change(async (rows) => ({ [name]: await command(rows, this.#deps, jobIds) }) as Record<Name, number>);
  }

  #change<T>(work: (rows: JobRows) => Promise<T>): Promise<Result<T>> {
    return this.#command(async () => ok(await this.#deps.store.change(work)));
  }

  /** What may have changed rows. */
  #command<T>(run: () => Promise<Result<T>>): Promise<Result<T>> {
    return tried(run).finally(() => this.wakeAll());
  }
}
