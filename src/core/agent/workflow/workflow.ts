/**
 * A workflow as data: JSON through and through, resumable from any entry of its journal. The room knows nothing of
 * what it works on; a definition (definition.ts) does.
 */
import * as v from 'valibot';
import type { Failure } from '../../errors.ts';
import type { ToolCall } from '../llm/provider.ts';
import { FailureSchema } from '../llm/failure-schema.ts';
import { ToolCallSchema } from '../llm/wire.ts';

export const Count = v.pipe(v.number(), v.minValue(0));
export const Text = v.string();
/** `id`: what the caller knows it by. */
const OptionShape = v.object({ id: Text, label: Text, confidence: v.number() });
export type WorkflowOption = v.InferOutput<typeof OptionShape>;
export const Options = v.array(OptionShape);
export const Calls = v.array(ToolCallSchema);
/** What the model said, in one word. */
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

export type Verdict = v.InferOutput<typeof VerdictShape>;

/** What one ballot said: an option's id, `NONE` or `ASK`, and how likely its letter was (natural log) where that is known. */
const VoteShape = v.object({ answer: Text, logprob: v.nullable(v.number()) });
export type Vote = v.InferOutput<typeof VoteShape>;

const line = { n: Count, at: v.number() };
const called = { ...line, call: Text };
/**
 * One line of the journal, written before it is acted on. A `*_started` with no end after it was cut by a crash: it is
 * done now; one with an end is never done again.
 */
export const EntryShape = v.variant('kind', [
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
  v.object({ ...called, kind: v.literal('model_failed'), failure: FailureSchema }),
  /** An answer that was no action: what was wrong with it. */
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
  v.object({ ...called, kind: v.literal('tool_failed'), tool: Text, failure: FailureSchema, milliseconds: Count }),
  /** The model's short why, at most 300 characters; never raw thinking. With it, in the choice strategy, its vote. */
  v.object({
    ...line,
    kind: v.literal('thought'),
    why: Text,
    vote: v.nullable(VoteShape),
  }),
  v.object({ ...line, kind: v.literal('verdict'), verdict: VerdictShape }),
  /** A form that the model filled, or the text that it wrote (led definitions). */
  v.object({ ...called, kind: v.literal('written'), form: Text, value: v.unknown() }),
  /** A form that is given up: the definition goes on without it. */
  v.object({ ...line, kind: v.literal('unwritten'), form: Text, bound: Text, sentence: Text }),
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
  v.object({ ...line, kind: v.literal('error'), failure: FailureSchema }),
]);
export type JournalEntry = v.InferOutput<typeof EntryShape>;

export const SpentShape = v.object({
  /** Model calls. */
  iterations: Count,
  tokens_in: Count,
  tokens_out: Count,
  /** US dollars, by the prices that were set; 0 for local models. */
  cost: Count,
  /** Milliseconds in model and tool calls (not the time that a workflow lay still). */
  milliseconds: Count,
  repairs: Count,
});
export type Spent = v.InferOutput<typeof SpentShape>;

/** *choice*: code gathers, the model answers a letter. *tools*: the model calls tools, an allowlist a state. */
export type Strategy = 'choice' | 'tools';

/** *led*: the definition says every step, the model fills forms. */
export type WorkflowStrategy = Strategy | 'led';

/** The specification's states, section 3. */
export type WorkflowState<Action> =
  | { type: 'Started' }
  | { type: 'Thinking' }
  | { type: 'ExecutingTools'; tool_calls: ToolCall[] }
  | { type: 'AwaitingReview'; question: string; options: WorkflowOption[] }
  | { type: 'ReadyToExecute'; action: Action }
  | { type: 'Executing'; action: Action }
  | { type: 'Completed'; result: WorkflowResult<Action> }
  | { type: 'Failed'; error: string; failure: Failure; recoverable: boolean };

export interface WorkflowResult<Action> {
  action: Action | null;
  /** `agent`, `person`, or `nobody`: it ended without a decision. */
  decided_by: 'agent' | 'person' | 'nobody';
  why: string;
}

export interface Entity {
  kind: string;
  id: string;
}

export interface Workflow<Input = unknown, Action = unknown> {
  /** 1: first released form. */
  schema_version: 1;
  id: string;
  /** Name and version of its definition. */
  definition: string;
  definition_version: number;
  input: Input;
  strategy: WorkflowStrategy;
  /** `ollama/llama3.1:8b`, for the trace. */
  model: string;
  /** `recorded` answers are labelled as such. */
  recorded: boolean;
  /** Of the nonce, the option orders and the sampling. */
  seed: number;
  state: WorkflowState<Action>;
  journal: JournalEntry[];
  /** By handle (`T3`): what the model may refer to. */
  entities: Record<string, Entity>;
  spent: Spent;
  /** How often the open model call was begun (tries.ts); absent where none is open. */
  tries?: number;
  started_at: number;
  updated_at: number;
}

/** The member without the numbers that the journal itself gives. */
export type JournalDraft = JournalEntry extends infer Entry
  ? Entry extends JournalEntry
    ? Omit<Entry, 'n' | 'at'>
    : never
  : never;
