/**
 * Every write of staging. One file is taken in by one change over the job, its steps and the batch's count, so that a kill
 * at any instant leaves a file either wholly taken in or not at all.
 */
import { failed, type Failure, type FailureCode } from '../../errors.ts';
import { addJob, addSteps } from '../../job/apply.ts';
import type { JobEvent } from '../../job/events.ts';
import type { Batch, BatchArchive, Companion, Job, StepDraft } from '../../job/job.ts';
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

export async function createBatch(
  { store, clock }: RowPorts,
  facts: Pick<Batch, 'id' | 'label' | 'context_type' | 'context_id' | 'total' | 'demo'>,
): Promise<void> {
  await store.change((rows) =>
    rows.putBatch({
      ...{ schema_version: 1, created_at: clock.now(), state: 'staging', taken: 0 },
      ...{ archives: [], companions: [], notice: null },
      ...facts,
    }),
  );
}

/** A staged original: a waiting job of the lane, or a duplicate of one that has the same content. */
export async function takeJob(
  ports: RowPorts,
  batchId: string,
  lane: string,
  file: TakenFile & { sha256: string },
): Promise<void> {
  await changeBatch(ports, batchId, async (rows, batch) => {
    // What failed or was cancelled may be dropped again; a duplicate is never the first.
    const twin = (await rows.jobsOfContent(file.sha256)).find(
      (job) => job.phase !== 'duplicate' && job.status !== 'FAILED',
    );
    const repeats: JobEvent | null =
      twin === undefined ? null : { type: 'duplicate', of: twin.id, reason: sameContent(twin, batch), freed: true };
    const event: JobEvent | null = isStopped(batch, file.archive) ? { type: 'cancelled' } : repeats;
    await putJob(rows, ports, batch, { ...file, lane }, event);
    return countTaken(batch, file.replaces);
  });
}

/** A file that could not be taken in. Its content is not here, so there is nothing that Retry could do. */
export async function takeFailed(ports: RowPorts, batchId: string, file: TakenFile, why: Failure): Promise<void> {
  await changeBatch(ports, batchId, async (rows, batch) => {
    await putJob(rows, ports, batch, file, { type: 'failed', failure: { ...why, retryable: false } });
    return countTaken(batch, file.replaces);
  });
}

export async function takeCompanion(
  ports: RowPorts,
  batchId: string,
  companion: Companion,
  replaces?: string,
): Promise<void> {
  await changeBatch(ports, batchId, async (rows, batch) => {
    if (replaces !== undefined) await rows.deleteJobs([replaces]);
    return countTaken({ ...batch, companions: [...batch.companions, companion] }, replaces);
  });
}

/** An archive whose blob is stored: from now on a reload can go on with it. `steps`: for its own job, where it has one. */
export async function addArchive(
  ports: RowPorts,
  batchId: string,
  archive: Pick<BatchArchive, 'path' | 'sha256' | 'kind' | 'inside' | 'job_id' | 'size'>,
  { replaces, steps = [] }: { replaces?: string | undefined; steps?: readonly StepDraft[] } = {},
): Promise<void> {
  await changeBatch(ports, batchId, async (rows, batch) => {
    if (archive.job_id !== undefined) await addSteps(rows, ports, archive.job_id, steps);
    const known = batch.archives.find((one) => one.path === archive.path);
    if (known) {
      // Its copy was gone, and is here again.
      const archives = batch.archives.map((one) => (one === known ? { ...one, sha256: archive.sha256 } : one));
      return { ...batch, archives };
    }
    const end = isStopped(batch, archive.inside) ? { done: true, error: 'cancelled' } : { done: false };
    const archives = [...batch.archives, { ...archive, ...end, entries: null }];
    if (replaces === undefined) return { ...batch, archives };
    // The failed row was counted as taken; the archive is not, until its files are.
    await rows.deleteJobs([replaces]);
    return { ...batch, archives, taken: batch.taken - 1 };
  });
}

/** Counts an archive's files instead of the archive, once. */
export async function countEntries(ports: RowPorts, batchId: string, path: string, entries: number): Promise<void> {
  await changeBatch(ports, batchId, (_rows, batch) => {
    const archive = batch.archives.find((one) => one.path === path);
    if (archive === undefined || archive.entries !== null) return batch;
    return { ...withArchive(batch, path, { entries }), total: batch.total + entries - 1 };
  });
}

/**
 * Everything of the archive is rows; with `failed`, the archive is one failed row itself. Counts which of its files
 * (`paths`) failed for want of a password or of space: for them the archive is kept. Answers whether it is.
 */
export async function closeArchive(
  ports: RowPorts,
  batchId: string,
  path: string,
  end: { paths: ReadonlySet<string> } | { failed: { file: TakenFile; why: Failure } },
): Promise<boolean> {
  let kept = false;
  await changeBatch(ports, batchId, async (rows, batch) => {
    const archive = batch.archives.find((one) => one.path === path);
    if ('failed' in end) {
      const { file, why } = end.failed;
      if (archive?.job_id !== undefined) {
        const { code, message, remedy } = why;
        const step = { step_type: 'Error' as const, content: message, metadata: { code, remedy } };
        await addSteps(rows, ports, archive.job_id, [step]);
        return withArchive(batch, path, { done: true, error: message });
      }
      await putJob(rows, ports, batch, file, { type: 'failed', failure: { ...why, retryable: false } });
      return { ...withArchive(batch, path, { done: true }), taken: batch.taken + 1 };
    }
    if (archive === undefined) return batch;
    const jobs = await waitingJobs(rows, batchId, end.paths);
    const count = (code: FailureCode): number => jobs.filter((job) => job.failure?.code === code).length;
    kept = jobs.length > 0;
    const waiting = { password: count('archive_encrypted'), space: count('storage_full') };
    return withArchive(batch, path, { done: true, ...(kept ? { waiting } : {}) });
  });
  return kept;
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

/** Takes an archive up again whose files wait; a reload from here on ends with the same rows as before. */
export async function reopenArchive(ports: RowPorts, batchId: string, path: string): Promise<void> {
  // What else was lost is said anew at its end.
  await changeWaiting(ports, batchId, path, (batch) => ({
    ...withArchive(batch, path, { done: false }),
    state: 'staging',
    notice: null,
  }));
}

/** Its files stay failed rows, and nobody is asked any more. */
export async function forgetWaiting(ports: RowPorts, batchId: string, path: string): Promise<void> {
  await changeWaiting(ports, batchId, path, (batch) => batch);
}

async function changeWaiting(
  { store }: RowPorts,
  batchId: string,
  path: string,
  change: (batch: Batch) => Batch,
): Promise<void> {
  await store.change(async (rows) => {
    const batch = await rows.batch(batchId);
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
export async function finishBatch(ports: RowPorts, batchId: string, { lost }: { lost: boolean }): Promise<void> {
  await changeBatch(ports, batchId, (_rows, batch) => {
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
export async function askToCancel({ store }: RowPorts, batchId: string): Promise<boolean> {
  return store.change(async (rows) => {
    const batch = await rows.batch(batchId);
    if (batch?.state !== 'staging') return false;
    await rows.putBatch({ ...batch, notice: `Cancelled after ${batch.taken} of ${batch.total} files.` });
    return true;
  });
}

/** Ends a cancelled batch: every file that was not taken in is a cancelled row. */
export async function cancelRest(ports: RowPorts, batchId: string, rest: readonly TakenFile[]): Promise<void> {
  await ports.store.change(async (rows) => {
    const batch = await rows.batch(batchId);
    if (batch?.state !== 'staging') return;
    for (const file of rest) await putJob(rows, ports, batch, file, { type: 'cancelled' });
    const archives = batch.archives.map((archive) => ({ ...archive, done: true }));
    const ended = { state: 'staged', taken: batch.taken + rest.length, notice: batch.notice ?? 'Cancelled.' } as const;
    await rows.putBatch({ ...batch, archives, ...ended });
  });
}

/** Paths of a batch that are rows already. */
export async function takenPaths({ store }: Pick<RowPorts, 'store'>, batchId: string): Promise<Set<string>> {
  const batch = await store.batch(batchId);
  const jobs = await store.jobsOfBatch(batchId);
  const others = [...(batch?.companions ?? []), ...(batch?.archives ?? [])];
  return new Set([...jobs.map(arrivedAs), ...others.map(({ path }) => path)]);
}

/** The path of the file that the job is about. A part of a divided one lies in a folder that is called as the file. */
export function arrivedAs({ path, segment }: Job): string {
  if (segment === undefined) return path;
  const ending = /\.[^./]{1,5}$/.exec(path)?.[0] ?? '';
  return `${path.slice(0, path.lastIndexOf('/'))}${ending}`;
}

/** Throws AccessionError `cancelled` when the batch is not to be staged any more, and changes nothing then. */
async function changeBatch(
  { store }: RowPorts,
  batchId: string,
  change: (rows: JobRows, batch: Batch) => Promise<Batch> | Batch,
): Promise<void> {
  await store.change(async (rows) => {
    const batch = await rows.batch(batchId);
    if (batch === undefined || batch.state !== 'staging' || batch.notice !== null)
      throw failed('cancelled', 'cancelled');
    await rows.putBatch(await change(rows, batch));
  });
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

async function putJob(
  rows: JobRows,
  ports: RowPorts,
  batch: Batch,
  file: TakenFile & { lane?: string },
  event: JobEvent | null,
): Promise<void> {
  const job = newJob({
    id: file.replaces ?? file.job_id ?? ports.ids.next(),
    now: ports.clock.now(),
    batch,
    original_filename: file.name,
    path: file.path,
    file_size_bytes: file.size,
    sha256: file.sha256,
    lane: file.lane,
    archive: file.archive,
  });
  // What the server made a job of has its first step there.
  await addJob(rows, ports, job, file.job_id === undefined ? file.steps : [], event);
}

function sameContent(twin: Job, batch: Batch): string {
  const where = twin.batch_id === batch.id ? 'in the same drop' : 'taken in before';
  return `the same content (SHA-256) as "${twin.original_filename}", ${where}`;
}
