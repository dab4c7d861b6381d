/**
 * What fails three times in a row is left alone for a while, then one attempt decides:
 *
 *   closed --3rd failure in a row--> open (rests) --rest over--> half open --success--> closed
 *                                                                          --failure--> open, twice as long
 */

/** Failures in a row after which it is left alone. */
export const ENOUGH_FAILURES = 3;
const FIRST_REST_MS = 60_000;
const LONGEST_REST_MS = 15 * 60_000;

export interface Breaker {
  /** In a row. */
  failures: number;
  /** Milliseconds since the epoch; null: it never had to rest. */
  retry_at: number | null;
  /** The latest rest, milliseconds; where it is not kept it follows from the failures. */
  rest_ms?: number | null;
}

export const CLOSED: Breaker = { failures: 0, retry_at: null };

export type BreakerState = 'closed' | 'open' | 'half-open';

export function breakerState({ failures, retry_at }: Breaker, now: number): BreakerState {
  if (failures < ENOUGH_FAILURES) return 'closed';
  return retry_at !== null && retry_at > now ? 'open' : 'half-open';
}

/** After one more failure. `atLeast`: milliseconds that were asked for. */
export function afterBreak<Kept extends Breaker>(breaker: Kept, now: number, atLeast = 0): Kept {
  const failures = breaker.failures + 1;
  if (failures < ENOUGH_FAILURES) return { ...breaker, failures };
  const doubled = breaker.rest_ms ? breaker.rest_ms * 2 : FIRST_REST_MS * 2 ** (failures - ENOUGH_FAILURES);
  const rest = Math.min(LONGEST_REST_MS, doubled);
  return {
    ...breaker,
    failures,
    retry_at: now + Math.max(rest, atLeast),
    ...(breaker.rest_ms === undefined ? {} : { rest_ms: rest }),
  };
}

/** A clock that was set back makes no rest longer than it was. */
export function withinRest<Kept extends Breaker>(breaker: Kept, now: number): Kept {
  const latest = now + (breaker.rest_ms ?? LONGEST_REST_MS);
  return breaker.retry_at !== null && breaker.retry_at > latest ? { ...breaker, retry_at: latest } : breaker;
}
