/**
 * How often the open model call was begun. Kept on the workflow, not in its journal: the call is one, however often a tab
 * died in the middle of it, and nothing is left of the count once the call has an end.
 *
 *   AGENT-51 a call that has no end is made again twice; then the workflow stops and a person gets the question. A model
 *            that takes the tab down with it is no endless loop.
 */
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
