/**
 * A run as transitions: `(state, event) -> { state, effects }`, pure. The driver (run-playbook.ts) does the effects and feeds
 * back what came of them.
 *
 *   begin -> open step -> ask units, at most `parallel` at a time -> close step -> the next one ... -> end
 *                            |- a unit fails: `skip` leaves it out, `stop` begins no other and ends as failed
 *                            |- a budget or a cancel: no other is begun, those under way come to rest
 */
import type { Fault } from '../faults.ts';

export const END_STATES = [
  'completed',
  'completed_with_failures',
  'failed',
  'stopped',
  'cancelled',
  'refused',
] as const;
export type EndState = (typeof END_STATES)[number];

export interface Skipped {
  step: string;
  unit: number;
  code: string;
  message: string;
}

/** Why no further unit is begun. */
export interface Stop {
  state: 'failed' | 'stopped' | 'cancelled';
  /** The unit that it is about: the first in order counts. */
  unit: number;
  error: Fault;
}

export interface RunState {
  steps: readonly { name: string; skip: boolean }[];
  /** Of the step in hand. */
  at: number;
  phase: 'opening' | 'asking' | 'closing' | 'ended';
  units: number;
  parallel: number;
  /** The next unit that was not begun. */
  next: number;
  flying: readonly number[];
  /** Units of this step that the journal had an end of when it was opened. */
  over: ReadonlySet<number>;
  stop: Stop | null;
  skipped: readonly Skipped[];
}

export type RunEvent =
  | { kind: 'begin' }
  /** `over`: units that the journal has an end of; `stop`: the first of them that ends the run. */
  | { kind: 'opened'; units: number; parallel: number; over: ReadonlySet<number>; stop: Stop | null }
  | { kind: 'answered'; unit: number }
  | { kind: 'failed'; unit: number; fault: Fault }
  /** A unit that is not over: it was kept from a call. */
  | { kind: 'rested'; unit: number; stop: Omit<Stop, 'unit'> }
  /** The step could not be opened or closed. */
  | { kind: 'broken'; fault: Fault }
  /** `paused`: the calls that are under way may end. */
  | { kind: 'cancel'; paused: boolean }
  | { kind: 'closed' };

export type RunEffect =
  | { kind: 'open'; step: number }
  | { kind: 'ask'; step: number; unit: number }
  | { kind: 'close'; step: number }
  | { kind: 'end'; state: EndState; error: Fault | null };

export interface Moved {
  state: RunState;
  effects: RunEffect[];
}

export const newRunState = (steps: RunState['steps'], skipped: readonly Skipped[] = []): RunState => ({
  ...{ steps, at: 0, phase: 'opening' as const, units: 0, parallel: 1, next: 0, flying: [], over: new Set<number>() },
  ...{ stop: null, skipped },
});

export function transition(state: RunState, event: RunEvent): Moved {
  if (state.phase === 'ended') return { state, effects: [] };
  switch (event.kind) {
    case 'begin':
      return open(state);
    case 'opened':
      return pump({
        ...{ ...state, phase: 'asking', units: event.units, parallel: event.parallel, next: 0, over: event.over },
        stop: event.stop === null ? state.stop : firstStop(state.stop, event.stop),
      });
    case 'answered':
      return pump(landed(state, event.unit));
    case 'failed':
      return pump(failedUnit(landed(state, event.unit), event));
    case 'rested':
      return pump({ ...landed(state, event.unit), stop: firstStop(state.stop, { ...event.stop, unit: event.unit }) });
    case 'broken':
      return end({ ...state, stop: { state: 'failed', unit: 0, error: event.fault } });
    case 'cancel':
      return cancel(state, event.paused);
    case 'closed':
      return open({ ...state, at: state.at + 1, phase: 'opening' });
  }
}

function open(state: RunState): Moved {
  if (state.stop !== null || state.at >= state.steps.length) return end(state);
  return { state, effects: [{ kind: 'open', step: state.at }] };
}

const landed = (state: RunState, unit: number): RunState => ({
  ...state,
  flying: state.flying.filter((one) => one !== unit),
});

function failedUnit(state: RunState, { unit, fault }: { unit: number; fault: Fault }): RunState {
  const step = state.steps[state.at];
  if (step?.skip !== true) return { ...state, stop: firstStop(state.stop, { state: 'failed', unit, error: fault }) };
  const skipped: Skipped = { step: step.name, unit, code: fault.code, message: fault.message };
  return { ...state, skipped: [...state.skipped, skipped] };
}

/** A failure goes before a budget, a budget before a cancel; of one kind the first unit in order. */
function firstStop(known: Stop | null, stop: Stop): Stop {
  if (known === null) return stop;
  const rank = { failed: 0, stopped: 1, cancelled: 2 };
  const before = rank[stop.state] - rank[known.state] || stop.unit - known.unit;
  return before < 0 ? stop : known;
}

/** Why a run ends as cancelled. */
export const cancelledFault = (step: string | null, paused: boolean): Fault => ({
  ...{ code: paused ? 'paused' : 'cancelled', key: step ?? '', step, at: null },
  message: paused ? 'The run was paused.' : 'The run was cancelled.',
  remedy: 'Resume the run when you like.',
});

function cancel(state: RunState, paused: boolean): Moved {
  const error = cancelledFault(state.steps[state.at]?.name ?? null, paused);
  const stopped = { ...state, stop: firstStop(state.stop, { state: 'cancelled', unit: state.next, error }) };
  return state.phase === 'asking' ? pump(stopped) : { state: stopped, effects: [] };
}

/** Begins what may be begun now. */
function pump(state: RunState): Moved {
  if (state.phase !== 'asking') return { state, effects: [] };
  const effects: RunEffect[] = [];
  const flying = [...state.flying];
  let { next } = state;
  // Units before the one that failed were begun before it; after a kill they are begun again, so that the end is the same.
  const last = state.stop === null ? state.units : state.stop.state === 'failed' ? state.stop.unit : 0;
  while (next < last && flying.length < state.parallel) {
    if (!state.over.has(next)) {
      flying.push(next);
      effects.push({ kind: 'ask', step: state.at, unit: next });
    }
    next += 1;
  }
  const now = { ...state, flying, next };
  if (flying.length > 0) return { state: now, effects };
  if (state.stop !== null) return end(now);
  return { state: { ...now, phase: 'closing' }, effects: [{ kind: 'close', step: state.at }] };
}

function end(state: RunState): Moved {
  const { stop, skipped } = state;
  const ended: EndState = stop?.state ?? (skipped.length > 0 ? 'completed_with_failures' : 'completed');
  return {
    state: { ...state, phase: 'ended' },
    effects: [{ kind: 'end', state: ended, error: stop?.error ?? null }],
  };
}
