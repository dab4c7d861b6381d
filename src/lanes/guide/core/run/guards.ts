/** What stops a run before its next step, in the order in which it is said. */
import { ENOUGH_FAILURES, type BreakerState } from '#core/breaker.ts';
import type { Escalation, GuardReason, Signs } from './run.types.ts';

const RESTARTS = 10;
const RESTARTS_WITHIN_MS = 60_000;
const POOL = 0.9;

export interface Caught {
  reason: GuardReason;
  number: number;
  limit: number;
}

/** The first that holds. `circuit`: as it is for this run; half open is no reason, it is tried first. */
export function guardOf(signs: Signs, circuit: BreakerState, now: number): Caught | null {
  if (signs.containment) return { reason: 'containment', number: 1, limit: 0 };
  // Both ways: a clock that was set back by an hour makes no restart an hour young.
  const restarts = signs.restarts.filter((at) => Math.abs(now - at) < RESTARTS_WITHIN_MS).length;
  if (restarts >= RESTARTS) return { reason: 'velocity', number: restarts, limit: RESTARTS };
  const [busy, size] = signs.pool ?? [0, 0];
  const pressure = size > 0 ? busy / size : 0;
  if (pressure >= POOL) return { reason: 'pool', number: pressure, limit: POOL };
  return circuit === 'open' ? CIRCUIT_OPEN : null;
}

export const CIRCUIT_OPEN: Caught = { reason: 'circuit', number: ENOUGH_FAILURES, limit: ENOUGH_FAILURES };

/** For a person: one sentence. */
export function escalationSentence({ channel, reason, number, limit }: Escalation): string {
  const which = channel === null ? 'The guide' : `Channel ${channel}`;
  const percent = (share: number): string => `${Math.round(share * 10_000) / 100} %`;
  switch (reason) {
    case 'containment':
      return `${which} was not mended: containment is on.`;
    case 'velocity':
      return `${which} was not mended: ${number} restarts within a minute, ${limit} are the limit.`;
    case 'pool':
      return `${which} was not mended: ${percent(number)} of the workers are busy, ${percent(limit)} are the limit.`;
    case 'circuit':
      return `${which} was not mended: look-ups failed ${limit} times in a row and rest.`;
    case 'ratio':
      return `${which} still has faults in ${percent(number)} of its programmes, more than ${percent(limit)}.`;
  }
}
