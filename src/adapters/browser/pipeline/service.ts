/**
 * The pipeline's door for pages (PipelineApi). Commands are transactions and work in every tab; only the
 * lock holder's tab also runs the loop.
 */
import { toFailure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { CatalogHits, PipelineApi, ReviewAnswer, StorageReport } from '../api.ts';
import { resetProfile, restoreProfile } from '../calibration-store.ts';
import { leaveLost } from '../lost-results.ts';
import { forgetAll } from '../memory-store.ts';
import { findShows } from '../shows.ts';
import { writeUploadsRest } from '../uploads/state.ts';
import { readPaused, writePaused, nextEpoch } from './apply.ts';
import { answerReview } from './answer.ts';
import { askAgain } from './agent-again.ts';
import { skipAgent } from './agent-skip.ts';
import { wakeAgent } from './agent-state.ts';
import { cancelJobs, clearJobs, retryJobs, undoJobs } from './commands.ts';
import { contend, type Role } from './lock.ts';
import { pauseJobs } from './pause.ts';
import { publishAgain } from './publish-again.ts';
import { PipelineRunner, type RunnerDeps } from './runner.ts';

/** After "stop and give it back", uploads are left to others for this long. Milliseconds. */
const REST_MS = 600_000;

export interface ServiceDeps extends RunnerDeps {
  /** Who is said to have answered. */
  user: string;
  /** Wakes the pipelines of the other tabs. */
  announce(): void;
  search(query: string, limit: number): Promise<CatalogHits>;
  storage(): Promise<StorageReport>;
  free(early?: boolean): Promise<number>;
}

export class PipelineService implements PipelineApi {
  readonly #deps: ServiceDeps;
  #runner: PipelineRunner | null = null;
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
    return this.#answer(async () => ({ role: await (this.#started ?? Promise.reject(new Error('not started'))) }));
  }

  async #lead(): Promise<void> {
    const epoch = await nextEpoch(this.#deps.db);
    this.#runner = new PipelineRunner(this.#deps, epoch);
    // What nothing needs any more (a torn conversion, an original past its days) goes before the work begins.
    await this.#deps.free().catch(this.#deps.onError);
    await this.#runner.run();
    this.#runner = null;
  }

  /** Called when the server answers again. */
  online(): void {
    this.#runner?.online();
  }

  async poke(): Promise<void> {
    this.#runner?.poke();
    await Promise.resolve();
  }

  answerReview(reviewId: string, answer: ReviewAnswer): Promise<Result<{ winner: string }>> {
    return this.#flat(() => answerReview(this.#deps, reviewId, answer, this.#deps.user));
  }

  /** What somebody answered at another place, in their name. */
  answeredElsewhere(reviewId: string, answer: ReviewAnswer, by: string): Promise<Result<{ winner: string }>> {
    return this.#flat(() => answerReview(this.#deps, reviewId, answer, by));
  }

  undo(jobIds: string[]): Promise<Result<{ undone: number }>> {
    return this.#command(async () => ({ undone: await undoJobs(this.#deps, jobIds) }));
  }

  cancel(jobIds: string[]): Promise<Result<{ cancelled: number }>> {
    return this.#command(async () => ({ cancelled: await cancelJobs(this.#deps, jobIds) }));
  }

  retry(jobIds: string[]): Promise<Result<{ retried: number }>> {
    return this.#command(async () => ({ retried: await retryJobs(this.#deps, jobIds) }));
  }

  skipAgent(jobIds: string[]): Promise<Result<{ skipped: number }>> {
    return this.#command(async () => ({ skipped: await skipAgent(this.#deps, jobIds) }));
  }

  askAgain(jobIds: string[]): Promise<Result<{ asked: number }>> {
    return this.#flat(() => askAgain(this.#deps, jobIds));
  }

  async wakeAgent(): Promise<void> {
    await wakeAgent(this.#deps.db);
    this.#wakeAll();
  }

  clearHistory(jobIds: string[]): Promise<Result<{ removed: number }>> {
    return this.#command(async () => ({ removed: await clearJobs(this.#deps, jobIds) }));
  }

  async setPaused(paused: boolean): Promise<void> {
    if ((await readPaused(this.#deps.db)) !== paused) await writePaused(this.#deps.db, paused);
    this.#wakeAll();
  }

  pause(jobIds: string[], paused: boolean): Promise<Result<{ changed: number }>> {
    return this.#command(async () => ({ changed: await pauseJobs(this.#deps, jobIds, paused) }));
  }

  syncNow(): Promise<Result<{ waiting: number }>> {
    return this.#command(async () => {
      const now = this.#deps.clock.now();
      await this.#deps.sync.syncNow();
      await this.#deps.db.outbox.where('state').equals('waiting').modify({ next_at: now });
      return { waiting: await this.#deps.db.outbox.count() };
    });
  }

  tryWaiting(key: string): Promise<Result<{ waiting: boolean }>> {
    return this.#command(async () => {
      const next_at = this.#deps.clock.now();
      // Where another tab holds the lock, that one sees it here.
      const one = this.#deps.db.outbox.where('key').equals(key);
      const waiting = await one.filter((item) => item.state === 'waiting').modify({ next_at });
      await this.#deps.sync.tryOne(key);
      return { waiting: waiting > 0 };
    });
  }

  exportWaiting(key: string): Promise<Result<{ name: string; blob: Blob }>> {
    return this.#answer(async () => (await import('../bundle.ts')).exportBundle(this.#deps, this.#deps.blobs, key));
  }

  importBundle(file: Blob): Promise<Result<{ original_filename: string; known: boolean }>> {
    return this.#command(async () => {
      const imported = await (await import('../bundle.ts')).importBundle(this.#deps, this.#deps.blobs, file);
      this.#deps.sync.poke();
      return imported;
    });
  }

  publishAgain(): Promise<Result<{ again: number }>> {
    return this.#command(async () => ({ again: await publishAgain(this.#deps) }));
  }

  async leaveLost(): Promise<void> {
    await leaveLost(this.#deps.db);
  }

  searchCatalog(query: string, limit: number): Promise<Result<CatalogHits>> {
    return this.#answer(() => this.#deps.search(query, limit));
  }

  searchShows(words: string, limit: number): Promise<Result<string[]>> {
    return this.#answer(async () => (await findShows(this.#deps.db, words, limit)).map(({ show }) => show.id));
  }

  storage(): Promise<Result<StorageReport>> {
    return this.#answer(() => this.#deps.storage());
  }

  freeStorage(early: boolean): Promise<Result<{ freed: number }>> {
    return this.#answer(async () => ({ freed: await this.#deps.free(early) }));
  }

  async restUploads(rest: boolean): Promise<void> {
    await writeUploadsRest(this.#deps.db, rest ? this.#deps.clock.now() + REST_MS : 0);
    this.#wakeAll();
  }

  resetProfile(): Promise<Result<{ before: number }>> {
    return this.#answer(() => resetProfile(this.#deps.db, this.#deps.clock));
  }

  restoreProfile(before: number): Promise<Result<{ answers: number }>> {
    return this.#answer(() => restoreProfile(this.#deps.db, before));
  }

  forgetDecisions(): Promise<Result<{ forgotten: number }>> {
    return this.#answer(async () => ({ forgotten: await forgetAll(this.#deps.db) }));
  }

  #wakeAll(): void {
    this.#runner?.poke();
    this.#deps.announce();
  }

  async #command<T>(run: () => Promise<T>): Promise<Result<T>> {
    return this.#flat(async () => ok(await run()));
  }

  async #flat<T>(run: () => Promise<Result<T>>): Promise<Result<T>> {
    try {
      return await run();
    } catch (error) {
      return fail(toFailure(error));
    } finally {
      this.#wakeAll();
    }
  }

  async #answer<T>(run: () => Promise<T>): Promise<Result<T>> {
    try {
      return ok(await run());
    } catch (error) {
      return fail(toFailure(error));
    }
  }
}
