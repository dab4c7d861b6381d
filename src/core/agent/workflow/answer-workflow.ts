import type { WorkflowDefinition } from './definition.ts';
import { record } from './journal.ts';
import type { Workflow } from './workflow.ts';

/**
 * A person's answer to a workflow that waits for one (the specification's use case 3): it goes on with that, and what they
 * chose is done by the next `runUntilBlocked`. An answer that is no action (none of them) ends it. Pure; the same object
 * where it does not wait for an answer.
 */
export function answerWorkflow<Input, Action, Context>(
  workflow: Workflow<Input, Action>,
  definition: WorkflowDefinition<Input, Action, Context>,
  optionId: string,
  by: string,
  /** Milliseconds since the epoch. */
  now: number,
): Workflow<Input, Action> {
  if (workflow.state.type !== 'AwaitingReview') return workflow;
  const action = definition.answered(workflow.input, optionId);
  const label = workflow.state.options.find((option) => option.id === optionId)?.label ?? optionId;
  const why = `Chosen by a person: ${label}`;
  const answered = record(workflow, { kind: 'answered', option_id: optionId, by }, now, workflow.state);
  if (action === null) {
    const result = { action: null, decided_by: 'person' as const, why };
    return record(answered, { kind: 'action', action: null, phase: 'done', why }, now, { type: 'Completed', result });
  }
  return record(answered, { kind: 'action', action, phase: 'decided', why }, now, { type: 'ReadyToExecute', action });
}
