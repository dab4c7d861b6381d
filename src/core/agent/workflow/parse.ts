/** A workflow out of storage: parsed whole, so that the executor may trust it. */
import * as v from 'valibot';
import { FAILURES, failure, type Failure, type FailureCode } from '../../errors.ts';
import { fail, ok, type Result } from '../../result.ts';
import type { WorkflowDefinition } from './definition.ts';
import type { JournalEntry, Workflow, WorkflowState } from './workflow.ts';

const Count = v.pipe(v.number(), v.minValue(0));
const Text = v.string();
const FailureShape = v.custom<Failure>((value) =>
  v.is(
    v.looseObject({
      code: v.custom<FailureCode>((code) => typeof code === 'string' && Object.hasOwn(FAILURES, code)),
      message: Text,
      remedy: Text,
      retryable: v.boolean(),
    }),
    value,
  ),
);
const Options = v.array(v.object({ id: Text, label: Text, confidence: v.number() }));
const Calls = v.array(v.object({ id: Text, name: Text, arguments: v.unknown() }));
const VerdictShape = v.variant('kind', [
  v.object({
    kind: v.literal('option'),
    option_id: Text,
    why: Text,
    agreement: v.number(),
    logprob: v.nullable(v.number()),
  }),
  v.object({ kind: v.literal('none'), why: Text, agreement: v.number() }),
  v.object({ kind: v.literal('ask'), why: Text, agreement: v.number() }),
]);

const line = { n: Count, at: v.number() };
const called = { ...line, call: Text };
const EntryShape = v.variant('kind', [
  v.object({ ...line, kind: v.literal('context'), content: Text, data: v.unknown() }),
  v.object({ ...called, kind: v.literal('model_started'), prompt_sha: Text, purpose: Text }),
  v.object({
    ...called,
    kind: v.literal('model_ended'),
    content: Text,
    tool_calls: Calls,
    finish_reason: Text,
    usage: v.object({ tokens_in: v.nullable(Count), tokens_out: v.nullable(Count), milliseconds: Count }),
    first_token_logprobs: v.nullable(v.record(Text, v.number())),
  }),
  v.object({ ...called, kind: v.literal('model_failed'), failure: FailureShape }),
  v.object({ ...called, kind: v.literal('unparsed'), reason: Text }),
  v.object({
    ...called,
    kind: v.literal('tool_started'),
    tool: Text,
    input: v.unknown(),
    by: v.picklist(['code', 'model']),
  }),
  v.object({
    ...called,
    kind: v.literal('tool_ended'),
    tool: Text,
    output: v.unknown(),
    provenance: v.unknown(),
    milliseconds: Count,
  }),
  v.object({ ...called, kind: v.literal('tool_failed'), tool: Text, failure: FailureShape, milliseconds: Count }),
  v.object({
    ...line,
    kind: v.literal('thought'),
    why: Text,
    vote: v.nullable(v.object({ answer: Text, logprob: v.nullable(v.number()) })),
  }),
  v.object({ ...line, kind: v.literal('verdict'), verdict: VerdictShape }),
  v.object({ ...line, kind: v.literal('asked'), question: Text, options: Options, why: Text }),
  v.object({ ...line, kind: v.literal('answered'), option_id: Text, by: Text }),
  v.object({
    ...line,
    kind: v.literal('action'),
    action: v.unknown(),
    phase: v.picklist(['decided', 'done']),
    why: Text,
  }),
  v.object({ ...line, kind: v.literal('stopped'), bound: Text, sentence: Text }),
  v.object({ ...line, kind: v.literal('error'), failure: FailureShape }),
]);
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
    v.object({ type: v.literal('Failed'), error: Text, failure: FailureShape, recoverable: v.boolean() }),
  ]);
}

/** Fails with `invalid` on anything that is not a workflow of this definition and version. */
export function parseWorkflow<Input, Action, Context>(
  json: string,
  definition: WorkflowDefinition<Input, Action, Context>,
): Result<Workflow<Input, Action>> {
  const shape = v.object({
    schema_version: v.literal(1),
    id: Text,
    definition: v.literal(definition.name),
    definition_version: v.literal(definition.version),
    input: definition.input,
    strategy: v.picklist(['choice', 'tools']),
    model: Text,
    recorded: v.boolean(),
    seed: v.number(),
    state: stateShape(definition.action),
    journal: JournalShape,
    entities: v.record(Text, v.object({ kind: Text, id: Text })),
    spent: v.object({
      iterations: Count,
      tokens_in: Count,
      tokens_out: Count,
      cost: Count,
      milliseconds: Count,
      repairs: Count,
    }),
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
