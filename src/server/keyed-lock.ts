import { setTimeout as wait } from 'node:timers/promises';

/** One at a time for each key. */
export interface Locks {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** Within this process, in the order of asking. */
export class KeyedLock implements Locks {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    // What waits behind it does so whether it succeeds or not; its failure is its caller's.
    const settled = mine.catch(() => undefined);
    this.#last.set(key, settled);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }
}

/** Locks that other processes see, too (adapters/node/postgres-dialect.ts). */
export interface SharedLocks {
  /** False while another process has it. */
  take(key: string): Promise<boolean>;
  giveBack(key: string): Promise<void>;
}

/** Milliseconds between two looks at a lock that another process has. */
const PAUSE_MS = 40;

/**
 * Across processes. Should the database be lost while the work is under way, the lock is, too: it spares useless
 * work and needless conflicts, and what must never happen is refused by the transactions themselves.
 */
export class SharedLock implements Locks {
  readonly #here = new KeyedLock();
  readonly #shared: SharedLocks;

  constructor(shared: SharedLocks) {
    this.#shared = shared;
  }

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.#here.run(key, async () => {
      while (!(await this.#shared.take(key))) await wait(PAUSE_MS);
      try {
        return await work();
      } finally {
        await this.#shared.giveBack(key);
      }
    });
  }
}
