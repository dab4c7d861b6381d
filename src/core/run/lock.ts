import { AccessionError } from '../errors.ts';

/** Whether somebody else has taken the work over: the only error after which a run must not go on. */
export function isLockLost(error: unknown): boolean {
  return error instanceof AccessionError && error.failure.code === 'conflict';
}
