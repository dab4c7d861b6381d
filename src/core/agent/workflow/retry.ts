import type { FailureCode } from '../../errors.ts';
import type { Entry } from './journal.ts';

/** What another try may cure by itself; the others need a person (a key, an address, another model). */
const WORTH_A_TRY: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'rate_limited',
  'model_unreachable',
  'model_cut',
  'model_empty',
  'model_timeout',
  'model_error',
  'server_error',
  'offline',
  'worker_died',
]);
const MOST_RETRIES = 2;
/** Milliseconds before the first retry; doubled for the next. */
const FIRST_PAUSE = 1000;
/** Milliseconds: who asks for a longer wait is given up, a person is there sooner. */
const LONGEST_PAUSE = 60_000;

/**
 * Milliseconds to wait before the model is asked again after these failures in a row; 0 where none failed, null where it
 * is given up. A full context is met once by a shorter prompt, at once.
 */
export function retryPause(failures: readonly Entry<'model_failed'>[], full: number): number | null {
  const last = failures.at(-1);
  if (!last) return 0;
  const { code, retryAfterMs } = last.failure;
  if (code === 'model_context_full') return full <= 1 ? 0 : null;
  if (!WORTH_A_TRY.has(code) || failures.length > MOST_RETRIES) return null;
  const pause = Math.max(0, retryAfterMs ?? FIRST_PAUSE * 2 ** (failures.length - 1));
  return pause > LONGEST_PAUSE ? null : pause;
}
