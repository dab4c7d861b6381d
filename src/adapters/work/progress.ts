/** How far an upload is, for whoever watches. */
import { isFinished } from '#core/job/job.ts';
import type { WorkRows } from './rows.ts';

export type WorkDoing = 'fetching' | 'reading' | 'matching' | 'asking' | 'converting' | 'publishing';

export interface WorkProgress {
  doing: WorkDoing;
  /** Name of the file in hand; '' where it is about all of them. */
  name: string;
  /** Its job; null before it has one. */
  job: string | null;
  /** Files that need nothing more, or a person. */
  done: number;
  /** Files that are known by now. */
  total: number;
}

export function progressOf(
  rows: Pick<WorkRows, 'jobs'>,
  doing: WorkDoing,
  { name = '', job = null }: { name?: string; job?: string | null },
): WorkProgress {
  const jobs = rows.jobs();
  const done = jobs.filter((job) => isFinished(job) || job.phase === 'review').length;
  return { doing, name, job, done, total: jobs.length };
}
