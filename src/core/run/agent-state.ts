/**
 * What is known about the model, as one record for the top bar and for the breaker: a model that failed three times in a
 * row is left alone for a while, and what would have waited for it goes to the person with the reason (AGENT-44).
 *
 *   off <--no model--  idle <--> working --3rd failure in a row--> resting --retry_at, or woken--> working
 */
import * as v from 'valibot';
import { FailureSchema } from '../agent/llm/failure-schema.ts';
import { afterBreak, breakerState, ENOUGH_FAILURES } from '../breaker.ts';
import type { Failure } from '../errors.ts';

const AgentStateSchema = v.object({
  /** `off`: no model is set. `resting`: it failed too often in a row and is tried again at `retry_at`, or when woken. */
  state: v.picklist(['off', 'idle', 'working', 'resting']),
  /** `ollama`, `recorded`, ...; null when off. */
  provider: v.nullable(v.string()),
  model: v.nullable(v.string()),
  /** Answers are replayed, no model runs. */
  recorded: v.boolean(),
  /** What it is asked now: the leading job of each doubt and the file's or album's name. */
  working_on: v.array(v.object({ job_id: v.string(), name: v.string(), since: v.number() })),
  /** Doubts that wait for their turn. */
  waiting: v.number(),
  /** Model failures in a row. */
  failures: v.number(),
  last_failure: v.nullable(v.object({ failure: FailureSchema, at: v.number() })),
  retry_at: v.nullable(v.number()),
});
export type AgentState = v.InferOutput<typeof AgentStateSchema>;

export const AGENT_OFF: AgentState = {
  state: 'off',
  provider: null,
  model: null,
  recorded: false,
  working_on: [],
  waiting: 0,
  failures: 0,
  last_failure: null,
  retry_at: null,
};

/** A damaged record counts as absent. */
export function parseAgentState(value: unknown): AgentState {
  const outcome = v.safeParse(AgentStateSchema, value);
  return outcome.success ? outcome.output : AGENT_OFF;
}

/** True while the model is left alone. */
export function isResting(state: AgentState, now: number): boolean {
  return breakerState(state, now) === 'open';
}

/** True where the next question is the attempt that decides whether it works again: one alone is asked. */
export function isOnTrial(state: AgentState): boolean {
  return state.failures >= ENOUGH_FAILURES;
}

export function afterFailure(state: AgentState, failure: Failure, now: number): AgentState {
  const { code, message, remedy, retryable } = failure;
  const last_failure = { failure: { code, message, remedy, retryable }, at: now };
  return { ...afterBreak(state, now, failure.retryAfterMs), last_failure };
}

export function afterSuccess(state: AgentState): AgentState {
  return { ...state, failures: 0, last_failure: null, retry_at: null };
}

/** The model is said to work again. The last failure stays on show until an answer came. */
export function woken(state: AgentState): AgentState {
  return { ...state, failures: 0, retry_at: null };
}

/** Why a doubt was not put to a model that is left alone. One sentence. */
export function restingSentence(state: AgentState): string {
  const last = state.last_failure?.failure.message ?? 'it did not answer';
  return `The model was not asked: it failed ${state.failures} times in a row, the last time because: ${last}`;
}
