import type { AccessionDb } from '#adapters/browser/db.ts';
import type { ReasoningStep } from '#core/job/job.ts';
import { rowsOfAny } from '../client/db.ts';

/** So much later than its time a step may be written, in milliseconds: several workers write, each in its own turn. */
const LATE_MS = 30_000;

/**
 * The reasoning logs of a whole drop in the order of time. Steps are only ever added: after the first read only those of
 * files that are new and those of the last half minute are read, however long the log is.
 */
export class BatchSteps {
  readonly #db: AccessionDb;
  readonly #batchId: string;
  #jobs: ReadonlySet<string> = new Set();
  #known = new Set<string>();
  #steps: readonly ReasoningStep[] = [];

  constructor(db: AccessionDb, batchId: string) {
    this.#db = db;
    this.#batchId = batchId;
  }

  /** Everything that is known now; the same array where nothing came. */
  async read(): Promise<readonly ReasoningStep[]> {
    const { jobs, steps } = this.#db;
    const ids = await jobs.where('batch_id').equals(this.#batchId).primaryKeys();
    const now = new Set(ids);
    const since = (this.#steps.at(-1)?.timestamp ?? Infinity) - LATE_MS;
    const [ofNew, late] = await Promise.all([
      rowsOfAny(
        steps,
        'job_id',
        ids.filter((id) => !this.#jobs.has(id)),
      ),
      steps.where('timestamp').aboveOrEqual(since).toArray(),
    ]);
    const fresh = [...new Map([...ofNew, ...late].map((step) => [step.id, step])).values()].filter(
      // Of a drop they are shown once, with the first of the files.
      (step) => step.same_as === undefined && now.has(step.job_id) && !this.#known.has(step.id),
    );
    const gone = [...this.#jobs].some((id) => !now.has(id));
    this.#jobs = now;
    if (fresh.length > 0 || gone) {
      this.#steps = [...this.#steps.filter((step) => now.has(step.job_id)), ...fresh].sort(
        (a, b) => a.timestamp - b.timestamp || a.job_id.localeCompare(b.job_id) || a.step_number - b.step_number,
      );
      this.#known = new Set(this.#steps.map((step) => step.id));
    }
    return this.#steps;
  }
}
