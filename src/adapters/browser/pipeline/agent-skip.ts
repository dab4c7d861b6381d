import type { AgentFinding } from '#core/music/agent/doubt.ts';
import { appendSteps } from '../steps.ts';
import type { DoubtWorkflow } from './agent-engine.ts';
import { putFinding } from './agent-save.ts';
import { asWork, openWork } from './agent-work.ts';
import { jobTables, type PipelineContext } from './apply.ts';

/** What a doubt ends with when no model answered it. `why` is one sentence. */
export function unansweredFinding(workflow: DoubtWorkflow, why: string): AgentFinding {
  return {
    key: workflow.input.key,
    workflow_id: workflow.id,
    answer: 'failed',
    why: '',
    model: workflow.model,
    recorded: workflow.recorded,
    agreement: 0,
    confidence: 0,
    failed: why,
    looked_up: [],
  };
}

/** Ends a workflow without an answer, inside the caller's transaction. Answers how many jobs it was about. */
export async function endUnanswered(
  context: PipelineContext,
  workflow: DoubtWorkflow,
  why: string,
  step: 'Error' | 'ReviewAnswer',
): Promise<number> {
  const { db, clock, ids } = context;
  const work = asWork(await db.jobs.get(workflow.input.file_ids[0] ?? ''));
  if (work?.workflow.id !== workflow.id) return 0;
  const ended: DoubtWorkflow = {
    ...work.workflow,
    state: { type: 'Completed', result: { action: null, decided_by: 'nobody', why } },
    updated_at: clock.now(),
  };
  await db.jobs.update(work.lead.id, { workflow_state: JSON.stringify(ended) });
  await appendSteps(db, ids, clock.now(), work.lead.id, [
    { step_type: step, content: why, metadata: { workflow_id: workflow.id } },
  ]);
  return putFinding(context, workflow, unansweredFinding(workflow, why));
}

/**
 * The person answers these jobs' doubts themselves: the run is stopped (its next save is refused) and each doubt is a
 * review as soon as the batch was matched again. Answers how many jobs that frees.
 */
export async function skipAgent(context: PipelineContext, jobIds: string[]): Promise<number> {
  const { db } = context;
  return db.transaction('rw', jobTables(db), async () => {
    const wanted = new Set(jobIds);
    const { work } = await openWork(context);
    let skipped = 0;
    for (const { workflow } of work) {
      if (!workflow.input.file_ids.some((id) => wanted.has(id))) continue;
      const why = 'You took the question over before the agent had answered.';
      skipped += await endUnanswered(context, workflow, why, 'ReviewAnswer');
    }
    return skipped;
  });
}
