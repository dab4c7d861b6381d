/**
 * The rows of one upload while a worker has it under a lease: in memory, and whole on the server after each save. What was
 * not saved yet is kept apart, so that a save that failed loses nothing.
 */
import { AccessionError, failed } from '#core/errors.ts';
import { archiveStatus } from '#core/job/work.ts';
import { isFinished, type Batch, type BatchArchive, type Job, type ReasoningStep } from '#core/job/job.ts';
import { lastNumber } from '#core/job/shared-steps.ts';
import type { JobRows } from '#core/run/job-store.ts';
import type { LaneMemory, LearnedRow } from '#core/run/lane-rows.ts';
import { mirroredJob, mirroredReview, mirroredStep } from '#core/sync/mirror-rows.ts';
import type { MirroredJob } from '#core/sync/protocol.ts';
import type { Claim, WorkSave, WorkState } from '#core/sync/work-protocol.ts';
import type { Clock } from '#core/ports.ts';
import { baseName, planLabel } from '#core/ingest/paths.ts';
import { MemoryJobStore, MemoryRows } from '../memory/job-store.ts';
import { readDocument, writeDocument, type UploadRows } from './document.ts';

export interface Unsaved extends Pick<WorkSave, 'document' | 'jobs' | 'steps' | 'reviews' | 'learned'> {
  /** The same rows as in `learned`, as the lanes keep them. */
  rows: ReadonlyMap<string, readonly LearnedRow[]>;
}

export class LeasedJobStore extends MemoryJobStore {
  readonly batchId: string;
  readonly #clock: Clock;
  readonly #archives = new Map<string, MirroredJob>();
  readonly #unsaved = { jobIds: new Set<string>(), reviewIds: new Set<string>(), steps: [] as ReasoningStep[] };
  #isOver = false;
  /** Calls back after each change. */
  onChange: (jobs: readonly Job[]) => void = () => undefined;
  /** Saves what is not saved yet. */
  save: () => Promise<void> = () => Promise.resolve();

  constructor(claim: Claim, lanes: Record<string, LaneMemory>, clock: Clock) {
    super(lanes);
    this.batchId = claim.batch.id;
    this.#clock = clock;
    const saved = claim.document === null ? null : readDocument(claim.document, claim.files);
    this.rows = rowsOf(saved ?? begun(claim), lanes);
    for (const job of [...claim.jobs, ...(saved?.archives ?? [])]) this.#archives.set(job.id, job);
    // The server has made the first step of each file's job.
    if (saved === null) for (const job of claim.jobs) this.rows.firstNumbers.set(job.id, 1);
  }

  /** Nothing can be changed any more: the lease is over, and another worker goes on. */
  end(): void {
    this.#isOver = true;
  }

  override change<T>(work: (rows: JobRows) => Promise<T>): Promise<T> {
    if (this.#isOver) return Promise.reject(leaseOver());
    return super.change(work);
  }

  override kept(): Promise<void> {
    return this.save();
  }

  protected override changed(before: MemoryRows, now: MemoryRows): void {
    const jobs = [...now.jobMap.values()].filter((job) => before.jobMap.get(job.id) !== job);
    for (const job of jobs) this.#unsaved.jobIds.add(job.id);
    for (const review of now.reviewMap.values())
      if (before.reviewMap.get(review.id) !== review) this.#unsaved.reviewIds.add(review.id);
    for (const [id, steps] of now.stepMap)
      if (before.stepMap.get(id) !== steps)
        this.#unsaved.steps.push(...steps.slice(before.stepMap.get(id)?.length ?? 0));
    for (const archive of this.#batch().archives) this.#noteArchive(archive);
    this.onChange(jobs);
  }

  /** Rows that the next save is the first to send. */
  get unsavedRows(): number {
    const { jobIds, reviewIds, steps } = this.#unsaved;
    return jobIds.size + reviewIds.size + steps.length;
  }

  /** Nothing moves without a person, or nothing moves any more. */
  state(): WorkState {
    // FAULT-13: what is still to come out of it is not among the rows.
    const { state, archives } = this.#batch();
    if (state === 'staging') return 'ready';
    const open = [...this.rows.jobMap.values()].filter((job) => !isFinished(job));
    if (open.length === 0 && archives.every((one) => one.done || one.error !== undefined)) return 'done';
    return open.length > 0 && open.every((job) => job.phase === 'review') ? 'waiting' : 'ready';
  }

  /** What the next save sends. It stays unsaved until `saved` is called. */
  unsaved(): Unsaved {
    const { jobIds, reviewIds, steps } = this.#unsaved;
    const { jobMap, reviewMap } = this.rows;
    const rows = new Map(Object.entries(this.#lanes()).map(([lane, kept]) => [lane, kept.unsaved?.() ?? []]));
    return {
      rows,
      learned: [...rows].flatMap(([lane, learned]) => learned.map((row) => ({ lane, ...row }))),
      document: this.#document(),
      jobs: [
        ...this.#archivesNow(),
        ...[...jobIds].flatMap((id) => {
          const job = jobMap.get(id);
          return job ? [{ ...mirroredJob(job), parent_job_id: this.#jobOfArchive(job.archive) }] : [];
        }),
      ],
      steps: steps.map(mirroredStep),
      reviews: [...reviewIds].flatMap((id) => {
        const review = reviewMap.get(id);
        return review ? [mirroredReview(review)] : [];
      }),
    };
  }

  /** This much of it was saved; what came meanwhile stays. */
  saved(sent: Unsaved): void {
    for (const [lane, kept] of Object.entries(this.#lanes())) kept.saved?.(sent.rows.get(lane) ?? []);
    const known = new Set(sent.steps.map(({ step }) => step.id));
    this.#unsaved.steps = this.#unsaved.steps.filter((step) => !known.has(step.id));
    for (const { id, updated_at } of sent.jobs)
      if ((this.rows.jobMap.get(id)?.updated_at ?? updated_at) === updated_at) this.#unsaved.jobIds.delete(id);
    for (const review of sent.reviews) {
      const now = this.rows.reviewMap.get(review.id);
      const isSame = now === undefined || JSON.stringify(mirroredReview(now)) === JSON.stringify(review);
      if (isSame) this.#unsaved.reviewIds.delete(review.id);
    }
  }

  #lanes(): Record<string, LaneMemory> {
    return this.rows.lanes as Record<string, LaneMemory>;
  }

  #batch(): Batch {
    const batch = this.rows.batchMap.get(this.batchId);
    if (batch === undefined) throw new Error('an upload without its batch');
    return batch;
  }

  #jobOfArchive(path: string | undefined): string | null {
    return this.#batch().archives.find((one) => one.path === path)?.job_id ?? null;
  }

  #noteArchive({ path, inside, job_id, size = 0 }: BatchArchive): void {
    if (job_id === undefined || this.#archives.has(job_id)) return;
    const { context_type, context_id } = this.#batch();
    const now = this.#clock.now();
    this.#archives.set(job_id, {
      ...{ id: job_id, status: 'PROCESSING', file_size_bytes: size },
      // Archives inside others are told apart by their path.
      original_filename: inside === undefined ? baseName(path) : path,
      ...{ duration_ms: null, codec: null, bitrate: null, context_id },
      context_type: context_type === 'DOWNLOAD_REQUEST' ? 'download_request' : 'spontaneous',
      ...{ matched_track_id: null, match_confidence: null, match_source: null, output_file_path: null },
      ...{ error_message: null, created_at: now, started_at: now, completed_at: null, updated_at: now },
    });
  }

  #archivesNow(): MirroredJob[] {
    const { archives } = this.#batch();
    const now = this.#clock.now();
    const jobs = [...this.rows.jobMap.values()];
    const isIn = (path: string | undefined, archive: BatchArchive): boolean =>
      path !== undefined && (path === archive.path || isIn(archives.find((one) => one.path === path)?.inside, archive));
    return archives.flatMap((archive) => {
      const job = this.#archives.get(archive.job_id ?? '');
      if (!job) return [];
      const unread = archives.filter((one) => one.error !== undefined && isIn(one.inside, archive));
      const within = [
        ...jobs.filter((one) => isIn(one.archive, archive)),
        ...unread.map(({ error = null }) => ({ status: 'FAILED' as const, error_message: error })),
      ];
      const state = { unpacked: archive.done, error: archive.error ?? null };
      const { status, error } = archiveStatus(state, within);
      const completed_at = isFinished({ status }) ? now : null;
      const parent_job_id = this.#jobOfArchive(archive.inside);
      const started_at = job.started_at ?? now;
      return [{ ...job, status, error_message: error, started_at, completed_at, updated_at: now, parent_job_id }];
    });
  }

  #document(): string {
    const { jobMap, reviewMap, outboxMap, stepMap, firstNumbers } = this.rows;
    const steps = new Map(firstNumbers);
    for (const [id, of] of stepMap) {
      const last = of.at(-1);
      steps.set(id, last ? lastNumber(last) : 0);
    }
    const ofArchives = new Set(this.#batch().archives.map(({ job_id }) => job_id));
    return writeDocument({
      batch: this.#batch(),
      jobs: [...jobMap.values()],
      reviews: [...reviewMap.values()],
      outbox: [...outboxMap.values()],
      steps: Object.fromEntries(steps),
      archives: [...this.#archives.values()].filter(({ id }) => ofArchives.has(id)),
    });
  }
}

function rowsOf({ batch, jobs, reviews, outbox, steps }: UploadRows, lanes: Record<string, LaneMemory>): MemoryRows {
  const rows = new MemoryRows(lanes);
  rows.batchMap.set(batch.id, batch);
  for (const job of jobs) rows.jobMap.set(job.id, job);
  for (const review of reviews) rows.reviewMap.set(review.id, review);
  for (const item of outbox) rows.outboxMap.set(item.key, item);
  for (const [id, number] of Object.entries(steps)) rows.firstNumbers.set(id, number);
  return rows;
}

/** The rows of an upload that nobody has worked on: the server knows its files' jobs. */
function begun({ batch, files }: Claim): UploadRows {
  const made: Batch = {
    ...{ schema_version: 1, id: batch.id, created_at: batch.created_at, state: 'staging', demo: false },
    label: batch.label === '' ? planLabel(files) : batch.label,
    context_type: batch.context_type === 'download_request' ? 'DOWNLOAD_REQUEST' : 'SPONTANEOUS',
    context_id: batch.context_id,
    ...{ total: files.length, taken: 0, archives: [], companions: [], notice: null },
  };
  return { batch: made, jobs: [], reviews: [], outbox: [], steps: {}, archives: [] };
}

/** Whoever changes rows under a lease that is over stops. */
export function leaseOver(): AccessionError {
  return failed('conflict', 'Another worker goes on with this upload.');
}
