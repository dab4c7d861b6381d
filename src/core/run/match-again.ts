import { touchBatch } from '../job/apply.ts';
import type { JobRows } from './job-store.ts';

/** What is asked about is matched again, but for `except`: a drop that is seen to otherwise. Answers how many drops. */
export async function matchOpenAgain(rows: JobRows, except: string | null = null): Promise<number> {
  const open = new Set((await rows.jobsIn('AWAITING_REVIEW')).map((job) => job.batch_id));
  if (except !== null) open.delete(except);
  for (const id of open) await touchBatch(rows, id, { rematch: true });
  return open.size;
}
