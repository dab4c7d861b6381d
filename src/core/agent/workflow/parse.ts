/** A workflow out of storage: parsed whole, so that the executor may trust it. */
import * as v from 'valibot';
import { failure } from '../../errors.ts';
import { fail, ok, type Result } from '../../result.ts';
import { FailureSchema } from '../llm/failure-schema.ts';
import type { AnyDefinition } from './definition.ts';
import {
  Calls,
  Count,
  EntryShape,
  Options,
  SpentShape,
  Text,
  type JournalEntry,
  type Workflow,
  type WorkflowState,
} from './workflow.ts';

const JournalShape = v.pipe(
  v.array(v.custom<JournalEntry>((value) => v.is(EntryShape, value))),
  v.check((journal) => journal.every((entry, index) => entry.n === index + 1), 'the journal has a gap'),
);

function stateShape<Action>(action: v.GenericSchema<unknown, Action>): v.GenericSchema<unknown, WorkflowState<Action>> {
  return v.variant('type', [
    v.object({ type: v.literal('Started') }),
    v.object({ type: v.literal('Thinking') }),
    v.object({ type: v.literal('ExecutingTools'), tool_calls: Calls }),
    v.object({ type: v.literal('AwaitingReview'), question: Text, options: Options }),
    v.object({ type: v.literal('ReadyToExecute'), action }),
    v.object({ type: v.literal('Executing'), action }),
    v.object({
      type: v.literal('Completed'),
      result: v.object({
        action: v.nullable(action),
        decided_by: v.picklist(['agent', 'person', 'nobody']),
        why: Text,
      }),
    }),
    v.object({ type: v.literal('Failed'), error: Text, failure: FailureSchema, recoverable: v.boolean() }),
  ]);
}

/** Fails with `invalid` on anything that is not a workflow of this definition and version. */
export function parseWorkflow<Input, Action, Context>(
  json: string,
  definition: AnyDefinition<Input, Action, Context>,
): Result<Workflow<Input, Action>> {
  const shape = v.object({
    schema_version: v.literal(1),
    id: Text,
    definition: v.literal(definition.name),
    definition_version: v.literal(definition.version),
    input: definition.input,
    strategy: v.picklist(['choice', 'tools', 'led']),
    model: Text,
    recorded: v.boolean(),
    seed: v.number(),
    state: stateShape(definition.action),
    journal: JournalShape,
    entities: v.record(Text, v.object({ kind: Text, id: Text })),
    spent: SpentShape,
    tries: v.exactOptional(Count),
    started_at: v.number(),
    updated_at: v.number(),
  });
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return fail(failure('invalid', 'The stored workflow is not JSON.'));
  }
  const parsed = v.safeParse(shape, value);
  if (parsed.success) return ok(parsed.output);
  const [issue] = parsed.issues;
  const where = v.getDotPath(issue);
  return fail(failure('invalid', `The stored workflow cannot be read: ${where ? `${where}: ` : ''}${issue.message}`));
}
