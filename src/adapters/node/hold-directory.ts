import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Kept from being collected, which would end the hold. */
const held: DatabaseSync[] = [];

/**
 * Makes this process the only server on a data directory, until it ends, however it ends: the operating system's
 * own lock on a file, by way of SQLite, which knows how on every platform.
 * @returns false when another process has it
 */
export function holdDirectory(directory: string): boolean {
  const database = new DatabaseSync(join(directory, 'server.lock'), { timeout: 0 });
  try {
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    const busy = error instanceof Error && 'errcode' in error && error.errcode === 5;
    if (busy) return false;
    throw error;
  }
  held.push(database);
  return true;
}
