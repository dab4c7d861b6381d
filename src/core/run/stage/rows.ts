/**
 * Every write of staging. One file is taken in by one change over the job, its steps and the batch's count, so that a kill
 * at any instant leaves a file either wholly taken in or not at all.
 */
import { failed, type Failure, type FailureCode } from '../../errors.ts';
import { addJob, addSteps, applyEvent } from '../../job/apply.ts';
import type { JobEvent } from '../../job/events.ts';
import { isFinished, type Batch, type BatchArchive, type Companion, type Job, type StepDraft } from '../../job/job.ts';
import { newJob } from '../../job/new-job.ts';
import type { JobReader, JobRows } from '../job-store.ts';
import type { StagePorts } from './ports.ts';

export interface TakenFile {
  path: string;
  /** As it was called on arrival. */
  name: string;
  /** Bytes. */
  size: number;
  /** Null when its content was not staged. */
  sha256: string | null;
  /** What its first steps say. */
  steps: StepDraft[];
  /** The failed row of an earlier try: this one takes its place and goes on with its trace. */
  replaces?: string | undefined;
  /** The job that the server has made for it already, with its first step. */
  job_id?: string | undefined;
  /** Path of the archive that it came out of, where archives have jobs of their own. */
  archive?: string | undefined;
}

type RowPorts = Pick<StagePorts, 'store' | 'ids' | 'clock'>;

/** One batch, as staging writes it. */
export class BatchRows {
  readonly #ports: RowPorts;
  readonly #id: string;

  constructor(ports: RowPorts, id: string) {
    this.#ports = ports;
    this.#id = id;
  }

  async create(
    facts: Pick<Batch, 'label' | 'context_type' | 'context_id' | 'total' | 'companions' | 'demo'>,
  ): Promise<void> {
    const { store, clock } = this.#ports;
    await store.change((rows) =>
      rows.putBatch({
        ...{ id: this.#id, schema_version: 1, created_at: clock.now(), state: 'staging', taken: 0 },
        ...{ archives: [], notice: null },
        ...facts,
      }),
    );
  }

  /** A staged original: a waiting job of the lane, or a duplicate of one that has the same content. */
  async takeJob(lane: string, file: TakenFile & { sha256: string }): Promise<void> {
    await this.#change(async (rows, batch) => {
      // What failed or was cancelled may be dropped again; a duplicate is never the first.
      const twin = (await rows.jobsOfContent(file.sha256)).find(
        (job) => job.phase !== 'duplicate' && job.status !== 'FAILED',
      );
      const repeats: JobEvent | null =
        twin === undefined ? null : { type: 'duplicate', of: twin.id, reason: sameContent(twin, batch), freed: true };
      const event: JobEvent | null = isStopped(batch, file.archive) ? { type: 'cancelled' } : repeats;
      await this.#makeJob(rows, batch, { ...file, lane }, event);
      return countTaken(batch, file.replaces);
    });
  }

  /** A file that could not be taken in. Its content is not here, so there is nothing that Retry could do. */
  async takeFailed(file: TakenFile, why: Failure): Promise<void> {
    await this.#change(async (rows, batch) => {
      await this.#makeJob(rows, batch, file, { type: 'failed', failure: { ...why, retryable: false } });
      return countTaken(batch, file.replaces);
    });
  }

  async takeCompanion(companion: Companion, replaces?: string): Promise<void> {
    await this.#change(async (rows, batch) => {
      if (replaces !== undefined) await rows.deleteJobs([replaces]);
      return countTaken({ ...batch, companions: [...batch.companions, companion] }, replaces);
    });
  }

  /** An archive whose blob is stored: from now on a reload can go on with it. `steps`: for its own job, where it has one. */
  async addArchive(
    archive: Pick<BatchArchive, 'path' | 'sha256' | 'kind' | 'inside' | 'job_id' | 'size'>,
    { replaces, steps = [] }: { replaces?: string | undefined; steps?: readonly StepDraft[] } = {},
  ): Promise<void> {
    await this.#change(async (rows, batch) => {
      if (archive.job_id !== undefined) await addSteps(rows, this.#ports, archive.job_id, steps);
      // Its copy was gone, and is here again.
      if (batch.archives.some((one) => one.path === archive.path))
        return withArchive(batch, archive.path, { sha256: archive.sha256 });
      const end = isStopped(batch, archive.inside) ? { done: true, error: 'cancelled' } : { done: false };
      const archives = [...batch.archives, { ...archive, ...end, entries: null }];
      if (replaces === undefined) return { ...batch, archives };
      // The failed row was counted as taken; the archive is not, until its files are.
      await rows.deleteJobs([replaces]);
      return { ...batch, archives, taken: batch.taken - 1 };
    });
  }

  /** Counts an archive's files instead of the archive, once. */
  async countEntries(path: string, entries: number): Promise<void> {
    await this.#change((_rows, batch) => {
      const archive = batch.archives.find((one) => one.path === path);
      if (archive === undefined || archive.entries !== null) return batch;
      return { ...withArchive(batch, path, { entries }), total: batch.total + entries - 1 };
    });
  }

  /**
   * Everything of the archive is rows. Counts which of its files (`paths`) failed for want of a password or of space:
   * for them the archive is kept. Answers whether it is.
   */
  async closeArchive(path: string, paths: ReadonlySet<string>): Promise<boolean> {
    let kept = false;
    await this.#change(async (rows, batch) => {
      const jobs = await waitingJobs(rows, this.#id, paths);
      const count = (code: FailureCode): number => jobs.filter((job) => job.failure?.code === code).length;
      kept = jobs.length > 0 && batch.archives.some((one) => one.path === path);
      const waiting = { password: count('archive_encrypted'), space: count('storage_full') };
      return withArchive(batch, path, { done: true, ...(kept ? { waiting } : {}) });
    });
    return kept;
  }

  /** The archive could not be opened: it is one failed row itself. */
  async failArchive(path: string, file: TakenFile, why: Failure): Promise<void> {
    await this.#change(async (rows, batch) => {
      const archive = batch.archives.find((one) => one.path === path);
      if (archive?.job_id !== undefined) {
        const { code, message, remedy } = why;
        const step = { step_type: 'Error' as const, content: message, metadata: { code, remedy } };
        await addSteps(rows, this.#ports, archive.job_id, [step]);
        return withArchive(batch, path, { done: true, error: message });
      }
      await this.#makeJob(rows, batch, file, { type: 'failed', failure: { ...why, retryable: false } });
      return { ...withArchive(batch, path, { done: true }), taken: batch.taken + 1 };
    });
  }

  /** Before an upload's files are stored again: archives are unpacked anew where something out of them is not finished. */
  async reopenUnfinished(): Promise<void> {
    await this.#change(async (rows, batch) => {
      const jobs = await rows.jobsOfBatch(this.#id);
      const wanted = new Set(jobs.filter((job) => !isFinished(job)).map((job) => job.archive));
      // Behind one that lies in another, the other.
      for (const path of wanted) wanted.add(batch.archives.find((one) => one.path === path)?.inside);
      const open = ({ path, done, error }: BatchArchive): boolean => !done || (error === undefined && wanted.has(path));
      return { ...batch, archives: batch.archives.map((one) => ({ ...one, done: !open(one) })) };
    });
  }

  /** What was taken in before cannot be read any more: it fails, and what of an archive is not finished fails with it. */
  async failAgain(path: string, why: Failure): Promise<void> {
    await this.#change(async (rows, batch) => {
      const failed = { type: 'failed', failure: why } as const;
      const lost = new Set([path]);
      for (const at of lost) for (const one of batch.archives) if (one.inside === at) lost.add(one.path);
      for (const job of await rows.jobsOfBatch(this.#id))
        if (arrivedAs(job) === path || lost.has(job.archive ?? '')) await applyEvent(rows, this.#ports, job.id, failed);
      const isOver = (one: BatchArchive): boolean => lost.has(one.path) && one.error === undefined;
      const archives = batch.archives.map((one) => (isOver(one) ? { ...one, done: true, error: why.message } : one));
      return { ...batch, archives };
    });
  }

  /** Takes an archive up again whose files wait; a reload from here on ends with the same rows as before. */
  async reopenArchive(path: string): Promise<void> {
    // What else was lost is said anew at its end.
    await this.#changeWaiting(path, (batch) => ({
      ...withArchive(batch, path, { done: false }),
      state: 'staging',
      notice: null,
    }));
  }

  /** Its files stay failed rows, and nobody is asked any more. */
  async forgetWaiting(path: string): Promise<void> {
    await this.#changeWaiting(path, (batch) => batch);
  }

  async #changeWaiting(path: string, change: (batch: Batch) => Batch): Promise<void> {
    await this.#ports.store.change(async (rows) => {
      const batch = await rows.batch(this.#id);
      if (batch?.state !== 'staged') return;
      const archives = batch.archives.map((one) => {
        const { waiting, ...rest } = one;
        return one.path === path && waiting !== undefined ? rest : one;
      });
      if (archives.every((one, at) => one === batch.archives[at])) return;
      await rows.putBatch(change({ ...batch, archives }));
    });
  }

  /** The batch is whole; what was lost on the way is said. `lost`: nothing can be, where all files are at hand. */
  async finish({ lost }: { lost: boolean }): Promise<void> {
    await this.#change((_rows, batch) => {
      const { taken, total } = batch;
      if (!lost) return { ...batch, state: 'staged', taken: total };
      if (taken >= total) return { ...batch, state: 'staged' };
      const notice =
        taken === 0
          ? `The page was closed before any of the ${total} files was taken in; drop them again.`
          : `The page was closed after ${taken} of ${total} files; drop the rest again.`;
      return { ...batch, state: 'staged', notice };
    });
  }

  /** Writes down that the person wants no more of it; whoever stages the batch sees it with its next write. */
  async askToCancel(): Promise<boolean> {
    return this.#ports.store.change(async (rows) => {
      const batch = await rows.batch(this.#id);
      if (batch?.state !== 'staging') return false;
      await rows.putBatch({ ...batch, notice: `Cancelled after ${batch.taken} of ${batch.total} files.` });
      return true;
    });
  }

  /** Ends a cancelled batch: every file that was not taken in is a cancelled row. */
  async cancelRest(rest: readonly TakenFile[]): Promise<void> {
    await this.#ports.store.change(async (rows) => {
      const batch = await rows.batch(this.#id);
      if (batch?.state !== 'staging') return;
      for (const file of rest) await this.#makeJob(rows, batch, file, { type: 'cancelled' });
      const archives = batch.archives.map((archive) => ({ ...archive, done: true }));
      const ended = {
        state: 'staged',
        taken: batch.taken + rest.length,
        notice: batch.notice ?? 'Cancelled.',
      } as const;
      await rows.putBatch({ ...batch, archives, ...ended });
    });
  }

  /**
   * What came along went somewhere else than its batch says. `paths` null: all that is called so. Bytes that were kept for
   * where it was are let go.
   */
  async sendCompanions(
    { paths, kind }: { paths: readonly string[] | null; kind: string },
    now: Pick<Companion, 'kind' | 'outcome'>,
  ): Promise<void> {
    const wanted = paths === null ? null : new Set(paths);
    await this.#ports.store.change(async (rows) => {
      const batch = await rows.batch(this.#id);
      if (batch === undefined) return;
      const companions = batch.companions.map((one) =>
        one.kind === kind && wanted?.has(one.path) !== false ? { ...one, ...now, sha256: null } : one,
      );
      await rows.putBatch({ ...batch, companions });
    });
  }

  /** Paths of the batch that are rows already. */
  async taken(): Promise<Set<string>> {
    const { store } = this.#ports;
    const batch = await store.batch(this.#id);
    const jobs = await store.jobsOfBatch(this.#id);
    const others = [...(batch?.companions ?? []), ...(batch?.archives ?? [])];
    return new Set([...jobs.map(arrivedAs), ...others.map(({ path }) => path)]);
  }

  /** Whether a file is a row that something is still to be done with. */
  async isUnfinished(path: string): Promise<boolean> {
    const jobs = await this.#ports.store.jobsOfBatch(this.#id);
    return jobs.some((job) => arrivedAs(job) === path && !isFinished(job));
  }

  async archives(): Promise<BatchArchive[]> {
    return (await this.#ports.store.batch(this.#id))?.archives ?? [];
  }

  async archive(path: string): Promise<BatchArchive | undefined> {
    return (await this.archives()).find((one) => one.path === path);
  }

  /** Throws AccessionError `cancelled` when the batch is not to be staged any more, and changes nothing then. */
  async #change(change: (rows: JobRows, batch: Batch) => Promise<Batch> | Batch): Promise<void> {
    await this.#ports.store.change(async (rows) => {
      const batch = await rows.batch(this.#id);
      if (batch === undefined || batch.state !== 'staging' || batch.notice !== null)
        throw failed('cancelled', 'cancelled');
      await rows.putBatch(await change(rows, batch));
    });
  }

  async #makeJob(
    rows: JobRows,
    batch: Batch,
    { name, size, steps, replaces, job_id, ...file }: TakenFile & { lane?: string },
    event: JobEvent | null,
  ): Promise<void> {
    const { ids, clock } = this.#ports;
    const id = replaces ?? job_id ?? ids.next();
    const job = newJob({ id, now: clock.now(), batch, original_filename: name, file_size_bytes: size, ...file });
    // What the server made a job of has its first step there.
    await addJob(rows, this.#ports, job, job_id === undefined ? steps : [], event);
  }
}

/** The failed rows among `paths` that can be taken in after all: with a password, or when there is space. */
export async function waitingJobs(
  rows: Pick<JobReader, 'jobsOfBatch'>,
  batchId: string,
  paths: ReadonlySet<string>,
): Promise<Job[]> {
  const waits = (job: Job): boolean =>
    job.status === 'FAILED' && (job.failure.code === 'archive_encrypted' || job.failure.code === 'storage_full');
  return (await rows.jobsOfBatch(batchId)).filter((job) => waits(job) && paths.has(job.path));
}

/** The path of the file that the job is about. A part of a divided one lies in a folder that is called as the file. */
export function arrivedAs({ path, segment }: Job): string {
  if (segment === undefined) return path;
  const ending = /\.[^./]{1,5}$/.exec(path)?.[0] ?? '';
  return `${path.slice(0, path.lastIndexOf('/'))}${ending}`;
}

/** The archive that a file came out of was cancelled meanwhile. */
function isStopped(batch: Batch, archive: string | undefined): boolean {
  return batch.archives.some((one) => one.path === archive && one.error !== undefined);
}

function countTaken(batch: Batch, replaces: string | undefined): Batch {
  return replaces === undefined ? { ...batch, taken: batch.taken + 1 } : batch;
}

function withArchive(batch: Batch, path: string, patch: Partial<BatchArchive>): Batch {
  return { ...batch, archives: batch.archives.map((one) => (one.path === path ? { ...one, ...patch } : one)) };
}

function sameContent(twin: Job, batch: Batch): string {
  const where = twin.batch_id === batch.id ? 'in the same drop' : 'taken in before';
  return `the same content (SHA-256) as "${twin.original_filename}", ${where}`;
}
