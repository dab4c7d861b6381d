/** Threads that compute for long beside the event loop. */
import { constants, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

/**
 * Gives the thread that calls it a lower priority than the event loop's, so that people are answered first where
 * processors are few. Linux has priorities of threads; elsewhere it would be that of the whole process, and nothing is
 * done.
 */
export function yieldToLoop(): void {
  if (isMainThread || process.platform !== 'linux') return;
  try {
    // 0: the thread that calls; Linux keeps this value for each of them (setpriority(2)).
    setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A sandbox that refuses it: it competes like any other.
  }
}
