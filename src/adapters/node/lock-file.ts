import { DatabaseSync } from 'node:sqlite';

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
