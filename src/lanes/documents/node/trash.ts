/** The trash of a folder of documents: what a person removed, until it is emptied. */
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { failed, isCode } from '#core/errors.ts';
import { TRASH } from '#lanes/documents/core/plan/document-plan.ts';

/** Throws AccessionError `file_unreadable` where there is no such folder, and what the file system throws. */
export async function trashCommand(directory: string, empty: boolean, say: (line: string) => void): Promise<void> {
  const folder = await stat(directory).catch(() => null);
  if (folder?.isDirectory() !== true) throw failed('file_unreadable', `"${directory}" is no folder.`);
  const trash = join(directory, TRASH);
  const names = await readdir(trash).catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return [];
    throw error;
  });
  const count = `${names.length} ${names.length === 1 ? 'file' : 'files'}`;
  if (names.length === 0) return say('the trash is empty');
  if (!empty) {
    for (const name of names.toSorted()) say(name);
    return say(`${count} in ${trash}; --empty removes them for good`);
  }
  await rm(trash, { recursive: true });
  say(`${count} removed for good`);
}
