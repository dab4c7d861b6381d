import type { CancelSignal } from '#core/cancel.ts';
import type { Timers } from '../http/socket.ts';

/** Why a call was stopped from this side. */
export type Stop =
  /** The caller's signal. */
  | 'cancelled'
  /** The time for the whole call is over. */
  | 'timeout'
  /** An answer began, and then nothing came for too long. */
  | 'idle';

/** A handle is a number in a browser and an object in Node: it stays inside. */
const REAL: Timers = {
  set: (run, ms) => {
    const handle = setTimeout(run, ms);
    return () => clearTimeout(handle);
  },
  clear: (handle) => {
    if (typeof handle === 'function') handle();
  },
};

/** One signal out of three reasons to stop. Milliseconds; `idleMs` counts from the first `touch`. */
export function createGuard(limits: {
  timeoutMs: number;
  idleMs: number;
  signal?: CancelSignal | undefined;
  timers?: Timers | undefined;
}) {
  const controller = new AbortController();
  let stopped: Stop | null = null;
  const timers = limits.timers ?? REAL;
  let idle: unknown = null;
  const stop = (why: Stop): void => {
    stopped ??= why;
    controller.abort();
  };
  const cancel = (): void => stop('cancelled');
  const whole = timers.set(() => stop('timeout'), limits.timeoutMs);
  limits.signal?.addEventListener('abort', cancel);
  if (limits.signal?.aborted === true) cancel();
  return {
    signal: controller.signal,
    /** Something arrived: the wait for the next piece begins anew. */
    touch(): void {
      if (idle !== null) timers.clear(idle);
      idle = timers.set(() => stop('idle'), limits.idleMs);
    },
    stopped: (): Stop | null => stopped,
    /** Puts the timers away; to be called on every way out. */
    release(): void {
      timers.clear(whole);
      if (idle !== null) timers.clear(idle);
      limits.signal?.removeEventListener('abort', cancel);
    },
  };
}

export type Guard = ReturnType<typeof createGuard>;
