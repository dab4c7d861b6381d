/**
 * A workflow as data: JSON through and through, resumable from any entry of its journal. The room knows nothing of
 * what it works on; a definition (definition.ts) does.
 */
import type { Failure } from '../../errors.ts';
import type { ToolCall, Usage } from '../llm/provider.ts';

/** *choice*: code gathers, the model answers a letter. *tools*: the model calls tools, an allowlist a state. */
export type Strategy = 'choice' | 'tools';

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

export interface WorkflowOption {
  /** What the caller knows it by. */
  id: string;
  label: string;
  confidence: number;
}

export interface WorkflowResult<Action> {
  action: Action | null;
  /** `agent`, `person`, or `nobody`: it ended without a decision. */
  decided_by: 'agent' | 'person' | 'nobody';
  why: string;
}

/** What the model said, in one word. */
export type Verdict =
  | { kind: 'option'; option_id: string; why: string; agreement: number; logprob: number | null }
  | { kind: 'none'; why: string; agreement: number }
  | { kind: 'ask'; why: string; agreement: number };

/** What one ballot said: an option's id, `NONE` or `ASK`, and how likely its letter was (natural log) where that is known. */
export interface Vote {
  answer: string;
  logprob: number | null;
}

export interface Entity {
  kind: string;
  id: string;
}

export interface Spent {
  /** Model calls. */
  iterations: number;
  tokens_in: number;
  tokens_out: number;
  /** US dollars, by the prices that were set; 0 for local models. */
  cost: number;
  /** Milliseconds in model and tool calls (not the time that a workflow lay still). */
  milliseconds: number;
  repairs: number;
}

export interface Workflow<Input = unknown, Action = unknown> {
  /** 1: first released form. */
  schema_version: 1;
  id: string;
  /** Name and version of its definition. */
  definition: string;
  definition_version: number;
  input: Input;
  strategy: Strategy;
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

/**
 * One line of the journal, written before it is acted on. A `*_started` with no end after it was cut by a crash: it is
 * done now; one with an end is never done again.
 */
export type JournalEntry = { n: number; at: number } & (
  | { kind: 'context'; content: string; data: unknown }
  | { kind: 'model_started'; call: string; prompt_sha: string; purpose: string }
  | {
      kind: 'model_ended';
      call: string;
      content: string;
      tool_calls: ToolCall[];
      finish_reason: string;
      usage: Usage;
      first_token_logprobs: Readonly<Record<string, number>> | null;
    }
  | { kind: 'model_failed'; call: string; failure: Failure }
  /** An answer that was no action: what was wrong with it. */
  | { kind: 'unparsed'; call: string; reason: string }
  | { kind: 'tool_started'; call: string; tool: string; input: unknown; by: 'code' | 'model' }
  | { kind: 'tool_ended'; call: string; tool: string; output: unknown; provenance: unknown; milliseconds: number }
  | { kind: 'tool_failed'; call: string; tool: string; failure: Failure; milliseconds: number }
  /** The model's short why, at most 300 characters; never raw thinking. With it, in the choice strategy, its vote. */
  | { kind: 'thought'; why: string; vote: Vote | null }
  | { kind: 'verdict'; verdict: Verdict }
  | { kind: 'asked'; question: string; options: WorkflowOption[]; why: string }
  | { kind: 'answered'; option_id: string; by: string }
  | { kind: 'action'; action: unknown; phase: 'decided' | 'done'; why: string }
  | { kind: 'stopped'; bound: string; sentence: string }
  | { kind: 'error'; failure: Failure }
);
/** The member without the numbers that the journal itself gives. */
export type JournalDraft = JournalEntry extends infer Entry
  ? Entry extends JournalEntry
    ? Omit<Entry, 'n' | 'at'>
    : never
  : never;
