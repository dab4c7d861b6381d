import * as v from 'valibot';
import { failed } from '../../errors.ts';
import { showEntities } from '../tools/handles.ts';
import type { AnyDefinition, WorkflowDefinition } from './definition.ts';
import type { Workflow, WorkflowStrategy } from './workflow.ts';
import { record } from './journal.ts';

export interface StartOptions {
  id: string;
  /** Milliseconds since the epoch. */
  now: number;
  /** strategy.ts picks it. */
  strategy: WorkflowStrategy;
  /** `ollama/llama3.1:8b`. */
  model: string;
  recorded: boolean;
  seed: number;
}

/** A workflow that has not been run. Throws AccessionError `invalid` on input that is not the definition's. */
export function startWorkflow<Input, Action, Context>(
  definition: AnyDefinition<Input, Action, Context>,
  input: Input,
  options: StartOptions,
): Workflow<Input, Action> {
  const checked = v.safeParse(definition.input, input);
  if (!checked.success) throw failed('invalid', `${definition.name}: ${checked.issues[0].message}`);
  return {
    schema_version: 1,
    id: options.id,
    definition: definition.name,
    definition_version: definition.version,
    input: checked.output,
    strategy: options.strategy,
    model: options.model,
    recorded: options.recorded,
    seed: options.seed,
    state: { type: 'Started' },
    journal: [],
    entities: 'next' in definition ? {} : showEntities({}, definition.shows(checked.output)),
    spent: { iterations: 0, tokens_in: 0, tokens_out: 0, cost: 0, milliseconds: 0, repairs: 0 },
    started_at: options.now,
    updated_at: options.now,
  };
}

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
