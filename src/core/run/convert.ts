/**
 * Approved files, a few at a time, fair across batches and albums: each is converted and put into the outbox, or ended by
 * its lane. A conversion is stopped by its signal; a finished file and its outbox item are one change.
 */
import { CancelSource } from '../cancel.ts';
import { toFailure, type Failure } from '../errors.ts';
import { applyEvent } from '../job/apply.ts';
import type { JobEvent } from '../job/events.ts';
import type { Job, JobIn } from '../job/job.ts';
import { Turns } from '../job/turns.ts';
import { fail, ok, tried, type Result } from '../result.ts';
import type { Conversion } from './lane-run.ts';
import { enqueue } from './outbox.ts';
import { isLocal, laneOf, type Station } from './ports.ts';

/** What a stopped file's log says: a conversion's place is in memory alone, so there is none to go on from. */
const PAUSED = 'Paused; it is converted from its beginning when it goes on';

export class ConvertStation {
  readonly #station: Station;
  readonly #running = new Map<string, CancelSource>();
  readonly #turns = new Turns();
  /** What was converted with; it may keep something for the next file. */
  readonly #used = new Set<Conversion>();
  /** Approved files as they were last read. The rows are read anew when somebody may have changed them. */
  #approved: Job[] = [];
  #stale = true;
  #tending: Promise<void> = Promise.resolve();
  #tendsNext: Promise<void> | null = null;

  constructor(station: Station) {
    this.#station = station;
  }

  get isIdle(): boolean {
    return this.#running.size === 0;
  }

  /** Rows were changed by somebody else: a command, an answer, the matcher. */
  changed(): void {
    this.#stale = true;
  }

  /** Stops what was cancelled, undone or paused, then fills the free places. Calls during one share the next. */
  tend(): Promise<void> {
    this.#tendsNext ??= this.#tending.then(() => {
      this.#tendsNext = null;
      const now = this.#tend();
      // Whoever asked gets the failure; who comes next is not held up by it.
      this.#tending = now.catch(() => undefined);
      return now;
    });
    return this.#tendsNext;
  }

  async #tend(): Promise<void> {
    const { store, parallel } = this.#station;
    const paused = await this.#station.paused();
    for (const [id, stop] of this.#running) {
      const job = await store.job(id);
      if (job?.phase === 'converting' && (paused || job.paused === true)) await this.#putBack(id, PAUSED);
      else if (job?.phase === 'converting') continue;
      stop.abort();
    }
    while (!this.#isClosed(paused) && this.#running.size < parallel.conversions) {
      const job = await this.#claim();
      if (!job) break;
      void this.#run(job);
    }
    if (this.isIdle) this.#rest();
  }

  #isClosed(paused: boolean): boolean {
    return paused || this.#station.signal.aborted || this.#station.toolsMissing();
  }

  /** JOB-13: the file in hand waits again. What was just finished stays so: the event does not fit it any more. */
  async #putBack(jobId: string, why: string): Promise<void> {
    await this.#station.store.change(async (rows) => {
      if ((await rows.job(jobId))?.phase === 'converting')
        await applyEvent(rows, this.#station, jobId, { type: 'unconverted', why });
    });
    this.#stale = true;
  }

  /** Stops everything; the jobs go on from "approved" at the next start. */
  close(): void {
    for (const stop of this.#running.values()) stop.abort();
    this.#rest();
  }

  #rest(): void {
    for (const conversion of this.#used) conversion.rest();
  }

  /** The approved file whose turn it is. */
  async #claim(): Promise<JobIn<'converting'> | null> {
    const { store } = this.#station;
    for (;;) {
      if (this.#stale || this.#approved.length === 0) await this.#readApproved();
      const job = this.#turns.next(this.#approved);
      if (!job) return null;
      this.#approved = this.#approved.filter((one) => one !== job);
      const claimed = await store.change(async (rows) => {
        const now = await rows.job(job.id);
        if (now?.phase !== 'approved' || now.paused === true) return null;
        const { finish } = laneOf(this.#station, now);
        const why = typeof finish === 'function' ? {} : { why: finish.words(now) };
        return applyEvent(rows, this.#station, job.id, { type: 'converting', ...why });
      });
      if (claimed?.phase !== 'converting') continue;
      this.#turns.took(claimed);
      return claimed;
    }
  }

  /** All rows of the status as one read: with many that wait to be published, reading each costs far more. */
  async #readApproved(): Promise<void> {
    this.#stale = false;
    const rows = await this.#station.store.jobsIn('CONVERTING');
    // A result that could not be noted (no space for the row): it is made again.
    const orphaned = rows.filter((job) => job.phase === 'converting' && !this.#running.has(job.id));
    for (const job of orphaned)
      await this.#putBack(job.id, 'What it was converted to could not be noted; it is converted again');
    this.#stale = false;
    this.#approved = [...rows.filter((job) => job.phase === 'approved' && job.paused !== true), ...orphaned];
  }

  async #run(job: JobIn<'converting'>): Promise<void> {
    const stop = new CancelSource();
    this.#running.set(job.id, stop);
    const stopped = new Promise<null>((resolve) => stop.addEventListener('abort', () => resolve(null)));
    this.#station.report?.(new Map([[job.id, 0]]));
    const outcome = await Promise.race([this.#work(job, stop), stopped]);
    if (outcome) {
      try {
        await this.#finish(job, outcome);
      } catch (error) {
        await this.#finish(job, fail(toFailure(error, job.original_filename))).catch((again: unknown) =>
          this.#station.onError(again),
        );
      }
    }
    // Not before its end is written: what is neither written nor run here is orphaned.
    this.#running.delete(job.id);
    this.#station.poke();
  }

  async #work(job: JobIn<'converting'>, signal: CancelSource): Promise<Result<JobEvent>> {
    const { finish } = laneOf(this.#station, job);
    const report = (share: number): void =>
      this.#station.report?.(new Map([[job.id, Math.min(1, Math.max(0, share))]]));
    return tried(async () => {
      await this.#station.store.kept();
      if (typeof finish === 'function') return finish(job, signal);
      this.#used.add(finish);
      const batch = await this.#station.store.batch(job.batch_id);
      const made = await finish.convert(job, batch, { signal, report });
      return made.ok ? ok({ type: 'converted', ...made.value }) : made;
    }, job.original_filename);
  }

  async #finish(job: JobIn<'converting'>, outcome: Result<JobEvent>): Promise<void> {
    const { store } = this.#station;
    const event = outcome.ok ? outcome.value : this.#failed(outcome.failure);
    const { finish } = laneOf(this.#station, job);
    await store.change(async (rows) => {
      const row = await applyEvent(rows, this.#station, job.id, event);
      if (row?.phase === 'waiting' && typeof finish !== 'function')
        await enqueue(rows, this.#station, finish.commit(row));
    });
  }

  /** A converter that is not here yet is no failure of the file: it waits for it. */
  #failed(why: Failure): JobEvent {
    const then = isLocal(why) ? this.#station.onLocalFailure(why) : 'fail';
    if (then === 'fail') return { type: 'failed', failure: why };
    if (then !== 'wait') this.#station.stopWith(why);
    else this.#station.onToolsMissing();
    const waits = then === 'wait' ? { waitsFor: `${why.message} ${why.remedy}` } : {};
    return { type: 'unconverted', why: why.message, ...waits };
  }
}
