import type { Job } from '#core/job/job.ts';
import type { Doubt } from '#core/music/agent/doubt.ts';
import type { DoubtWorkflow } from './agent-engine.ts';
import type { AgentModel, AgentStageDeps } from './agent-stage.ts';
import { isEnded, workflowOf } from './agent-work.ts';

/**
 * Inside the transaction that applies a batch's plan: each doubt gets a workflow on its leading job, one that is about
 * the same doubt already goes on, and what was asked before and is no doubt any more ends here.
 */
export async function keepDoubts(
  deps: Pick<AgentStageDeps, 'db' | 'clock' | 'ids' | 'agent'>,
  batchId: string,
  doubts: readonly Doubt[],
  model: AgentModel | null,
): Promise<void> {
  const { db } = deps;
  const led = new Map(doubts.map((doubt) => [doubt.file_ids[0], doubt]));
  const jobs = await db.jobs.where('batch_id').equals(batchId).toArray();
  for (const job of jobs) {
    const stored = workflowOf(job);
    const open = stored !== null && !isEnded(stored) ? stored : null;
    const doubt = led.get(job.id);
    if (doubt && open?.input.key === doubt.key) continue;
    if (doubt) await put(deps, job, begin(deps, doubt, model));
    else if (open) await put(deps, job, { ...open, state: settledOtherwise });
  }
}

const settledOtherwise: DoubtWorkflow['state'] = {
  type: 'Completed',
  result: {
    action: null,
    decided_by: 'nobody',
    why: 'The doubt was settled in another way before the agent answered.',
  },
};

/** Not begun: with which model and in which strategy is decided again when its turn comes. */
function begin(
  { clock, ids, agent }: Pick<AgentStageDeps, 'clock' | 'ids' | 'agent'>,
  doubt: Doubt,
  model: AgentModel | null,
): DoubtWorkflow {
  return agent.engine.begin(doubt, {
    id: ids.next(),
    now: clock.now(),
    strategy: 'choice',
    model: model === null ? '' : `${model.provider}/${model.model}`,
    recorded: model?.recorded ?? false,
    seed: model?.seed ?? agent.seed(),
  });
}

async function put({ db }: Pick<AgentStageDeps, 'db'>, job: Job, workflow: DoubtWorkflow): Promise<void> {
  await db.jobs.update(job.id, { workflow_state: JSON.stringify(workflow) });
}
