import { DatabaseSync } from 'node:sqlite';

/** Milliseconds between two tries; the lock is held for a few file writes. */
const PAUSE = 8;

/**
 * Runs work that no other process (and nobody here) does at the same time: the operating system's own lock on a file, by
 * way of SQLite. It is gone with the process that held it, however that ended.
 */
export class ProcessLock {
  readonly #path: string;
  #last: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.#path = path;
  }

  /** Waits for its turn; throws what `work` throws. */
  run<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = this.#last.then(() => this.#held(work));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #held<Value>(work: () => Promise<Value>): Promise<Value> {
    const database = new DatabaseSync(this.#path, { timeout: 0 });
    try {
      while (!taken(database)) await new Promise((resolve) => setTimeout(resolve, PAUSE));
      return await work();
    } finally {
      database.close();
    }
  }
}

function taken(database: DatabaseSync): boolean {
  try {
    database.exec('begin exclusive');
    return true;
  } catch (error) {
    // SQLITE_BUSY: another process has it.
    if (error instanceof Error && 'errcode' in error && error.errcode === 5) return false;
    throw error;
  }
}
