/**
 * The rows of one upload while a worker has it: in memory, and whole on the server after each save. Changes go through
 * the core's transitions, as in the app; what was not saved yet is told apart, so that a save that failed loses nothing.
 */
import { AccessionError, failure } from '#core/errors.ts';
import { archiveStatus, type ArchiveState } from '#core/job/archive-job.ts';
import { isFinished, type Batch, type Job, type ReasoningStep } from '#core/job/job.ts';
import type { Review } from '#core/job/review.ts';
import { transition, type JobEvent, type StepDraft } from '#core/job/transitions.ts';
import type { Clock, Ids } from '#core/ports.ts';
import type { MirroredJob } from '#core/sync/protocol.ts';
import type { WorkSave, WorkState } from '#core/sync/work-protocol.ts';
import { mirroredJob, mirroredReview, mirroredStep } from '../browser/mirror-rows.ts';

/** An archive's own job; it has no audio and takes no part in matching. */
export interface ArchiveRow extends ArchiveState {
  job: MirroredJob;
}

/** What is saved. 1: first form. */
interface Saved {
  schema_version: 1;
  batch: Batch;
  jobs: Job[];
  archives: ArchiveRow[];
  reviews: Review[];
  /** Of each job, the number of its last step. */
  steps: Record<string, number>;
  /** Of what came out of an archive, the archive's job. */
  parents: Record<string, string>;
}

export class WorkRows {
  batch: Batch;
  readonly #jobs = new Map<string, Job>();
  readonly #archives = new Map<string, ArchiveRow>();
  readonly #reviews = new Map<string, Review>();
  readonly #numbers = new Map<string, number>();
  readonly #parents = new Map<string, string>();
  readonly #using: { clock: Clock; ids: Ids };
  #unsaved = {
    jobs: new Set<string>(),
    reviews: new Set<string>(),
    steps: [] as ReasoningStep[],
  };

  constructor(batch: Batch, using: { clock: Clock; ids: Ids }) {
    this.batch = batch;
    this.#using = using;
  }

  /** What another worker saved. Throws AccessionError `invalid` for a form that this release does not know. */
  static read(document: string, using: { clock: Clock; ids: Ids }): WorkRows {
    // Written by `document()` alone, of this or an earlier release.
    const saved = JSON.parse(document) as Saved;
    if (saved.schema_version !== 1)
      throw new AccessionError(failure('invalid', 'This upload was begun by a newer release of the worker.'));
    const rows = new WorkRows(saved.batch, using);
    for (const job of saved.jobs) rows.#jobs.set(job.id, job);
    for (const archive of saved.archives) rows.#archives.set(archive.job.id, archive);
    for (const review of saved.reviews) rows.#reviews.set(review.id, review);
    for (const [id, number] of Object.entries(saved.steps)) rows.#numbers.set(id, number);
    for (const [id, parent] of Object.entries(saved.parents)) rows.#parents.set(id, parent);
    return rows;
  }

  jobs(): Job[] {
    return [...this.#jobs.values()];
  }

  job(id: string): Job | undefined {
    return this.#jobs.get(id);
  }

  reviews(): Review[] {
    return [...this.#reviews.values()];
  }

  archives(): ArchiveRow[] {
    return [...this.#archives.values()];
  }

  /** A job that the server knows already has its first step there. */
  addJob(
    job: Job,
    options: {
      parent?: string | null;
      steps?: readonly StepDraft[];
      known?: boolean;
    } = {},
  ): void {
    this.#jobs.set(job.id, job);
    if (options.parent) this.#parents.set(job.id, options.parent);
    if (options.known === true) this.#numbers.set(job.id, 1);
    this.#unsaved.jobs.add(job.id);
    this.log(job.id, options.steps ?? []);
  }

  addArchive(job: MirroredJob, known: boolean, steps: readonly StepDraft[] = []): void {
    this.#archives.set(job.id, { job, unpacked: false, error: null });
    if (known) this.#numbers.set(job.id, 1);
    this.log(job.id, steps);
  }

  changeArchive(id: string, change: Partial<ArchiveState>): void {
    const archive = this.#archives.get(id);
    if (archive) this.#archives.set(id, { ...archive, ...change });
  }

  /** The archive's job that this job or archive came out of. */
  parentOf(id: string): string | null {
    return this.#parents.get(id) ?? null;
  }

  setParent(id: string, parent: string): void {
    this.#parents.set(id, parent);
  }

  /** The row after the event, or null where the event does not fit it. */
  apply(
    id: string,
    event: JobEvent,
    options: { before?: readonly StepDraft[]; patch?: Partial<Job> } = {},
  ): Job | null {
    const job = this.#jobs.get(id);
    const next = job && transition(job, event, this.#using.clock.now());
    if (!next) return null;
    const row = { ...next.job, ...options.patch };
    this.#put(row);
    this.log(id, [...(options.before ?? []), ...next.steps]);
    return row;
  }

  patch(id: string, patch: Partial<Job>): void {
    const job = this.#jobs.get(id);
    if (job)
      this.#put({
        ...job,
        ...patch,
        updated_at: Math.max(this.#using.clock.now(), job.updated_at + 1),
      });
  }

  #put(job: Job): void {
    this.#jobs.set(job.id, job);
    this.#unsaved.jobs.add(job.id);
  }

  log(jobId: string, drafts: readonly StepDraft[]): void {
    const { clock, ids } = this.#using;
    for (const { step_type, content, metadata = {}, duration_ms = null } of drafts) {
      const step_number = (this.#numbers.get(jobId) ?? 0) + 1;
      this.#numbers.set(jobId, step_number);
      const step = {
        id: ids.next(),
        job_id: jobId,
        step_number,
        timestamp: clock.now(),
        duration_ms,
      };
      this.#unsaved.steps.push({ ...step, step_type, content, metadata });
    }
  }

  putReview(review: Review): void {
    this.#reviews.set(review.id, review);
    this.#unsaved.reviews.add(review.id);
  }

  review(id: string): Review | undefined {
    return this.#reviews.get(id);
  }

  /** Nothing moves without a person, or nothing moves any more. */
  state(): WorkState {
    // FAULT-13: what is still to come out of it is not among the rows.
    if (this.batch.state === 'staging') return 'ready';
    const open = this.jobs().filter((job) => !isFinished(job));
    if (open.length === 0 && this.archives().every((one) => one.unpacked || one.error !== null)) return 'done';
    return open.length > 0 && open.every((job) => job.phase === 'review') ? 'waiting' : 'ready';
  }

  /** What the next save sends. It stays unsaved until `saved` is called. */
  unsaved(): Pick<WorkSave, 'document' | 'jobs' | 'steps' | 'reviews'> {
    const { jobs, reviews, steps } = this.#unsaved;
    return {
      document: this.#document(),
      jobs: [
        ...this.#archivesNow(),
        ...[...jobs].flatMap((id) => {
          const job = this.#jobs.get(id);
          return job ? [{ ...mirroredJob(job), parent_job_id: this.parentOf(id) }] : [];
        }),
      ],
      steps: steps.map(mirroredStep),
      reviews: [...reviews].flatMap((id) => {
        const review = this.#reviews.get(id);
        return review ? [mirroredReview(review)] : [];
      }),
    };
  }

  /** How many steps `unsaved` told: those that came meanwhile stay. */
  saved(told: Pick<WorkSave, 'jobs' | 'steps' | 'reviews'>): void {
    const known = new Set(told.steps.map(({ step }) => step.id));
    this.#unsaved.steps = this.#unsaved.steps.filter((step) => !known.has(step.id));
    for (const { id, updated_at } of told.jobs)
      if ((this.#jobs.get(id)?.updated_at ?? updated_at) === updated_at) this.#unsaved.jobs.delete(id);
    for (const { id, resolved_at } of told.reviews)
      if (this.#reviews.get(id)?.resolved_at === resolved_at) this.#unsaved.reviews.delete(id);
  }

  #archivesNow(): MirroredJob[] {
    const now = this.#using.clock.now();
    return this.archives().map((archive) => {
      const { job } = archive;
      const children = this.jobs().filter((one) => this.#isInside(one.id, job.id));
      const { status, error } = archiveStatus(archive, children);
      const ended = status === 'COMPLETED' || status === 'FAILED';
      return {
        ...job,
        status,
        error_message: error,
        started_at: job.started_at ?? now,
        completed_at: ended ? now : null,
        updated_at: now,
        parent_job_id: this.parentOf(job.id),
      };
    });
  }

  #isInside(id: string, archive: string): boolean {
    for (let at = this.parentOf(id); at !== null; at = this.parentOf(at)) if (at === archive) return true;
    return false;
  }

  #document(): string {
    const saved: Saved = {
      schema_version: 1,
      batch: this.batch,
      jobs: this.jobs(),
      archives: this.archives(),
      reviews: this.reviews(),
      steps: Object.fromEntries(this.#numbers),
      parents: Object.fromEntries(this.#parents),
    };
    return JSON.stringify(saved);
  }
}
