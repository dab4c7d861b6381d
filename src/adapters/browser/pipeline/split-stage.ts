/**
 * Album images: a file with a CUE sheet in it or beside it goes on as one job a track. It waits until the whole drop is
 * read in, since the sheet may come after the file.
 */
import { hasOpenSheet, judgeSheets, trackOfImage, withUsedSheet, type SheetVerdict } from '#core/job/cue-verdict.ts';
import type { Batch, Job } from '#core/job/job.ts';
import { appendSteps } from '../steps.ts';
import { applyEvent, assertEpoch, jobTables, touchBatch, type PipelineContext } from './apply.ts';

/** Looks at the sheets of the next file that has any. Answers false when there is none. */
export async function splitNext(deps: PipelineContext, epoch: number): Promise<boolean> {
  const { db } = deps;
  const fresh = await db.jobs.where('status').equals('PROCESSING').filter(hasOpenSheet).toArray();
  const batches = new Map<string, { batch: Batch; jobs: Job[] }>();
  for (const job of fresh) {
    const known = batches.get(job.batch_id) ?? (await batchOf(deps, job.batch_id));
    if (!known) continue;
    batches.set(job.batch_id, known);
    const verdict = known.batch.state === 'staged' ? await judgeSheets(job, known.batch, known.jobs, hashOf) : null;
    if (!verdict) continue;
    await apply(deps, epoch, job, verdict);
    return true;
  }
  return false;
}

async function batchOf({ db }: PipelineContext, id: string): Promise<{ batch: Batch; jobs: Job[] } | null> {
  const batch = await db.batches.get(id);
  return batch ? { batch, jobs: await db.jobs.where('batch_id').equals(id).toArray() } : null;
}

/** The whole split, or nothing of it, in one transaction. */
async function apply(deps: PipelineContext, epoch: number, job: Job, verdict: SheetVerdict): Promise<void> {
  const { db } = deps;
  await db.transaction('rw', jobTables(db), async () => {
    await assertEpoch(db, epoch);
    const batch = await db.batches.get(job.batch_id);
    const applied = batch && (await applyEvent(deps, job.id, verdict.event));
    if (!batch || !applied) return;
    const others = verdict.segments.slice(1);
    const now = deps.clock.now();
    for (const segment of others) {
      const made = trackOfImage(job, segment, verdict.event, { id: deps.ids.next(), now, batch });
      if (!made) continue;
      await db.jobs.add(made.job);
      await appendSteps(db, deps.ids, now, made.job.id, made.steps);
    }
    batch.total += others.length;
    batch.taken += others.length;
    batch.companions = withUsedSheet(batch, job, verdict);
    await db.batches.put(batch);
    await touchBatch(db, batch.id);
  });
}

/** Not inside a transaction: that would end at the foreign await. */
async function hashOf(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
