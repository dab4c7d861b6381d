import { canPause } from '#core/job/job.ts';
import { jobTables, type PipelineContext } from './apply.ts';

/**
 * JOB-12: marks files whose conversion is to come or under way; who converts sees it at the next poke, in any tab.
 * Answers how many changed.
 */
export async function pauseJobs({ db, clock }: PipelineContext, jobIds: string[], paused: boolean): Promise<number> {
  return db.transaction('rw', jobTables(db), async () => {
    let changed = 0;
    for (const id of jobIds) {
      const job = await db.jobs.get(id);
      if (!job || !canPause(job) || (job.paused === true) === paused) continue;
      await db.jobs.update(id, { paused, updated_at: Math.max(clock.now(), job.updated_at + 1) });
      changed += 1;
    }
    return changed;
  });
}
