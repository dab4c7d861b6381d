import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';

/** Of SQLite: somebody else has the lock. */
const BUSY = 5;

/**
 * Locks a file until it is released or the process ends, however it ends: the operating system's own lock, by way of
 * SQLite, which knows how on every platform. The file is made when it is missing, and stays.
 * @returns what releases it; null when it is locked already, by this process or another
 */
export function lockFile(path: string): (() => void) | null {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === BUSY) return null;
    throw error;
  }
  return () => database.close();
}

/** Kept from being collected, which would end the hold. */
const held: (() => void)[] = [];

/**
 * Makes this process the only server on a data directory, until it ends, however it ends.
 * @returns false when another process has it
 */
export function holdDirectory(directory: string): boolean {
  const release = lockFile(join(directory, 'server.lock'));
  if (release !== null) held.push(release);
  return release !== null;
}

/** Milliseconds between two tries; the lock is held for a few file writes. */
const PAUSE_MS = 8;

/** Runs work that no other process (and nobody here) does at the same time, in its turn; throws what the work throws. */
export function processLock(path: string) {
  let last: Promise<unknown> = Promise.resolve();

  async function held<Value>(work: () => Promise<Value>): Promise<Value> {
    let release = lockFile(path);
    for (; release === null; release = lockFile(path)) await wait(PAUSE_MS);
    try {
      return await work();
    } finally {
      release();
    }
  }

  return <Value>(work: () => Promise<Value>): Promise<Value> => {
    const turn = last.then(() => held(work));
    last = turn.catch(() => undefined);
    return turn;
  };
}
