/** What a worker has reached, taken over in one transaction under its lease. */
import type { MirroredJob, MirroredReview } from '#core/sync/protocol.ts';
import type { WorkSave } from '#core/sync/work-protocol.ts';
import { HttpError } from '../http/http-error.ts';
import { jobRow, jobsAbout, putReview, reviewRow, stepRow, keepEnd, keepReviewEnd } from '../ingest/job-records.ts';
import { JobChanges, noteUpdates } from '../ingest/updates.ts';
import { chunks, findRow, findRows, idsOf, upsert } from '../store/rows.ts';
import type { Tx, WorkBatchTable } from '../store/schema.ts';
import { writeDocument, type SaveBody } from './document-parts.ts';
import { keepLearned } from './learned.ts';
import { holdLease, LEASE_MS } from './lease.ts';
import { readNews } from './news.ts';

type WorkStep = WorkSave['steps'][number];

/** What a job's worker has brought to an end, for now. */
const RESTS: ReadonlySet<string> = new Set(['COMPLETED', 'FAILED', 'AWAITING_REVIEW']);

/**
 * Keeps document, jobs, steps, reviews and what was learned. What a person ended and what was committed stays so whatever
 * the worker says, and the first answer to a question counts; the batch stays `ready` until the worker knows of it. Throws
 * HttpError 409 where the lease is over or the save is not the next one.
 */
export async function saveWork(
  tx: Tx,
  leaseId: string,
  save: SaveBody,
  { now, sha256 }: { now: number; sha256: string },
): Promise<WorkBatchTable> {
  const batch = await holdLease(tx, leaseId, now + LEASE_MS);
  // Its answer was lost on the way.
  if (batch.revision === save.revision + 1 && batch.saved_sha256 === sha256) return batch;
  if (batch.revision !== save.revision)
    throw new HttpError('conflict', `This is save ${save.revision}; the upload is at ${batch.revision}.`, {
      details: { revision: batch.revision },
    });
  const changes = new JobChanges();
  const { unreported, goneOn } = await takeJobs(tx, batch, save.jobs, changes);
  await takeSteps(tx, batch, save.steps, changes);
  for (const review of save.reviews) await takeReview(tx, batch, review, changes);
  await keepLearned(tx, batch.user_id, save.learned);
  const { answers } = await readNews(tx, batch.id);
  const state = unreported || answers.length > 0 ? 'ready' : save.state;
  const progress = { saved_sha256: sha256, lost: goneOn ? 0 : batch.lost };
  const saved = { ...progress, revision: batch.revision + 1, state, updated_at: now };
  await writeDocument(tx, { id: batch.id, revision: saved.revision }, save.document);
  await tx.updateTable('work_batches').set(saved).where('id', '=', batch.id).execute();
  if (save.release || state === 'done') await holdLease(tx, leaseId, null);
  await noteUpdates(tx, changes);
  return { ...batch, ...saved };
}

/**
 * `unreported`: the worker does not know of a job that was ended. `goneOn`: a job is new, or finished, or asks: what no
 * worker does a second time.
 */
async function takeJobs(
  tx: Tx,
  batch: WorkBatchTable,
  jobs: Iterable<MirroredJob>,
  changes: JobChanges,
): Promise<{ unreported: boolean; goneOn: boolean }> {
  let unreported = false;
  let goneOn = false;
  for (const part of chunks(jobs)) {
    const known = await findRows(tx, 'ingestion_jobs', idsOf(part));
    for (const job of part) {
      const before = known.get(job.id);
      if (before && before.batch_id !== batch.id)
        throw new HttpError('conflict', `The job "${job.id}" belongs to another upload.`);
      const own = jobRow(job, batch.user_id, batch.id);
      // The server's own numbering of what came first: a worker's clock may be anything.
      const row = keepEnd({ ...own, created_at: before?.created_at ?? own.created_at }, before);
      unreported ||= row.status !== job.status;
      goneOn ||= before === undefined || (before.status !== row.status && RESTS.has(row.status));
      await upsert(tx, 'ingestion_jobs', [row]);
      if (before?.status !== row.status) changes.note(job.id);
    }
  }
  return { unreported, goneOn };
}

async function takeSteps(tx: Tx, batch: WorkBatchTable, steps: Iterable<WorkStep>, changes: JobChanges): Promise<void> {
  // Of a job that was named once nothing more is asked.
  const own = new Set<string>();
  for (const part of chunks(steps, 9, 500)) {
    await refuseStrays(tx, batch, newTo(own, part));
    const latest = new Map(part.map(({ job_id, step }) => [step.id, stepRow(step, job_id)]));
    const there = tx
      .selectFrom('ingestion_steps')
      .select(['id', 'job_id'])
      .where('id', 'in', [...latest.keys()]);
    for (const { id, job_id } of await there.execute()) {
      if (latest.get(id)?.job_id !== job_id) throw new HttpError('conflict', `The step "${id}" is another job's.`);
      latest.delete(id);
    }
    const fresh = [...latest.values()];
    if (fresh.length > 0) await tx.insertInto('ingestion_steps').values(fresh).execute();
    for (const { id, job_id } of fresh) changes.note(job_id, id);
  }
}

/** The jobs of these steps that are not known yet; they are from now on. */
function newTo(known: Set<string>, steps: readonly WorkStep[]): string[] {
  const fresh = [...new Set(steps.map((step) => step.job_id))].filter((id) => !known.has(id));
  for (const id of fresh) known.add(id);
  return fresh;
}

/** A lease is about the jobs of its upload: 422 for any other, known or not. */
async function refuseStrays(tx: Tx, batch: WorkBatchTable, jobIds: readonly string[]): Promise<void> {
  for (const part of chunks([...new Set(jobIds)])) {
    const own = tx.selectFrom('ingestion_jobs').select('id').where('id', 'in', part).where('batch_id', '=', batch.id);
    const known = new Set(idsOf(await own.execute()));
    const stray = part.find((id) => !known.has(id));
    if (stray !== undefined)
      throw new HttpError('invalid', `The upload has no job "${stray}".`, { status: 422, details: { job_id: stray } });
  }
}

async function takeReview(tx: Tx, batch: WorkBatchTable, review: MirroredReview, changes: JobChanges): Promise<void> {
  const before = await findRow(tx, 'ingestion_reviews', review.id);
  if (before && before.user_id !== batch.user_id)
    throw new HttpError('conflict', `The review "${review.id}" belongs to another user.`);
  await refuseStrays(tx, batch, [review.job_id, ...review.job_ids, ...(before ? [before.job_id] : [])]);
  const row = keepReviewEnd(reviewRow(review, batch.user_id), before, review);
  const answered = before !== undefined && before.resolved_at !== null && Number(before.acknowledged) === 0;
  if (answered && before.selected_option !== review.selected_option) return;
  await putReview(tx, row, review);
  if (!before || before.resolved_at !== row.resolved_at) for (const job_id of jobsAbout(review)) changes.note(job_id);
}
