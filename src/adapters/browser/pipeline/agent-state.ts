/**
 * What is known about the model, as one row for the top bar and for the breaker: a model that failed three times in a
 * row is left alone for a while, and what would have waited for it goes to the person with the reason (AGENT-44).
 *
 *   off <--no model--  idle <--> working --3rd failure in a row--> resting --retry_at, or wakeAgent--> working
 */
import * as v from 'valibot';
import { FAILURES, type Failure } from '#core/errors.ts';
import type { AgentState } from '../api.ts';
import type { AccessionDb } from '../db.ts';

/** Model failures in a row after which it is left alone. */
const ENOUGH_FAILURES = 3;
const FIRST_REST_MS = 60_000;
const LONGEST_REST_MS = 15 * 60_000;

const FailureSchema = v.object({
  code: v.picklist(Object.keys(FAILURES) as (keyof typeof FAILURES)[]),
  message: v.string(),
  remedy: v.string(),
  retryable: v.boolean(),
});

const AgentStateSchema = v.object({
  state: v.picklist(['off', 'idle', 'working', 'resting']),
  provider: v.nullable(v.string()),
  model: v.nullable(v.string()),
  recorded: v.boolean(),
  working_on: v.array(v.object({ job_id: v.string(), name: v.string(), since: v.number() })),
  waiting: v.number(),
  failures: v.number(),
  last_failure: v.nullable(v.object({ failure: FailureSchema, at: v.number() })),
  retry_at: v.nullable(v.number()),
});

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

/** A damaged row counts as absent. */
export async function readAgentState(db: AccessionDb): Promise<AgentState> {
  const outcome = v.safeParse(AgentStateSchema, (await db.meta.get('agent'))?.value);
  return outcome.success ? outcome.output : AGENT_OFF;
}

/** Writes what changed; nothing when nothing did, so that pages are not woken for it. */
export async function patchAgentState(db: AccessionDb, change: (state: AgentState) => AgentState): Promise<AgentState> {
  const same = (a: AgentState, b: AgentState): boolean => JSON.stringify(a) === JSON.stringify(b);
  const now = await readAgentState(db);
  if (same(now, change(now))) return now;
  return db.transaction('rw', db.meta, async () => {
    const before = await readAgentState(db);
    const after = change(before);
    if (!same(before, after)) await db.meta.put({ key: 'agent', value: after });
    return after;
  });
}

/** True while the model is left alone. */
export function isResting(state: AgentState, now: number): boolean {
  return state.failures >= ENOUGH_FAILURES && state.retry_at !== null && state.retry_at > now;
}

/** True where the next question is the attempt that decides whether it works again: one alone is asked. */
export function isOnTrial(state: AgentState): boolean {
  return state.failures >= ENOUGH_FAILURES;
}

export function afterFailure(state: AgentState, failure: Failure, now: number): AgentState {
  const failures = state.failures + 1;
  const { code, message, remedy, retryable } = failure;
  const last_failure = { failure: { code, message, remedy, retryable }, at: now };
  if (failures < ENOUGH_FAILURES) return { ...state, failures, last_failure };
  const rest = Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** (failures - ENOUGH_FAILURES));
  return { ...state, failures, last_failure, retry_at: now + Math.max(rest, failure.retryAfterMs ?? 0) };
}

export function afterSuccess(state: AgentState): AgentState {
  return { ...state, failures: 0, last_failure: null, retry_at: null };
}

/** The model is said to work again. The last failure stays on show until an answer came. */
export async function wakeAgent(db: AccessionDb): Promise<void> {
  await patchAgentState(db, (state) => ({ ...state, failures: 0, retry_at: null }));
}

/** Why a doubt was not put to a model that is left alone. One sentence. */
export function restingSentence(state: AgentState): string {
  const last = state.last_failure?.failure.message ?? 'it did not answer';
  return `The model was not asked: it failed ${state.failures} times in a row, the last time because: ${last}`;
}
