/** Reading files: what each one is, and what lies beside or inside it. */
import { toFailure } from '../errors.ts';
import { addJob, applyEvent, touchBatch } from '../job/apply.ts';
import type { JobEvent } from '../job/events.ts';
import type { Batch, Job, JobIn } from '../job/job.ts';
import { fail } from '../result.ts';
import type { Unfolding } from './lane-run.ts';
import { isLocal, laneOf, type Station } from './ports.ts';

/** Probes the next waiting file. Answers false when there is none, or while work is paused. */
export async function probeNext(station: Station): Promise<boolean> {
  const { store } = station;
  if (station.toolsMissing() || station.signal.aborted || (await station.paused())) return false;
  const job = await store.change(async (rows) => {
    const next = await rows.firstIn('queued');
    return next ? applyEvent(rows, station, next.id, { type: 'probe' }) : null;
  });
  if (job?.phase !== 'probing') return false;
  const event = await probed(station, job);
  if (event) await store.change((rows) => applyEvent(rows, station, job.id, event));
  return true;
}

/** null: the run is over, and its next holder probes the file again. */
async function probed(station: Station, job: JobIn<'probing'>): Promise<JobEvent | null> {
  const outcome = await laneOf(station, job)
    .probe(job, station.signal)
    .catch((error: unknown) => fail<JobEvent>(toFailure(error, job.original_filename)));
  if (station.signal.aborted) return null;
  if (outcome.ok) return outcome.value;
  const why = { ...outcome.failure, subject: job.original_filename };
  const then = isLocal(why) ? station.onLocalFailure(why) : 'fail';
  if (then === 'fail') return { type: 'failed', failure: why };
  if (then === 'wait') station.onToolsMissing();
  else station.stopWith(why);
  return { type: 'unprobed', why: why.message };
}

/**
 * Looks at what lies beside or inside the next file that may be divided or described by it. It waits until the whole drop
 * is read in, since a sheet may come after its file. Answers false when there is none.
 */
export async function unfoldNext(station: Station): Promise<boolean> {
  const { store } = station;
  const fresh = (await store.jobsIn('PROCESSING')).filter((job) => laneOf(station, job).mayUnfold?.(job) ?? false);
  const batches = new Map<string, { batch: Batch; jobs: Job[] } | null>();
  for (const job of fresh) {
    if (job.phase !== 'grouping') continue;
    const known = batches.get(job.batch_id) ?? (await batchOf(station, job.batch_id));
    batches.set(job.batch_id, known);
    if (known?.batch.state !== 'staged') continue;
    const unfolding = await laneOf(station, job).unfold?.(job, known.batch, known.jobs);
    if (!unfolding) continue;
    await unfold(station, job, unfolding);
    return true;
  }
  return false;
}

async function batchOf({ store }: Station, id: string): Promise<{ batch: Batch; jobs: Job[] } | null> {
  const batch = await store.batch(id);
  return batch ? { batch, jobs: await store.jobsOfBatch(id) } : null;
}

/** The whole of it, or nothing, in one change. */
async function unfold(station: Station, job: Job, { event, parts, companions }: Unfolding): Promise<void> {
  const { store, clock, ids } = station;
  await store.change(async (rows) => {
    const batch = await rows.batch(job.batch_id);
    const applied = batch && (await applyEvent(rows, station, job.id, event));
    if (!batch || !applied) return;
    const others = parts(() => ids.next(), clock.now());
    for (const part of others) await addJob(rows, station, part.job, part.steps);
    const [total, taken] = [batch.total + others.length, batch.taken + others.length];
    await rows.putBatch({ ...batch, total, taken, companions });
    await touchBatch(rows, batch.id);
  });
}
