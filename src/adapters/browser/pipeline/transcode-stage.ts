/**
 * A small pool of transcode workers, fair across batches and albums. A worker runs one file at a time and is
 * terminated to cancel; a finished file and its outbox item are one transaction.
 */
import { failure, toFailure, type Failure } from '#core/errors.ts';
import { VORBIS_QUALITY, type Settings } from '#core/config.ts';
import { coverRank } from '#core/ingest/ingesters/cover.ts';
import type { Batch, Job } from '#core/job/job.ts';
import { contentOf } from '#core/job/segment.ts';
import type { JobEvent } from '#core/job/transitions.ts';
import { Turns } from '#core/job/turns.ts';
import { vorbisTags } from '#core/music/vorbis-tags.ts';
import { fail, type Result } from '#core/result.ts';
import type { TranscodeApi, TranscodeDone, TranscodeRequest } from '../api.ts';
import { enqueueOutbox } from '../outbox-store.ts';
import { applyEvent, assertEpoch, jobTables, readPaused, type PipelineContext } from './apply.ts';

export interface TranscodeWorker {
  api: Pick<TranscodeApi, 'transcode'>;
  /** Resolves when the worker could not be loaded or broke down. */
  died: Promise<Error>;
  terminate(): void;
}

export interface TranscodeDeps extends PipelineContext {
  spawn(): TranscodeWorker;
  size: number;
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

const PROGRESS_EVERY_MS = 400;

export class TranscodeStage {
  readonly #deps: TranscodeDeps;
  readonly #epoch: number;
  readonly #running = new Map<string, Running>();
  readonly #idle: TranscodeWorker[] = [];
  readonly #turns = new Turns();

  constructor(deps: TranscodeDeps, epoch: number) {
    this.#deps = deps;
    this.#epoch = epoch;
  }

  get busy(): boolean {
    return this.#running.size > 0;
  }

  /** Stops what was cancelled or undone, then fills the free places. */
  async tend(): Promise<void> {
    for (const [id, running] of this.#running) {
      const job = await this.#deps.db.jobs.get(id);
      if (job?.phase !== 'converting') running.stop();
    }
    while (this.#running.size < this.#deps.size && !this.#deps.toolsMissing() && !(await readPaused(this.#deps.db))) {
      const job = await this.#claim();
      if (!job) break;
      void this.#run(job);
    }
    if (this.#running.size === 0) for (const worker of this.#idle.splice(0)) worker.terminate();
  }

  /** Terminates everything; the jobs go on from "approved" at the next start. */
  close(): void {
    for (const running of this.#running.values()) running.stop();
    for (const worker of this.#idle.splice(0)) worker.terminate();
  }

  /** The approved file whose turn it is. */
  async #claim(): Promise<Job | null> {
    const { db } = this.#deps;
    return db.transaction('rw', jobTables(db), async () => {
      await assertEpoch(db, this.#epoch);
      const approved = await db.jobs
        .where('status')
        .equals('CONVERTING')
        .filter((job) => job.phase === 'approved')
        .toArray();
      const job = this.#turns.next(approved);
      if (!job) return null;
      this.#turns.took(job);
      return applyEvent(this.#deps, job.id, { type: 'converting' });
    });
  }

  async #run(job: Job): Promise<void> {
    let worker = this.#idle.pop() ?? this.#deps.spawn();
    let stop = (): void => undefined;
    const stopped = new Promise<'stopped'>((resolve) => {
      stop = () => resolve('stopped');
    });
    this.#running.set(job.id, { stop });
    let outcome = await Promise.race([this.#convert(worker, job, true), stopped]);
    if (outcome !== 'stopped' && !outcome.ok && outcome.failure.code === 'worker_died') {
      // What it died of may be the fast way: once more without it, in a worker that has not met the file.
      worker.terminate();
      worker = this.#deps.spawn();
      outcome = await Promise.race([this.#convert(worker, job, false), stopped]);
    }
    this.#running.delete(job.id);
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
    this.#deps.poke();
  }

  async #convert(worker: TranscodeWorker, job: Job, fast: boolean): Promise<Result<TranscodeDone>> {
    const { db, clock } = this.#deps;
    let said = 0;
    const onProgress = (share: number): void => {
      const now = clock.now();
      if (now - said < PROGRESS_EVERY_MS) return;
      said = now;
      void db.jobs
        .where('id')
        .equals(job.id)
        .and((row) => row.phase === 'converting')
        .modify({ progress: Math.min(1, Math.max(0, share)) });
    };
    try {
      const request = await this.#request(job);
      if (!request.ok) return request;
      const died = worker.died.then((error) =>
        fail<TranscodeDone>(
          failure('worker_died', `The converter stopped at "${job.original_filename}": ${error.message}`),
        ),
      );
      return await Promise.race([worker.api.transcode({ ...request.value, fast }, onProgress), died]);
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
    const settings = await this.#deps.settings();
    return {
      ok: true,
      value: {
        job_id: job.id,
        sha256: job.sha256,
        original_filename: job.original_filename,
        sample_rate: job.sample_rate,
        channels: job.channels,
        duration_ms: job.duration_ms,
        quality: VORBIS_QUALITY[settings.output_bitrate],
        tags: vorbisTags(track, album),
        cover: coverOf(job, batch),
        ...(job.segment ? { segment: { start_ms: job.segment.start_ms, end_ms: job.segment.end_ms } } : {}),
      },
    };
  }

  async #finish(job: Job, outcome: Result<TranscodeDone>): Promise<void> {
    const { db } = this.#deps;
    if (!outcome.ok && outcome.failure.code === 'offline') this.#deps.onToolsMissing();
    await db.transaction('rw', jobTables(db), async () => {
      await assertEpoch(db, this.#epoch);
      const event: JobEvent = outcome.ok
        ? {
            type: 'converted',
            sha256: outcome.value.sha256,
            size: outcome.value.size,
            duration_ms: outcome.value.duration_ms,
            conversion_reason: outcome.value.conversion_reason,
            verified: outcome.value.verified,
          }
        : notConverted(outcome.failure);
      const row = await applyEvent(this.#deps, job.id, event);
      if (row && outcome.ok) await enqueueOutbox(db, outboxItem(this.#deps, row, outcome.value, this.#epoch));
    });
  }
}

/** A converter that is not here yet is no failure of the file: it waits for it. */
function notConverted(why: Failure): JobEvent {
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
    body: {
      job_id: job.id,
      track_id: job.matched_track_id ?? '',
      sha256: done.sha256,
      size: done.size,
      duration_ms: Math.round(done.duration_ms),
      original_filename: job.original_filename,
      original_sha256: contentOf(job) ?? '',
      match_confidence: job.match_confidence ?? 0,
      match_source: job.match_source ?? 'AGENT',
      request_id: job.context_type === 'DOWNLOAD_REQUEST' ? job.context_id : null,
      replace: job.replace ?? false,
    },
  };
}

/** The file's own cover, else the one that lay in its folder, else one at the top of the batch. */
function coverOf(job: Job, batch: Batch | undefined): TranscodeRequest['cover'] {
  if (job.cover_sha256 !== null) return { sha256: job.cover_sha256, mime: job.cover_mime ?? 'image/jpeg' };
  const folder = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const covers = (batch?.companions ?? [])
    .filter((one) => one.kind === 'cover' && one.sha256 !== null)
    .sort((a, b) => coverRank(a.path) - coverRank(b.path));
  const near =
    covers.find((one) => folder(one.path) === folder(job.path)) ??
    covers.find((one) => folder(job.path).startsWith(folder(one.path)));
  if (!near?.sha256) return null;
  return { sha256: near.sha256, mime: /\.png$/i.test(near.path) ? 'image/png' : 'image/jpeg' };
}
