/** Finished jobs, as the history lists, finds and sorts them. */
import type { Job } from '#core/job/job.ts';
import { db, inIndex } from '../client/db.ts';
import { laneOf } from '../lanes.ts';
import { hasWords } from '../list/has-words.ts';

export interface HistoryFilter {
  /** `all`, or one way of ending. */
  outcome: 'all' | 'available' | 'duplicate' | 'failed' | 'cancelled';
  text: string;
  order: 'newest' | 'oldest' | 'name';
}

/** Finished jobs in their order, `skip` left out and at most `limit`; and how many there are in all. */
export async function finishedJobs(
  filter: HistoryFilter,
  skip: number,
  limit: number,
): Promise<{ jobs: Job[]; total: number }> {
  const mentions = hasWords(filter.text);
  const byTime = inIndex(db.jobs, 'completed_at');
  const finished = filter.order === 'oldest' ? byTime : byTime.reverse();
  const isPlain = filter.outcome === 'all' && filter.text.trim() === '';
  if (isPlain && filter.order !== 'name') {
    const [total, jobs] = await Promise.all([
      inIndex(db.jobs, 'completed_at').count(),
      finished.offset(skip).limit(limit).toArray(),
    ]);
    return { jobs, total };
  }
  const found: Pick<Job, 'id' | 'path'>[] = [];
  await finished.each((job) => {
    if (endedAs(job, filter.outcome) && (isPlain || mentions(textsOf(job)))) found.push({ id: job.id, path: job.path });
  });
  if (filter.order === 'name') found.sort((a, b) => byName.compare(a.path, b.path));
  const rows = await db.jobs.bulkGet(found.slice(skip, skip + limit).map(({ id }) => id));
  return { jobs: rows.filter((row) => row !== undefined), total: found.length };
}

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

function endedAs(job: Job, outcome: HistoryFilter['outcome']): boolean {
  if (outcome === 'all') return true;
  return job.phase === (outcome === 'available' ? 'published' : outcome);
}

const textsOf = (job: Job) => [job.path, job.error_message, ...(laneOf(job)?.rows?.words(job) ?? [])];
