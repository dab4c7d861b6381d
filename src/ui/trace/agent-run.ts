/** What the agent did for a job, as the head of its trace says it. */
import * as v from 'valibot';
import type { Job } from '#core/job/job.ts';
import { elapsed } from '../parts/words.ts';
import type { Fact } from '../lane-ui.ts';

/** The part of a workflow that is shown; the rest of the record is the agent's own. */
const RunSchema = v.object({
  id: v.string(),
  strategy: v.picklist(['choice', 'tools']),
  model: v.string(),
  recorded: v.boolean(),
  state: v.object({ type: v.string() }),
  spent: v.object({
    iterations: v.number(),
    tokens_in: v.number(),
    tokens_out: v.number(),
    cost: v.number(),
    milliseconds: v.number(),
    repairs: v.number(),
  }),
});
export type AgentRun = v.InferOutput<typeof RunSchema>;

/** The workflow that a job leads; null where it leads none, or one that cannot be read. */
export function agentRun(job: Pick<Job, 'workflow_state'>): AgentRun | null {
  if (job.workflow_state === null) return null;
  try {
    const outcome = v.safeParse(RunSchema, JSON.parse(job.workflow_state));
    return outcome.success ? outcome.output : null;
  } catch {
    return null;
  }
}

const STATES: Record<string, string> = {
  Started: 'Beginning',
  Thinking: 'Asking the model',
  ExecutingTools: 'Looking things up',
  AwaitingReview: 'Left to you',
  ReadyToExecute: 'Decided',
  Executing: 'Decided',
  Completed: 'Done',
  Failed: 'Failed',
};

export const runState = (run: AgentRun): string => STATES[run.state.type] ?? run.state.type;

export const STRATEGY_WORDS = { choice: 'Choice of letters', tools: 'Tool calls' } as const;

export function runFacts(run: AgentRun): Fact[] {
  const { spent } = run;
  return [
    { name: 'Agent', value: runState(run) },
    { name: 'Model', value: run.recorded ? `${run.model} (recorded)` : run.model, mono: true },
    { name: 'Strategy', value: STRATEGY_WORDS[run.strategy] },
    { name: 'Model calls', value: String(spent.iterations) },
    { name: 'Tokens in', value: spent.tokens_in.toLocaleString('en') },
    { name: 'Tokens out', value: spent.tokens_out.toLocaleString('en') },
    { name: 'Time with the model', value: elapsed(spent.milliseconds) },
    { name: 'Answers asked for again', value: spent.repairs === 0 ? null : String(spent.repairs) },
    { name: 'Cost', value: spent.cost === 0 ? null : `$${spent.cost.toFixed(4)}` },
  ];
}
