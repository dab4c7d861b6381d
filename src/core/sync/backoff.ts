/** A number in [0, 1). Injected, so that a test decides it. */
export type Random = () => number;

const FIRST_MS = 1_000;
/** No failure waits longer than this for its next try, unless the server asked for more. */
export const BACKOFF_CAP_MS = 60_000;
/** A server's Retry-After is believed up to this; a larger one is a mistake or an attack. */
export const RETRY_AFTER_CAP_MS = 3_600_000;

/**
 * Milliseconds to wait before the given try (from 1): doubling from one second up to the cap, the upper half
 * random, so that many workstations do not return in step.
 */
export function backoffMs(attempt: number, random: Random): number {
  const ceiling = Math.min(BACKOFF_CAP_MS, FIRST_MS * 2 ** Math.min(Math.max(attempt, 1) - 1, 16));
  return Math.round(ceiling / 2 + random() * (ceiling / 2));
}

/** What the other side asked for, where it did; our own back-off otherwise. Milliseconds. */
export function delayMs(retryAfterMs: number | undefined, attempt: number, random: Random): number {
  if (retryAfterMs === undefined || !Number.isFinite(retryAfterMs) || retryAfterMs < 0)
    return backoffMs(attempt, random);
  return Math.min(retryAfterMs, RETRY_AFTER_CAP_MS);
}
