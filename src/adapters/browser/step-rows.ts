/** The logs of jobs in IndexedDB; steps of a whole group are there once (core/job/shared-steps.ts). */
import type { ReasoningStep, SameSteps } from '#core/job/job.ts';
import { wholeLog } from '#core/job/shared-steps.ts';
import type { AccessionDb } from './db.ts';

type StepTable = Pick<AccessionDb, 'steps'>;

/** The rows of a job as they are stored, in order. `after`: those behind this number. */
export function ownSteps({ steps }: StepTable, jobId: string, after = 0) {
  return steps.where('[job_id+step_number]').between([jobId, after], [jobId, Infinity], false, true);
}

/** The rows that a row stands for. */
export function sameSteps({ steps }: StepTable, { job_id, step_number, count }: SameSteps): Promise<ReasoningStep[]> {
  const [from, to] = [step_number, step_number + count];
  return steps.where('[job_id+step_number]').between([job_id, from], [job_id, to], true, false).toArray();
}

/** A job's log as it is shown. `after`: what is behind this number; `limit`: so many rows at most. */
export async function readLog(db: StepTable, jobId: string, after = 0, limit = Infinity): Promise<ReasoningStep[]> {
  const rows = ownSteps(db, jobId, after);
  const found = await (limit === Infinity ? rows : rows.limit(limit)).toArray();
  return wholeLog(found, (same) => sameSteps(db, same));
}
