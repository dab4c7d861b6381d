/** Finished jobs, as the history lists, finds and sorts them. */
import type { Job } from '#core/job/job.ts';
import { db, inIndex } from '../client/db.ts';
import { historyIndex, type HistoryFilter } from './history-index.ts';

/** Rows that are read at once. */
const AT_ONCE = 500;

/** Whether the filter shows the index of the database as it is. */
export const isPlain = ({ outcome, text, order }: HistoryFilter): boolean =>
  outcome === 'all' && text.trim() === '' && order !== 'name';

/** Finished jobs in their order, `skip` left out and at most `limit`; and how many there are in all. */
export async function finishedJobs(
  filter: HistoryFilter,
  skip: number,
  limit: number,
): Promise<{ jobs: Job[]; total: number }> {
  if (isPlain(filter) && Number.isFinite(limit)) {
    const byTime = inIndex(db.jobs, 'completed_at');
    const [total, jobs] = await Promise.all([
      inIndex(db.jobs, 'completed_at').count(),
      (filter.order === 'oldest' ? byTime : byTime.reverse()).offset(skip).limit(limit).toArray(),
    ]);
    return { jobs, total };
  }
  const found = await historyIndex.find(filter);
  const jobs: Job[] = [];
  for (let at = skip; at < Math.min(found.length, skip + limit); at += AT_ONCE) {
    const part = found.slice(at, Math.min(at + AT_ONCE, skip + limit));
    for (const job of await db.jobs.bulkGet(part)) if (job !== undefined) jobs.push(job);
  }
  return { jobs, total: found.length };
}
