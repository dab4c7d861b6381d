import { setTimeout as wait } from 'node:timers/promises';
import { lockFile } from './lock-file.ts';

/** Milliseconds between two tries; the lock is held for a few file writes. */
const PAUSE_MS = 8;

/** Runs work that no other process (and nobody here) does at the same time. It is gone with the process that held it. */
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
    let release = lockFile(this.#path);
    while (release === null) {
      await wait(PAUSE_MS);
      release = lockFile(this.#path);
    }
    try {
      return await work();
    } finally {
      release();
    }
  }
}
