/**
 * What stops a workflow. Each bound is a predicate over what was spent; the first that holds gives its sentence.
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
export type Bound = (spent: Spent, next: number) => Stop | null;

export function stopAfterIterations(most: number): Bound {
  return (spent) =>
    spent.iterations >= most ? { bound: 'iterations', sentence: `The agent stopped after ${most} model calls.` } : null;
}

export function stopAtTokens(most: number | null): Bound {
  return (spent, next) =>
    most !== null && spent.tokens_in + spent.tokens_out + next > most
      ? { bound: 'tokens', sentence: `The agent stopped: the next call would exceed ${most} tokens.` }
      : null;
}

export function stopAtCost(most: number | null): Bound {
  return (spent) =>
    most !== null && spent.cost >= most
      ? {
          bound: 'cost',
          sentence: `The agent stopped: the model calls cost $${spent.cost.toFixed(4)}, the limit is $${most}.`,
        }
      : null;
}

export function stopAtWall(most: number | null): Bound {
  return (spent) =>
    most !== null && spent.milliseconds >= most
      ? { bound: 'wall', sentence: `The agent stopped after ${Math.round(most / 1000)} seconds of work.` }
      : null;
}

export function stopAfterRepairs(most: number): Bound {
  return (spent) =>
    spent.repairs > most
      ? { bound: 'repairs', sentence: `The agent stopped: ${spent.repairs} answers of the model could not be read.` }
      : null;
}

export function firstStop(limits: WorkflowLimits, spent: Spent, next: number): Stop | null {
  const bounds = [
    stopAfterRepairs(limits.repairs),
    stopAfterIterations(limits.iterations),
    stopAtTokens(limits.tokens),
    stopAtCost(limits.cost),
    stopAtWall(limits.wallMs),
  ];
  for (const bound of bounds) {
    const stop = bound(spent, next);
    if (stop) return stop;
  }
  return null;
}
