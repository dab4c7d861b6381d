/** Finished jobs, as the history lists and finds them. */
import type { Job } from '#core/job/job.ts';
import { db, inIndex } from '../client/db.ts';
import { laneOf } from '../lanes.ts';

export interface HistoryFilter {
  /** `all`, or one way of ending. */
  outcome: 'all' | 'available' | 'duplicate' | 'failed' | 'cancelled';
  text: string;
}

/** Finished jobs, newest first, `skip` left out and at most `limit`; and how many there are in all. */
export async function finishedJobs(
  filter: HistoryFilter,
  skip: number,
  limit: number,
): Promise<{ jobs: Job[]; total: number }> {
  const wanted = filter.text.trim().toLowerCase();
  const finished = inIndex(db.jobs, 'completed_at').reverse();
  if (filter.outcome === 'all' && wanted === '') {
    const [total, jobs] = await Promise.all([
      inIndex(db.jobs, 'completed_at').count(),
      finished.offset(skip).limit(limit).toArray(),
    ]);
    return { jobs, total };
  }
  const ids: string[] = [];
  await finished.each((job) => {
    if (endedAs(job, filter.outcome) && mentions(job, wanted)) ids.push(job.id);
  });
  const rows = await db.jobs.bulkGet(ids.slice(skip, skip + limit));
  return { jobs: rows.filter((row) => row !== undefined), total: ids.length };
}

function endedAs(job: Job, outcome: HistoryFilter['outcome']): boolean {
  if (outcome === 'all') return true;
  return job.phase === (outcome === 'available' ? 'published' : outcome);
}

function mentions(job: Job, text: string): boolean {
  if (text === '') return true;
  const words = laneOf(job)?.rows?.words(job) ?? [];
  return [job.path, job.error_message, ...words].some((part) => part?.toLowerCase().includes(text));
}
