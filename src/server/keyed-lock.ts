import { setTimeout as wait } from 'node:timers/promises';
import { HttpError } from './http/http-error.ts';

/** One at a time for each key. */
export interface Locks {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** Within this process, in the order of asking. */
export function keyedLock(): Locks {
  const last = new Map<string, Promise<unknown>>();
  return {
    async run(key, work) {
      const before = last.get(key) ?? Promise.resolve();
      const mine = before.then(work, work);
      // What waits behind it does so whether it succeeds or not; its failure is its caller's.
      const settled = mine.catch(() => undefined);
      last.set(key, settled);
      try {
        return await mine;
      } finally {
        if (last.get(key) === settled) last.delete(key);
      }
    },
  };
}

/** Locks that other processes see, too (adapters/node/postgres-dialect.ts). */
export interface SharedLocks {
  /** False while another process has it. */
  take(key: string): Promise<boolean>;
  giveBack(key: string): Promise<void>;
}

/** So long another process is waited for, milliseconds; one that was stopped never gives a lock back. */
const PATIENCE_MS = 60_000;
/** Milliseconds between two looks at a lock that another process has. */
const PAUSE_MS = 40;

/**
 * Across processes. Throws HttpError 503 where another one keeps a lock for `PATIENCE_MS`. Should the database be lost while the work is under way, the lock is, too: it spares useless
 * work and needless conflicts, and what must never happen is refused by the transactions themselves.
 */
export function sharedLock(shared: SharedLocks, patienceMs = PATIENCE_MS): Locks {
  const here = keyedLock();
  return {
    run(key, work) {
      // From now on, not from its turn: what queues here does not wait one after the other.
      const until = performance.now() + patienceMs;
      return here.run(key, async () => {
        while (!(await shared.take(key))) {
          if (performance.now() > until) throw busy();
          await wait(PAUSE_MS);
        }
        try {
          return await work();
        } finally {
          await shared.giveBack(key);
        }
      });
    },
  };
}

function busy(): HttpError {
  return new HttpError('server_error', 'Another server process works on the very same and does not come to its end.', {
    status: 503,
    headers: { 'Retry-After': '30' },
  });
}
