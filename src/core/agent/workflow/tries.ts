/**
 * How often the open model call was begun. Kept on the workflow, not in its journal: the call is one, however often a tab
 * died in the middle of it, and nothing is left of the count once the call has an end.
 *
 *   AGENT-51 a call that has no end is made again twice; then the workflow stops and a person gets the question. A model
 *            that takes the tab down with it is no endless loop.
 */
import type { FailureCode } from '../../errors.ts';
import type { Entry } from './journal.ts';
import type { JournalDraft, Workflow } from './workflow.ts';

const MOST_TRIES = 3;

export const NEVER_CAME_BACK =
  'The model did not come back from this question twice: the page was closed, or it ran out of memory, before it answered.';

/** True where the open call may not be made once more. */
export function isGivenUp(workflow: Pick<Workflow, 'tries'>): boolean {
  return (workflow.tries ?? 0) >= MOST_TRIES;
}

/** The workflow before its open call is made again. One that an earlier release left open was made once. */
export function triedAgain<Input, Action>(workflow: Workflow<Input, Action>): Workflow<Input, Action> {
  return { ...workflow, tries: (workflow.tries ?? 1) + 1 };
}

/** The workflow whose open call was stopped from this side (a pause): that was no try. */
export function untried<Input, Action>(workflow: Workflow<Input, Action>): Workflow<Input, Action> {
  return { ...workflow, tries: Math.max(0, (workflow.tries ?? 1) - 1) };
}

/** The workflow with the count that fits its next line: one at the begin of a call, none after anything else. */
export function withTries<Input, Action>(
  workflow: Workflow<Input, Action>,
  next: JournalDraft['kind'],
): Workflow<Input, Action> {
  const { tries: _, ...rest } = workflow;
  return next === 'model_started' ? { ...rest, tries: 1 } : rest;
}

/** What another try may cure by itself; the others need a person (a key, an address, another model). */
const WORTH_A_TRY: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'rate_limited',
  'model_unreachable',
  'model_cut',
  'model_empty',
  'model_timeout',
  'model_error',
  'server_error',
  'offline',
  'worker_died',
]);
const MOST_RETRIES = 2;
/** Milliseconds before the first retry; doubled for the next. */
const FIRST_PAUSE = 1000;
/** Milliseconds: who asks for a longer wait is given up, a person is there sooner. */
const LONGEST_PAUSE = 60_000;

/**
 * Milliseconds to wait before the model is asked again after these failures in a row; 0 where none failed, null where it
 * is given up. A full context is met once by a shorter prompt, at once.
 */
export function retryPause(failures: readonly Entry<'model_failed'>[], full: number): number | null {
  const last = failures.at(-1);
  if (!last) return 0;
  const { code, retryAfterMs } = last.failure;
  if (code === 'model_context_full') return full <= 1 ? 0 : null;
  if (!WORTH_A_TRY.has(code) || failures.length > MOST_RETRIES) return null;
  const pause = Math.max(0, retryAfterMs ?? FIRST_PAUSE * 2 ** (failures.length - 1));
  return pause > LONGEST_PAUSE ? null : pause;
}
