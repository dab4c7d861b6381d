import { isUndecided } from '#core/job/batch-plan.ts';
import type { Job } from '#core/job/job.ts';
import type { Doubt } from '#core/music/agent/doubt.ts';
import type { AgentEngine, DoubtWorkflow } from './agent-engine.ts';
import type { AgentModel, AgentStageDeps } from './agent-stage.ts';
import { isEnded, workflowOf } from './agent-work.ts';
import type { PipelineContext } from './apply.ts';

/** The agent that a batch's doubts are put to; null where there is none. */
export interface Asked {
  engine: AgentEngine;
  model: AgentModel;
}

/**
 * Inside the transaction that applies a batch's plan: each doubt gets a workflow on its leading job, one that is about
 * the same doubt already goes on, and what was asked before and is no doubt any more ends here.
 */
export async function keepDoubts(
  deps: Pick<AgentStageDeps, 'db' | 'clock' | 'ids' | 'agent'>,
  batchId: string,
  doubts: readonly Doubt[],
  asked: Asked | null,
): Promise<void> {
  const { db } = deps;
  const led = new Map(doubts.map((doubt) => [doubt.file_ids[0], doubt]));
  const jobs = await db.jobs.where('batch_id').equals(batchId).toArray();
  for (const job of jobs) {
    const stored = workflowOf(job);
    const open = stored !== null && !isEnded(stored) ? stored : null;
    const doubt = led.get(job.id);
    if (doubt && open?.input.key === doubt.key) continue;
    const asks = stored?.state.type === 'AwaitingReview' && !isUndecided(job);
    if (doubt && asked) await put(deps, job, begin(deps, doubt, asked));
    else if (open) await put(deps, job, endedWithout(open, 'The doubt was settled before the agent had answered.'));
    else if (asks) await put(deps, job, endedWithout(stored, 'Evidence decided; nobody had to be asked.'));
  }
}

/** Inside the caller's transaction: what this job was thinking about is of no interest any more. */
export async function dropDoubt(context: PipelineContext, job: Job): Promise<void> {
  const stored = workflowOf(job);
  if (stored !== null && (!isEnded(stored) || stored.state.type === 'AwaitingReview'))
    await put(context, job, endedWithout(stored, 'The file was cancelled.'));
}

function endedWithout(workflow: DoubtWorkflow, why: string): DoubtWorkflow {
  return { ...workflow, state: { type: 'Completed', result: { action: null, decided_by: 'nobody', why } } };
}

/** Not begun: with which model and in which strategy is decided again when its turn comes. */
function begin(
  { clock, ids, agent }: Pick<AgentStageDeps, 'clock' | 'ids' | 'agent'>,
  doubt: Doubt,
  { engine, model }: Asked,
): DoubtWorkflow {
  return engine.begin(doubt, {
    id: ids.next(),
    now: clock.now(),
    strategy: 'choice',
    model: `${model.provider}/${model.model}`,
    recorded: model.recorded,
    seed: model.seed ?? agent.seed(),
  });
}

async function put({ db }: Pick<PipelineContext, 'db'>, job: Job, workflow: DoubtWorkflow): Promise<void> {
  await db.jobs.update(job.id, { workflow_state: JSON.stringify(workflow) });
}
