/**
 * A small pool of transcode workers, fair across batches and albums. A worker runs one file at a time and is
 * terminated to cancel; a finished file and its outbox item are one transaction.
 */
import { failure, toFailure, type Failure } from '#core/errors.ts';
import type { Settings } from '#core/config.ts';
import { commitOfJob, convertRequest } from '#core/job/convert-request.ts';
import type { Job } from '#core/job/job.ts';
import type { JobEvent } from '#core/job/transitions.ts';
import { Turns } from '#core/job/turns.ts';
import { fail, type Result } from '#core/result.ts';
import type { TranscodeApi, TranscodeDone, TranscodeRequest } from '../api.ts';
import { enqueueOutbox } from '../outbox-store.ts';
import { noSpaceFor } from '../storage-failure.ts';
import { applyEvent, assertEpoch, jobTables, readPaused, type PipelineContext } from './apply.ts';
import { LastingWorker } from './lasting-worker.ts';

export interface TranscodeWorker {
  api: Pick<TranscodeApi, 'transcode'>;
  /** Resolves when the worker could not be loaded or broke down. */
  died: Promise<Error>;
  terminate(): void;
}

export interface TranscodeDeps extends PipelineContext {
  spawn(): TranscodeWorker;
  size: number;
  /** Tells the pages how far files are (0..1 by job); it is worth no row. */
  tell?(shares: ReadonlyMap<string, number>): void;
  settings(): Promise<Settings>;
  /** True while the codecs are not here and cannot be fetched: nothing is begun that needs them. */
  toolsMissing(): boolean;
  /** Says that the codecs could not be loaded. */
  onToolsMissing(): void;
  /** What could be written nowhere else (another tab took over, the database is gone). */
  onError(error: unknown): void;
  /** Called when something changed that the runner should look at. */
  poke(): void;
}

interface Running {
  stop(): void;
}

/** Of Ogg Vorbis at 320 kbit/s, the most that is made. */
const BYTES_A_MS = 40;

/** What a stopped file's trace says: a worker's place is in its memory alone, so there is none to go on from. */
const PAUSED = 'Paused; it is converted from its beginning when it goes on';

export class TranscodeStage {
  readonly #deps: TranscodeDeps;
  readonly #epoch: number;
  readonly #running = new Map<string, Running>();
  readonly #idle: LastingWorker[] = [];
  readonly #turns = new Turns();
  /** Approved files as they were last read. The rows are read anew when somebody may have changed them. */
  #approved: Job[] = [];
  #stale = true;
  #tending: Promise<void> = Promise.resolve();
  #tendsNext: Promise<void> | null = null;

  constructor(deps: TranscodeDeps, epoch: number) {
    this.#deps = deps;
    this.#epoch = epoch;
  }

  get busy(): boolean {
    return this.#running.size > 0;
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
      // Whoever asked hears of a failure; who comes next is not held up by it.
      this.#tending = now.catch(() => undefined);
      return now;
    });
    return this.#tendsNext;
  }

  async #tend(): Promise<void> {
    const paused = await readPaused(this.#deps.db);
    for (const [id, running] of this.#running) {
      const job = await this.#deps.db.jobs.get(id);
      if (job?.phase === 'converting' && (paused || job.paused === true)) await this.#putBack(id, PAUSED);
      else if (job?.phase === 'converting') continue;
      running.stop();
    }
    while (!paused && this.#running.size < this.#deps.size && !this.#deps.toolsMissing()) {
      const job = await this.#claim();
      if (!job) break;
      void this.#run(job);
    }
    if (this.#running.size === 0) for (const worker of this.#idle.splice(0)) worker.terminate();
  }

  /** JOB-13: the file in hand waits again. What was just finished stays so: the event does not fit it any more. */
  async #putBack(jobId: string, why: string): Promise<void> {
    const { db } = this.#deps;
    await db.transaction('rw', jobTables(db), async () => {
      await assertEpoch(db, this.#epoch);
      if ((await db.jobs.get(jobId))?.phase === 'converting')
        await applyEvent(this.#deps, jobId, { type: 'unconverted', why });
    });
    this.#stale = true;
  }

  /** Terminates everything; the jobs go on from "approved" at the next start. */
  close(): void {
    for (const running of this.#running.values()) running.stop();
    for (const worker of this.#idle.splice(0)) worker.terminate();
  }

  /** The approved file whose turn it is. */
  async #claim(): Promise<Job | null> {
    const { db } = this.#deps;
    for (;;) {
      if (this.#stale || this.#approved.length === 0) await this.#readApproved();
      const job = this.#turns.next(this.#approved);
      if (!job) return null;
      this.#approved = this.#approved.filter((one) => one !== job);
      const claimed = await db.transaction('rw', jobTables(db), async () => {
        await assertEpoch(db, this.#epoch);
        const now = await db.jobs.get(job.id);
        return now?.phase !== 'approved' || now.paused === true
          ? null
          : applyEvent(this.#deps, job.id, { type: 'converting' });
      });
      if (!claimed) continue;
      this.#turns.took(claimed);
      return claimed;
    }
  }

  /** All rows of the status as one read: with many that wait to be published, looking at each costs far more. */
  async #readApproved(): Promise<void> {
    this.#stale = false;
    const rows = await this.#deps.db.jobs.where('status').equals('CONVERTING').toArray();
    // A result that could not be noted (no space for the row): it is made again.
    const adrift = rows.filter((job) => job.phase === 'converting' && !this.#running.has(job.id));
    for (const job of adrift) {
      await this.#putBack(job.id, 'What it was converted to could not be noted; it is converted again');
      rows.push({ ...job, phase: 'approved' });
    }
    this.#stale = false;
    this.#approved = rows.filter((job) => job.phase === 'approved' && job.paused !== true);
  }

  async #run(job: Job): Promise<void> {
    let worker = this.#idle.pop() ?? new LastingWorker(this.#deps.spawn());
    let stop = (): void => undefined;
    const stopped = new Promise<'stopped'>((resolve) => {
      stop = () => resolve('stopped');
    });
    this.#running.set(job.id, { stop });
    this.#deps.tell?.(new Map([[job.id, 0]]));
    let outcome = await Promise.race([this.#convert(worker, job, true), stopped]);
    if (outcome !== 'stopped' && !outcome.ok && outcome.failure.code === 'worker_died') {
      // What it died of may be the fast way: once more without it, in a worker that has not met the file.
      worker.terminate();
      worker = new LastingWorker(this.#deps.spawn());
      outcome = await Promise.race([this.#convert(worker, job, false), stopped]);
    }
    if (outcome === 'stopped') worker.terminate();
    else {
      // After a failure the next file gets a new worker: the old one's memory is not to be trusted.
      if (outcome.ok) this.#idle.push(worker);
      else worker.terminate();
      try {
        await this.#finish(job, outcome);
      } catch (error) {
        await this.#finish(job, fail(toFailure(error, job.original_filename))).catch((again: unknown) =>
          this.#deps.onError(again),
        );
      }
    }
    // Not before its end is written: what is neither written nor run here is adrift.
    this.#running.delete(job.id);
    this.#deps.poke();
  }

  async #convert(worker: LastingWorker, job: Job, fast: boolean): Promise<Result<TranscodeDone>> {
    const onProgress = (share: number): void => this.#deps.tell?.(new Map([[job.id, Math.min(1, Math.max(0, share))]]));
    try {
      const request = await this.#request(job);
      if (!request.ok) return request;
      const { value } = request;
      return await worker.orDead(
        () => worker.api.transcode({ ...value, fast }, onProgress),
        ({ message }) =>
          fail(failure('worker_died', `The converter stopped at "${job.original_filename}": ${message}`)),
      );
    } catch (error) {
      return fail(toFailure(error, job.original_filename));
    }
  }

  async #request(job: Job): Promise<Result<TranscodeRequest>> {
    const { db } = this.#deps;
    const track = job.matched_track_id === null ? undefined : await db.tracks.get(job.matched_track_id);
    if (!track)
      return fail(
        failure(
          'not_found',
          `The track that "${job.original_filename}" was matched to is not in the catalog any more.`,
        ),
      );
    if (job.sha256 === null)
      return fail(failure('blob_missing', `"${job.original_filename}" is not in this browser's storage any more.`));
    const album = await db.albums.get(track.album_id);
    const batch = await db.batches.get(job.batch_id);
    const { output_bitrate } = await this.#deps.settings();
    return { ok: true, value: convertRequest({ ...job, sha256: job.sha256 }, batch, track, album, output_bitrate) };
  }

  async #finish(job: Job, outcome: Result<TranscodeDone>): Promise<void> {
    const { db } = this.#deps;
    if (!outcome.ok && outcome.failure.code === 'offline') this.#deps.onToolsMissing();
    const failed = outcome.ok ? null : await notConverted(job, outcome.failure);
    await db.transaction('rw', jobTables(db), async () => {
      await assertEpoch(db, this.#epoch);
      const event: JobEvent | null = outcome.ok
        ? {
            type: 'converted',
            sha256: outcome.value.sha256,
            size: outcome.value.size,
            duration_ms: outcome.value.duration_ms,
            conversion_reason: outcome.value.conversion_reason,
            verified: outcome.value.verified,
          }
        : failed;
      const row = event && (await applyEvent(this.#deps, job.id, event));
      if (row && outcome.ok) await enqueueOutbox(db, outboxItem(this.#deps, row, outcome.value, this.#epoch));
    });
  }
}

/** A converter that is not here yet is no failure of the file: it waits for it. */
async function notConverted(job: Job, why: Failure): Promise<JobEvent> {
  const name = job.original_filename;
  if (why.code === 'storage_full') {
    const wanted = job.duration_ms === null ? job.file_size_bytes : job.duration_ms * BYTES_A_MS;
    const what = `"${name}" could not be converted.`;
    return { type: 'failed', failure: await noSpaceFor(what, wanted, { subject: name, then: 'press Retry' }) };
  }
  return why.code === 'offline' ? { type: 'unconverted', why: why.message } : { type: 'failed', failure: why };
}

function outboxItem(
  context: PipelineContext,
  job: Job,
  done: TranscodeDone,
  epoch: number,
): Parameters<typeof enqueueOutbox>[1] {
  return {
    key: context.ids.next(),
    now: context.clock.now(),
    epoch,
    body: commitOfJob(job, done),
  };
}
