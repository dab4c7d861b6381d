/** How far an upload is, for whoever watches. */
import { isFinished, type Job, type JobPhase } from '#core/job/job.ts';

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

const DOING: Partial<Record<JobPhase, WorkDoing>> = {
  probing: 'reading',
  searching: 'matching',
  thinking: 'asking',
  converting: 'converting',
  publishing: 'publishing',
};

/** What these jobs, which were just changed, say is done now; null: nothing that somebody watches for. */
export function doingNow(changed: readonly Job[]): Pick<WorkProgress, 'doing' | 'name' | 'job'> | null {
  const job = changed.findLast(({ phase }) => DOING[phase] !== undefined);
  const doing = job && DOING[job.phase];
  if (!doing) return null;
  return doing === 'matching' ? { doing, name: '', job: null } : { doing, name: job.original_filename, job: job.id };
}

export function countOf(jobs: readonly Job[]): Pick<WorkProgress, 'done' | 'total'> {
  const done = jobs.filter((job) => isFinished(job) || job.phase === 'review').length;
  return { done, total: jobs.length };
}
