import { createHash } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMarkAlive } from './folder-mark.ts';
import { lockFile } from './lock-file.ts';

/**
 * Makes this process the only one that renames in a folder, until it is released or the process ends. On one machine
 * the system's own lock says who is; of others the folder's mark tells.
 * @param root absolute, without links
 * @returns null while somebody else is at work there
 */
export async function lockFolder(
  root: string,
  { directory = join(tmpdir(), 'accession-locks'), now = Date.now() } = {},
): Promise<(() => Promise<void>) | null> {
  // Whoever may rename in the folder may lock it: programs of other users meet here too.
  await mkdir(directory, { recursive: true });
  await chmod(directory, 0o1777).catch(() => undefined);
  const path = join(directory, `${createHash('sha256').update(root).digest('hex').slice(0, 32)}.lock`);
  const release = lockFile(path);
  if (release === null) return null;
  await chmod(path, 0o666).catch(() => undefined);
  if (await isMarkAlive(root, now)) {
    release();
    return null;
  }
  return async () => release();
}
