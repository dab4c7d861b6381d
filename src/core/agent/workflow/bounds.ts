/**
 * What stops a workflow: the first bound that what was spent has reached gives its sentence.
 *
 *   AGENT-14 a workflow makes at most as many model calls, tokens, dollars, milliseconds and repairs as its limits say; the
 *            next prompt is counted before it is sent. What it stops at is kept, and a person gets the question.
 */
import type { WorkflowLimits } from './ports.ts';
import type { Spent } from './workflow.ts';

export interface Stop {
  bound: string;
  /** For a person: why the agent stopped. */
  sentence: string;
}
/** `next`: tokens of the prompt that would be sent now, estimated. */
export function firstStop(limits: WorkflowLimits, spent: Spent, next: number): Stop | null {
  const { repairs, iterations, tokens, cost, wallMs } = limits;
  const stop = (bound: string, why: string): Stop => ({ bound, sentence: `The agent stopped${why}.` });
  if (spent.repairs > repairs) return stop('repairs', `: ${spent.repairs} answers of the model could not be read`);
  if (spent.iterations >= iterations) return stop('iterations', ` after ${iterations} model calls`);
  if (tokens !== null && spent.tokens_in + spent.tokens_out + next > tokens)
    return stop('tokens', `: the next call would exceed ${tokens} tokens`);
  if (cost !== null && spent.cost >= cost)
    return stop('cost', `: the model calls cost $${spent.cost.toFixed(4)}, the limit is $${cost}`);
  if (wallMs !== null && spent.milliseconds >= wallMs)
    return stop('wall', ` after ${Math.round(wallMs / 1000)} seconds of work`);
  return null;
}
