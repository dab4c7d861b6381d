/** A question to an address of the internet, with an end: in time, cancelled, or answered. */
import type { CancelSignal } from '#core/cancel.ts';
import { AccessionError, failed, toFailure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';

/** How it is said whom nobody heard from. */
export const hostIn = (address: string): string => (URL.canParse(address) ? new URL(address).hostname : 'It');

/**
 * What `ask` answers; `late` after so many milliseconds, `cancelled` where the signal says so, and `offline` where it throws
 * what is no AccessionError: what Node says of a connection names the address that was asked, more than is told on.
 */
export async function answeredWithin<T>(
  address: string,
  { timeMs, late, signal }: { timeMs: number; late: AccessionError; signal: CancelSignal | undefined },
  ask: (stop: AbortSignal) => Promise<T>,
): Promise<Result<T>> {
  const stop = new AbortController();
  const end = (): void => stop.abort(failed('cancelled', 'cancelled'));
  const timer = setTimeout(() => stop.abort(late), timeMs);
  signal?.addEventListener('abort', end);
  if (signal?.aborted) end();
  try {
    return ok(await ask(stop.signal));
  } catch (thrown) {
    const reason: unknown = stop.signal.aborted ? stop.signal.reason : thrown;
    if (reason instanceof AccessionError) return fail(reason.failure);
    return fail({ ...toFailure(reason), ...failed('offline', `${hostIn(address)} gave no answer.`).failure });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}
