import { createHash } from 'node:crypto';
import { lstat, mkdir } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { AccessionError, failure } from '#core/errors.ts';
import { isMarkAlive } from './folder-mark.ts';
import { lockFile } from './lock-file.ts';

/**
 * Makes this process the only one that renames in a folder, until it is released or the process ends. Among one
 * user's programs on one machine the system's own lock says who is; of others the folder's mark tells.
 * @param root absolute, without links
 * @returns null while somebody else is at work there
 */
export async function lockFolder(
  root: string,
  { directory = join(tmpdir(), `accession-locks-${process.getuid?.() ?? userInfo().username}`), now = Date.now() } = {},
): Promise<(() => Promise<void>) | null> {
  await ownDirectory(directory);
  const release = lockFile(join(directory, `${createHash('sha256').update(root).digest('hex').slice(0, 32)}.lock`));
  if (release === null) return null;
  if (await isMarkAlive(root, now)) {
    release();
    return null;
  }
  return async () => release();
}

/** In a directory where everybody may write, a lock must not be somebody else's trap. */
async function ownDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const stats = await lstat(directory);
  if (stats.isDirectory() && (process.getuid === undefined || stats.uid === process.getuid())) return;
  const remedy = 'Remove it, or set TMPDIR to a directory of your own.';
  throw new AccessionError(failure('storage_failed', `"${directory}" is not a directory of this user.`, { remedy }));
}
