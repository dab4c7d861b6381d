/** Gives a file another content by one rename: whoever looks, sees the old one or the new one. Paths are absolute. */
import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { failed } from '#core/errors.ts';
import { syncDirectory } from './atomic-file.ts';
import { sameMillisecond } from './move-file.ts';

/** What is written beside a file until it is whole: always the same name, so that what a crash left is found. */
const partOf = (path: string): string =>
  join(dirname(path), `.accession-${createHash('sha256').update(basename(path)).digest('hex').slice(0, 16)}.part`);

/** Throws what the system says, and AccessionError `conflict` where the folder was moved away; the file is as before then. */
export async function replaceFile(
  path: string,
  content: Uint8Array,
  { mode, modified, isSame }: { mode: number; modified: number | undefined; isSame: () => Promise<boolean> },
): Promise<void> {
  const part = partOf(path);
  await rm(part, { force: true });
  try {
    const handle = await open(part, 'wx', 0o600);
    try {
      await handle.writeFile(content);
      await handle.chmod(mode & 0o7777);
      if (modified !== undefined) await handle.utimes(new Date(), sameMillisecond(modified));
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (!(await isSame())) throw failed('conflict', 'Its folder was moved away in the meantime.');
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  await syncDirectory(dirname(path));
}

/** After a crash. */
export const removePart = (path: string): Promise<void> => rm(partOf(path), { force: true });
