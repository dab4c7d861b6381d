/** Finished jobs, as the history lists, finds and sorts them. */
import type { Job } from '#core/job/job.ts';
import { foldText } from '#core/text/fold.ts';
import { db, inIndex } from '../client/db.ts';
import { laneOf } from '../lanes.ts';

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
  const wanted = foldText(filter.text).split(' ').filter(Boolean);
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
    if (endedAs(job, filter.outcome) && (isPlain || mentions(job, wanted))) found.push({ id: job.id, path: job.path });
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

/** Each word is somewhere in what is known of it, in any order and writing. Signs alone find nothing. */
function mentions(job: Job, wanted: readonly string[]): boolean {
  const words = laneOf(job)?.rows?.words(job) ?? [];
  const texts = [job.path, job.error_message, ...words].flatMap((part) => (part ? [foldText(part)] : []));
  return wanted.length > 0 && wanted.every((word) => texts.some((text) => text.includes(word)));
}
