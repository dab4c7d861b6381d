import * as v from 'valibot';
import { AccessionError, failure } from '../../errors.ts';
import { showEntities } from '../tools/handles.ts';
import type { WorkflowDefinition } from './definition.ts';
import type { Strategy, Workflow } from './workflow.ts';

export interface StartOptions {
  id: string;
  /** Milliseconds since the epoch. */
  now: number;
  /** strategy.ts picks it. */
  strategy: Strategy;
  /** `ollama/llama3.1:8b`. */
  model: string;
  recorded: boolean;
  seed: number;
}

/** A workflow that has not been run. Throws AccessionError `invalid` on input that is not the definition's. */
export function startWorkflow<Input, Action, Context>(
  definition: WorkflowDefinition<Input, Action, Context>,
  input: Input,
  options: StartOptions,
): Workflow<Input, Action> {
  const checked = v.safeParse(definition.input, input);
  if (!checked.success)
    throw new AccessionError(failure('invalid', `${definition.name}: ${checked.issues[0].message}`));
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
    entities: showEntities({}, definition.shows(checked.output)),
    spent: { iterations: 0, tokens_in: 0, tokens_out: 0, cost: 0, milliseconds: 0, repairs: 0 },
    started_at: options.now,
    updated_at: options.now,
  };
}
