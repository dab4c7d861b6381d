/** Whether a server may start on a data directory's SQLite database, before anything is written to it. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGED = [11, 26];
const PUT_BACK =
  'Put a copy of it back, or a backup into an empty directory (docs/OPERATIONS.md); nothing was changed.';

/**
 * What keeps a server from starting on `catalog.db` of the directory, as a sentence with what to do; null: nothing.
 * Reads the whole file (`pragma quick_check`).
 * @param begins the operator means to begin an empty catalog
 */
export function databaseTrouble(directory: string, begins: boolean): string | null {
  const path = join(directory, 'catalog.db');
  if (!existsSync(path)) return begins ? null : lostDatabase(directory);
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path);
    const [first] = database.prepare('pragma quick_check(1)').all();
    const said = String(Object.values(first ?? {})[0] ?? '');
    return said === 'ok' ? null : `The database ${path} is damaged (${said.split('\n')[0] ?? ''}). ${PUT_BACK}`;
  } catch (error) {
    if (!(error instanceof Error) || !('errcode' in error) || !DAMAGED.includes(Number(error.errcode) & 0xff))
      throw error;
    return `The database ${path} is damaged (${error.message}). ${PUT_BACK}`;
  } finally {
    database?.close();
  }
}

/** Audio without a catalog is a catalog that was lost: beginning an empty one would hide that. */
function lostDatabase(directory: string): string | null {
  const media = join(directory, 'media');
  if (!existsSync(media) || readdirSync(media).length === 0) return null;
  return `There is published audio in ${media} and no catalog.db beside it. Put the database back, or a backup into an empty directory (docs/OPERATIONS.md). To begin an empty catalog beside that audio, start once with --new.`;
}
