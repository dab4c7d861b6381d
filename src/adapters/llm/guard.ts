import type { CancelSignal } from '#core/agent/llm/provider.ts';

/** Why a call was stopped from this side. */
export type Stop =
  /** The caller's signal. */
  | 'cancelled'
  /** The time for the whole call is over. */
  | 'timeout'
  /** An answer began, and then nothing came for too long. */
  | 'idle';

export interface Guard {
  signal: AbortSignal;
  /** Something arrived: the wait for the next piece begins anew. */
  touch(): void;
  stopped(): Stop | null;
  /** Puts the timers away; to be called on every way out. */
  release(): void;
}

/** One signal out of three reasons to stop. Milliseconds; `idleMs` counts from the first `touch`. */
export function createGuard(limits: { timeoutMs: number; idleMs: number; signal?: CancelSignal | undefined }): Guard {
  const controller = new AbortController();
  let stopped: Stop | null = null;
  let idle: ReturnType<typeof setTimeout> | undefined;
  const stop = (why: Stop): void => {
    stopped ??= why;
    controller.abort();
  };
  const cancel = (): void => stop('cancelled');
  const whole = setTimeout(() => stop('timeout'), limits.timeoutMs);
  limits.signal?.addEventListener('abort', cancel);
  if (limits.signal?.aborted === true) cancel();
  return {
    signal: controller.signal,
    touch() {
      clearTimeout(idle);
      idle = setTimeout(() => stop('idle'), limits.idleMs);
    },
    stopped: () => stopped,
    release() {
      clearTimeout(whole);
      clearTimeout(idle);
      limits.signal?.removeEventListener('abort', cancel);
    },
  };
}
