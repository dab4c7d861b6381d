/** A playbook whose keys and kinds of values were checked; tokens in it are not expanded yet. */
import type { Place } from '../faults.ts';
import type { Level, Division } from '../division/parse.ts';
import type { Mapping, Value } from '../value.ts';

export const LIMIT_KEYS = ['model_calls', 'tokens', 'cost_usd', 'seconds', 'unit_seconds', 'tool_calls'] as const;
export type LimitKey = (typeof LIMIT_KEYS)[number];

/** Of a step alone: what its tools may take, lower than they have it. */
export const TOOL_LIMIT_KEYS = ['tool_seconds', 'tool_memory_mb', 'tool_result_kb'] as const;

export interface Step {
  /** From 0. */
  at: number;
  name: string;
  /** Values as they stand in the text. */
  raw: Mapping;
  /** Texts of the inputs; null: the step has none. */
  inputs: string[] | null;
  multiple: boolean;
  division: Division | null;
  answerDivision: Level | null;
  /** A template of one record; null: the output is the record. */
  format: Value;
  groupBy: string[] | null;
  /** Where a key of the step stands; the step itself for null. */
  place(key: string | null): Place | null;
}

export interface Playbook {
  name: string | null;
  required: string[];
  defaults: Mapping;
  limits: Mapping;
  steps: Step[];
}
