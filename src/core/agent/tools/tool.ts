import type { GenericSchema } from 'valibot';
import type { Failure } from '../../errors.ts';
import type { Result } from '../../result.ts';
import type { CancelSignal } from '../../cancel.ts';
import type { JsonSchema } from '../llm/provider.ts';
import type { Entity } from '../workflow/workflow.ts';

/**
 * A tool is one file that exports one of these. What it may do is enforced by the executor (tools/run-tool.ts),
 * not by the prompt: unknown fields, foreign references, calls outside the state's allowlist, too many calls and
 * network targets outside `network` are refused before `execute` is reached.
 */
export interface AgentTool<Context, Input = unknown, Output = unknown> {
  name: string;
  version: number;
  /** For the model: one or two sentences. */
  description: string;
  /** A `strictObject`: unknown fields are refused. Emitted as JSON Schema for the wire. */
  input: GenericSchema<unknown, Input>;
  output: GenericSchema<unknown, Output>;
  /** The input for the wire, where `input` only checks it: a tool that was written as JSON Schema. */
  schema?: JsonSchema;
  risk: RiskClass;
  side_effects: boolean;
  limits: ToolLimits;
  /** Origins that `execute` may reach through `ToolRun.fetch`; empty: none. */
  network: readonly string[];
  /**
   * Which input fields name an entity, and of what kind: `{ track_id: 'track' }`. The model writes handles (`T3`), the
   * executor puts the real id there, and refuses what no tool and no evidence of this workflow has shown.
   */
  references: Readonly<Record<string, string>>;
  /** The entities that a result shows; they get handles and may be referred to from now on. */
  shows(output: Output): Entity[];
  /** The result as the model reads it, ids replaced by handles; capped and cleaned by the executor. */
  render(output: Output, handle: (kind: string, id: string) => string): unknown;
  execute(input: Input, run: ToolRun<Context>): Promise<ToolOutcome<Output>>;
}

/**
 * `read` looks; `decide` ends or turns the workflow, in its own state only; `write` changes something outside; `low` writes
 * what can be taken back and nothing else, so that code may call it where it is named.
 */
export type RiskClass = 'read' | 'decide' | 'write' | 'low';

export interface ToolLimits {
  /** Between two calls in one workflow, milliseconds. A `low` tool keeps it over all workflows, and refuses what is too soon. */
  cooldownMs: number;
  /** Further attempts after a retryable failure. */
  retries: number;
  /** In one workflow. */
  calls: number;
  /** Over all workflows of the registry. */
  perMinute: number;
}

export interface ToolRun<Context> {
  context: Context;
  signal: CancelSignal | undefined;
  /** The same on every attempt of one call: a tool with side effects acts once for it. Empty: each call is another. */
  idempotencyKey: string;
  /** The text at an address of the tool's `network`; any other is refused before anything is sent. */
  fetch(url: string): Promise<Result<string>>;
}

/** Where a result came from: `{ source: 'replica', ref: 'cursor 17' }`. */
export interface Provenance {
  source: string;
  ref: string;
}

export type ToolOutcome<Output> =
  { ok: true; output: Output; provenance: Provenance[] } | { ok: false; failure: Failure };

/** JSON with its keys in order and no white space, undefined left out: two calls are the same call when this says so. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((entry) => canonical(entry ?? null)).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const fields = Object.entries(value)
    .filter(([, entry]) => entry !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entry]) => `${JSON.stringify(name)}:${canonical(entry)}`);
  return `{${fields.join(',')}}`;
}

/** An object of JSON: neither null nor a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
