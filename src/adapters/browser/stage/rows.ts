/**
 * Every write of staging. One file is taken in by one read-write transaction over the job, its steps and
 * the batch's count, so that a kill at any instant leaves a file either wholly taken in or not at all.
 */
import { AccessionError, failure, type Failure, type FailureCode } from '#core/errors.ts';
import type { Batch, BatchArchive, Companion, Job } from '#core/job/job.ts';
import { newJob } from '#core/job/new-job.ts';
import { transition, type JobEvent, type StepDraft } from '#core/job/transitions.ts';
import { appendSteps } from '../steps.ts';
import type { StageDeps } from './context.ts';

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
  replaces?: string;
}

type RowDeps = Pick<StageDeps, 'db' | 'ids' | 'clock'>;

export async function createBatch(
  deps: RowDeps,
  facts: Pick<Batch, 'id' | 'label' | 'context_type' | 'context_id' | 'total' | 'demo'>,
): Promise<Batch> {
  const batch: Batch = {
    schema_version: 1,
    created_at: deps.clock.now(),
    state: 'staging',
    taken: 0,
    archives: [],
    companions: [],
    notice: null,
    ...facts,
  };
  await deps.db.batches.add(batch);
  return batch;
}

/** A staged original: a waiting job, or a duplicate of one that has the same content. */
export async function takeAudio(deps: RowDeps, batchId: string, file: TakenFile & { sha256: string }): Promise<void> {
  await changeBatch(deps, batchId, async (batch) => {
    // What failed or was cancelled may be dropped again; a duplicate is never the first.
    const twin = await deps.db.jobs
      .where('sha256')
      .equals(file.sha256)
      .filter((job) => job.phase !== 'duplicate' && job.status !== 'FAILED')
      .first();
    const event: JobEvent | null =
      twin === undefined ? null : { type: 'duplicate', of: twin.id, reason: sameContent(twin, batch) };
    await addJob(deps, batch, file, event, twin === undefined ? {} : { temp_file_path: null });
    countTaken(batch, file.replaces);
  });
}

/** A file that could not be taken in. Its content is not here, so there is nothing that Retry could do. */
export async function takeFailed(deps: RowDeps, batchId: string, file: TakenFile, why: Failure): Promise<void> {
  await changeBatch(deps, batchId, async (batch) => {
    await addJob(deps, batch, file, { type: 'failed', failure: { ...why, retryable: false } });
    countTaken(batch, file.replaces);
  });
}

export async function takeCompanion(
  deps: RowDeps,
  batchId: string,
  companion: Companion,
  replaces?: string,
): Promise<void> {
  await changeBatch(deps, batchId, async (batch) => {
    batch.companions.push(companion);
    await removeJob(deps, replaces);
    countTaken(batch, replaces);
  });
}

/** An archive whose blob is stored: from now on a reload can go on with it. */
export async function addArchive(
  deps: RowDeps,
  batchId: string,
  archive: Pick<BatchArchive, 'path' | 'sha256' | 'kind' | 'inside'>,
  replaces?: string,
): Promise<void> {
  await changeBatch(deps, batchId, async (batch) => {
    batch.archives.push({ ...archive, done: false, entries: null });
    if (replaces === undefined) return;
    // The failed row was counted as taken; the archive is not, until its files are.
    await removeJob(deps, replaces);
    batch.taken -= 1;
  });
}

/** Counts an archive's files instead of the archive, once. */
export async function countEntries(deps: RowDeps, batchId: string, path: string, entries: number): Promise<void> {
  await changeBatch(deps, batchId, async (batch) => {
    const archive = batch.archives.find((one) => one.path === path);
    if (archive === undefined || archive.entries !== null) return;
    archive.entries = entries;
    batch.total += entries - 1;
  });
}

/**
 * Everything of the archive is rows; with `failed`, the archive is one failed row itself. Counts which of its files
 * (`paths`) failed for want of a password or of space: for them the archive is kept. Answers whether it is.
 */
export async function closeArchive(
  deps: RowDeps,
  batchId: string,
  path: string,
  end: { paths: ReadonlySet<string> } | { failed: { file: TakenFile; why: Failure } },
): Promise<boolean> {
  let kept = false;
  await changeBatch(deps, batchId, async (batch) => {
    const archive = batch.archives.find((one) => one.path === path);
    if (archive !== undefined) archive.done = true;
    if ('failed' in end) {
      const { file, why } = end.failed;
      await addJob(deps, batch, file, { type: 'failed', failure: { ...why, retryable: false } });
      batch.taken += 1;
      return;
    }
    if (archive === undefined) return;
    const jobs = await waitingJobs(deps, batchId, end.paths);
    const count = (code: FailureCode): number => jobs.filter((job) => job.failure?.code === code).length;
    if (jobs.length > 0) archive.waiting = { password: count('archive_encrypted'), space: count('storage_full') };
    kept = jobs.length > 0;
  });
  return kept;
}

/** The failed rows among `paths` that can be taken in after all: with a password, or when there is space. */
export async function waitingJobs(deps: RowDeps, batchId: string, paths: ReadonlySet<string>): Promise<Job[]> {
  const jobs = await deps.db.jobs.where('batch_id').equals(batchId).toArray();
  const waits = (job: Job): boolean =>
    job.status === 'FAILED' && (job.failure?.code === 'archive_encrypted' || job.failure?.code === 'storage_full');
  return jobs.filter((job) => waits(job) && paths.has(job.path));
}

/** Takes an archive up again whose files wait; a reload from here on ends with the same rows as before. */
export async function reopenArchive(deps: RowDeps, batchId: string, path: string): Promise<void> {
  await changeWaiting(deps, batchId, path, (batch, archive) => {
    archive.done = false;
    batch.state = 'staging';
    // What else was lost is said anew at its end.
    batch.notice = null;
  });
}

/** Its files stay failed rows, and nobody is asked any more. */
export async function forgetWaiting(deps: RowDeps, batchId: string, path: string): Promise<void> {
  await changeWaiting(deps, batchId, path, () => undefined);
}

async function changeWaiting(
  { db }: RowDeps,
  batchId: string,
  path: string,
  change: (batch: Batch, archive: BatchArchive) => void,
): Promise<void> {
  await db.transaction('rw', db.batches, async () => {
    const batch = await db.batches.get(batchId);
    const archive = batch?.archives.find((one) => one.path === path);
    if (batch === undefined || archive?.waiting === undefined || batch.state !== 'staged') return;
    delete archive.waiting;
    change(batch, archive);
    await db.batches.put(batch);
  });
}

/** The batch is whole; what was lost on the way is said. */
export async function finishBatch(deps: RowDeps, batchId: string): Promise<void> {
  await changeBatch(deps, batchId, async (batch) => {
    batch.state = 'staged';
    if (batch.taken >= batch.total) return;
    batch.notice =
      batch.taken === 0
        ? `The page was closed before any of the ${batch.total} files was taken in; drop them again.`
        : `The page was closed after ${batch.taken} of ${batch.total} files; drop the rest again.`;
  });
}

/** Writes down that the person wants no more of it; whoever stages the batch sees it with its next write. */
export async function askToCancel(deps: RowDeps, batchId: string): Promise<boolean> {
  return deps.db.transaction('rw', deps.db.batches, async () => {
    const batch = await deps.db.batches.get(batchId);
    if (batch === undefined || batch.state !== 'staging') return false;
    await deps.db.batches.update(batchId, { notice: `Cancelled after ${batch.taken} of ${batch.total} files.` });
    return true;
  });
}

/** Ends a cancelled batch: every file that was not taken in is a cancelled row. */
export async function cancelRest(deps: RowDeps, batchId: string, rest: readonly TakenFile[]): Promise<void> {
  const { db } = deps;
  await db.transaction('rw', [db.batches, db.jobs, db.steps], async () => {
    const batch = await db.batches.get(batchId);
    if (batch === undefined || batch.state !== 'staging') return;
    for (const file of rest) {
      const job = await addJob(deps, batch, file, { type: 'cancelled' });
      const why = failure('cancelled', 'cancelled', { subject: file.name, remedy: 'Drop the file again.' });
      await db.jobs.update(job.id, { failure: { ...why, retryable: false } });
    }
    for (const archive of batch.archives) archive.done = true;
    batch.taken += rest.length;
    batch.state = 'staged';
    batch.notice ??= 'Cancelled.';
    await db.batches.put(batch);
  });
}

/** Paths of a batch that are rows already. */
export async function takenPaths(deps: RowDeps, batchId: string): Promise<Set<string>> {
  const batch = await deps.db.batches.get(batchId);
  const jobs = await deps.db.jobs.where('batch_id').equals(batchId).toArray();
  const parts = [jobs, batch?.companions ?? [], batch?.archives ?? []];
  return new Set(parts.flatMap((rows) => rows.map((row) => row.path)));
}

/** Throws AccessionError `cancelled` when the batch is not to be staged any more, and changes nothing then. */
async function changeBatch(deps: RowDeps, batchId: string, change: (batch: Batch) => Promise<void>): Promise<void> {
  const { db } = deps;
  await db.transaction('rw', [db.batches, db.jobs, db.steps], async () => {
    const batch = await db.batches.get(batchId);
    if (batch === undefined || batch.state !== 'staging' || batch.notice !== null) {
      throw new AccessionError(failure('cancelled', 'cancelled'));
    }
    await change(batch);
    await db.batches.put(batch);
  });
}

function countTaken(batch: Batch, replaces: string | undefined): void {
  if (replaces === undefined) batch.taken += 1;
}

async function removeJob({ db }: RowDeps, id: string | undefined): Promise<void> {
  if (id === undefined) return;
  await db.jobs.delete(id);
  await db.steps.where('job_id').equals(id).delete();
}

async function addJob(
  deps: RowDeps,
  batch: Batch,
  file: TakenFile,
  event: JobEvent | null,
  patch: Partial<Job> = {},
): Promise<Job> {
  const now = deps.clock.now();
  const job = newJob({
    id: file.replaces ?? deps.ids.next(),
    now,
    batch,
    original_filename: file.name,
    path: file.path,
    file_size_bytes: file.size,
    sha256: file.sha256,
  });
  const after = event === null ? null : transition(job, event, now);
  const row = { ...(after?.job ?? job), ...patch };
  await deps.db.jobs.put(row);
  await appendSteps(deps.db, deps.ids, now, job.id, [...file.steps, ...(after?.steps ?? [])]);
  return row;
}

function sameContent(twin: Job, batch: Batch): string {
  const where = twin.batch_id === batch.id ? 'in the same drop' : 'taken in before';
  return `the same content (SHA-256) as "${twin.original_filename}", ${where}`;
}
