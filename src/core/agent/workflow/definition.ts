import type { GenericSchema } from 'valibot';
import type { AgentTool } from '../tools/tool.ts';
import type { JsonSchema } from '../llm/provider.ts';
import type { Entity, JournalEntry, Spent, Verdict, WorkflowOption } from './workflow.ts';

/** One thing that the model can choose. Its letter is given by the executor, per ballot, in a permuted order. */
export interface Choice {
  /** Stable id: `track:<id>`, `album:<id>`. Never shown to the model. */
  option_id: string;
  label: string;
  /** Confidence from evidence, 0..1. */
  confidence: number;
  /** The lines under the letter: plain data, cleaned and capped by the envelope. */
  facts: Readonly<Record<string, string | number | null>>;
}

/** What the model is given about one doubt; prompt/envelope.ts turns it into fenced, capped text. */
export interface Brief {
  /** One sentence: what is asked. Ours, never from a file. */
  question: string;
  /** Rows of plain data under a heading: files, what was read from them. Text from outside, cleaned by the envelope. */
  sections: { heading: string; rows: Readonly<Record<string, string | number | null>>[] }[];
  choices: Choice[];
}

/** What a workflow is about. Everything in it is pure; `Context` is what its tools need (an index, a replica). */
export interface WorkflowDefinition<Input, Action, Context> {
  name: string;
  version: number;
  input: GenericSchema<unknown, Input>;
  action: GenericSchema<unknown, Action>;
  tools: readonly AgentTool<Context>[];
  /** Said to the model first; no text from outside. */
  instructions: { choice: string; tools: string };
  /** Entities that the input itself shows (its files), before any call. */
  shows(input: Input): Entity[];
  /** The calls that code makes before the model is asked, with real ids. The same in both strategies. */
  gather(input: Input): { tool: string; input: Record<string, unknown> }[];
  /** Further calls that follow from the results so far (album tracks of what a search found); empty when done. */
  gatherMore?(input: Input, results: readonly ToolResult[]): { tool: string; input: Record<string, unknown> }[];
  brief(input: Input, results: readonly ToolResult[]): Brief;
  /** Tools strategy: what may be called now. */
  allowed(input: Input, results: readonly ToolResult[]): readonly string[];
  /** How often the choice is asked, each time in another order; 1 to 3. */
  ballots: number;
  /** From what the model said (or that it said nothing: a bound, a dead model) to what happens. */
  decide(input: Input, results: readonly ToolResult[], outcome: Outcome): Decision<Action>;
  /** A person's answer, with real ids. */
  answered(input: Input, optionId: string): Action | null;
}

export interface ToolResult {
  tool: string;
  input: unknown;
  output: unknown;
}

export type Outcome =
  | { kind: 'verdict'; verdict: Verdict }
  /** Tools strategy: a `decide` tool was called (`set_match`, `request_review`, `reject`). */
  | { kind: 'tool'; result: ToolResult; why: string }
  | { kind: 'stopped'; sentence: string };

export type Decision<Action> =
  | { kind: 'act'; action: Action; why: string }
  | { kind: 'ask'; question: string; why: string; options: WorkflowOption[] };

/** What a model is asked to write. */
export interface Form {
  /** Names it in the workflow: `plan 2`, `answer`. A form of this name that was written, or given up, is not asked for again. */
  name: string;
  /** Said first; no text from outside. */
  instructions: string;
  /** What is asked, ours; its sections are from outside, cleaned and fenced. */
  brief: Pick<Brief, 'question' | 'sections'>;
  /** What the answer must be; null: plain text. `json` is what a server or a grammar is bound to. */
  answer: { schema: GenericSchema; json: JsonSchema } | null;
  /** Tokens of the answer at most. */
  maxTokens: number;
  /** A written answer (written-answer.ts): what takes the place of instructions and brief, and of the answer's schema. */
  written?: WrittenForm;
}

/**
 * An answer that is asked for in the words of whoever set the task, and read by rules of its own. Only the brief's sections
 * are fenced: what the model may do with the words is for the workflow's tools to bound.
 */
export interface WrittenForm {
  system: string | null;
  user: string;
  /** What was written; thinking is taken out of it before. Never throws. */
  read(text: string): { ok: true; value: unknown } | { ok: false; reason: string };
  /** A schema that a server or a grammar can be bound to; null: none. */
  json: JsonSchema | null;
  /** Characters of the answer at most. */
  most: number;
}

/** What a led definition wants next. */
export type Step<Action> =
  /** A call that only looks. The very same call is not made twice: one that is wanted again ends the workflow as failed. */
  | { kind: 'call'; tool: string; input: Record<string, unknown>; by: 'code' | 'model' }
  | { kind: 'write'; form: Form }
  /** What code found out, written down: it is read from the journal from then on. */
  | { kind: 'note'; content: string; data: Record<string, unknown> }
  | { kind: 'act'; action: Action; why: string };

/**
 * A workflow whose definition leads: it says each step from the journal alone, and asks a model for forms (JSON of its own
 * schema, or text), not for letters or calls.
 *
 *   AGENT-92 a form has the bounds, repairs, retries, seed and journal of every other model call; one that cannot be had is
 *            given up with its reason, and the definition goes on without it
 */
export interface LedDefinition<Input, Action, Context> {
  name: string;
  version: number;
  input: GenericSchema<unknown, Input>;
  action: GenericSchema<unknown, Action>;
  tools: readonly AgentTool<Context>[];
  /** One sentence and plain data, for the first line of the journal. */
  opens(input: Input): { content: string; data: Record<string, unknown> };
  /** Pure: the same for the same journal and what was spent by then. */
  next(input: Input, journal: readonly JournalEntry[], spent: Spent): Step<Action>;
}

/** What the executor runs. */
export type AnyDefinition<Input, Action, Context> =
  WorkflowDefinition<Input, Action, Context> | LedDefinition<Input, Action, Context>;
