import type { ReasoningStep } from '#core/job/job.ts';
import type { StepDraft } from '#core/job/transitions.ts';
import type { Ids } from '#core/ports.ts';
import type { AccessionDb } from './db.ts';

/**
 * Appends steps to a job's reasoning log with the next numbers. Call it inside a read-write transaction
 * that includes `steps`, so that numbers are unique and the log never disagrees with the job row.
 */
export async function appendSteps(
  db: AccessionDb,
  ids: Ids,
  now: number,
  jobId: string,
  steps: readonly StepDraft[],
): Promise<void> {
  if (steps.length === 0) return;
  const last = await db.steps.where('[job_id+step_number]').between([jobId, 0], [jobId, Infinity]).last();
  let number = last?.step_number ?? 0;
  const rows: ReasoningStep[] = steps.map((step) => ({
    id: ids.next(),
    job_id: jobId,
    step_number: ++number,
    timestamp: now,
    step_type: step.step_type,
    content: step.content,
    metadata: step.metadata ?? {},
    duration_ms: step.duration_ms ?? null,
  }));
  await db.steps.bulkAdd(rows);
}
