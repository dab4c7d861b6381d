/**
 * A workflow is kept on its leading job. Every save is one transaction: the epoch is checked, the job must still be
 * thinking about this very doubt, and what the journal gained becomes steps of the job's log (AGENT-41).
 */
import { AccessionError, failure } from '#core/errors.ts';
import type { AgentFinding } from '#core/music/agent/doubt.ts';
import type { Job } from '#core/job/job.ts';
import { appendSteps } from '../steps.ts';
import type { AgentEngine, DoubtWorkflow } from './agent-engine.ts';
import { isEnded, workflowOf } from './agent-work.ts';
import { assertEpoch, jobTables, touchBatch, type PipelineContext } from './apply.ts';

export interface SaveContext extends PipelineContext {
  engine: Pick<AgentEngine, 'steps' | 'finding'>;
}

/** True for what a save throws when the job was cancelled, answered or decided meanwhile: the run is of no use any more. */
export function isGone(error: unknown): boolean {
  return error instanceof AccessionError && error.failure.code === 'cancelled';
}

/** Puts a workflow in the place of the stored one of the same doubt: another model is asked from the start. */
export async function replaceWorkflow(context: SaveContext, epoch: number, workflow: DoubtWorkflow): Promise<void> {
  await write(context, epoch, workflow, (stored) => stored.input.key === workflow.input.key, true);
}

/**
 * Persists what the run has reached; with its end goes the finding, on every job of the doubt, which is matched again.
 * Throws `conflict` when the lock was lost, `cancelled` when the doubt is gone.
 */
export async function saveWorkflow(context: SaveContext, epoch: number, workflow: DoubtWorkflow): Promise<void> {
  await write(context, epoch, workflow, (stored) => stored.id === workflow.id, false);
}

/**
 * Inside the caller's transaction: the finding goes to the doubt's jobs that still think, the others than the leading
 * one get a line that points there, and the batch is matched again.
 */
export async function putFinding(
  context: PipelineContext,
  workflow: DoubtWorkflow,
  finding: AgentFinding,
): Promise<number> {
  const { db, clock, ids } = context;
  const [leadId] = workflow.input.file_ids;
  const now = clock.now();
  let batchId: string | null = null;
  let found = 0;
  for (const job of await db.jobs.bulkGet(workflow.input.file_ids)) {
    if (job?.phase !== 'thinking') continue;
    batchId = job.batch_id;
    found += 1;
    const agent = { ...finding, rounds: (job.agent?.rounds ?? 0) + 1 };
    await db.jobs.put({ ...job, agent, updated_at: Math.max(now, job.updated_at + 1) });
    if (job.id === leadId) continue;
    await appendSteps(db, ids, now, job.id, [
      {
        step_type: 'Decision',
        content: pointerSentence(finding),
        metadata: { lead_job_id: leadId, workflow_id: workflow.id, answer: finding.answer, why: finding.why },
      },
    ]);
  }
  if (batchId !== null) await touchBatch(db, batchId, { rematch: true });
  return found;
}

async function write(
  context: SaveContext,
  epoch: number,
  workflow: DoubtWorkflow,
  mayReplace: (stored: DoubtWorkflow) => boolean,
  anew: boolean,
): Promise<void> {
  const { db, clock, ids, engine } = context;
  const [leadId = ''] = workflow.input.file_ids;
  await db.transaction('rw', jobTables(db), async () => {
    await assertEpoch(db, epoch);
    const job = await db.jobs.get(leadId);
    const stored = workflowOf(job);
    if (!isThinking(job) || stored === null || isEnded(stored) || !mayReplace(stored)) {
      throw new AccessionError(failure('cancelled', 'This doubt was settled in another way.'));
    }
    const now = clock.now();
    const known = anew ? 0 : stored.journal.length;
    await db.jobs.put({
      ...job,
      workflow_state: JSON.stringify(workflow),
      updated_at: Math.max(now, job.updated_at + 1),
    });
    await appendSteps(db, ids, now, leadId, engine.steps(workflow.journal, known));
    if (isEnded(workflow)) await putFinding(context, workflow, engine.finding(workflow));
  });
}

function isThinking(job: Job | undefined): job is Job {
  return job?.phase === 'thinking';
}

function pointerSentence(finding: AgentFinding): string {
  if (finding.failed !== null) return `The agent did not answer: ${finding.failed}`;
  return 'The agent answered for these files together; its steps are in the log of the first of them';
}
