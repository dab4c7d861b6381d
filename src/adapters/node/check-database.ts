/** Whether a server may start on a data directory's SQLite database, before anything is written to it. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { quickCheck } from './quick-check.ts';

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
  const said = quickCheck(path);
  return said === null ? null : `The database ${path} is damaged (${said}). ${PUT_BACK}`;
}

/** Audio without a catalog is a catalog that was lost: beginning an empty one would hide that. */
function lostDatabase(directory: string): string | null {
  const media = join(directory, 'media');
  if (!existsSync(media) || readdirSync(media).length === 0) return null;
  return `There is published audio in ${media} and no catalog.db beside it. Put the database back, or a backup into an empty directory (docs/OPERATIONS.md). To begin an empty catalog beside that audio, start once with --new.`;
}
