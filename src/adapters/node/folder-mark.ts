/**
 * A file in a media folder that says: a rename of this folder is open, and its journal is there. It tells every program
 * on every machine that sees the folder, whichever journals that program keeps.
 */
import { lstat, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { isCode, readTextIfThere, writeFileAtomic } from './atomic-file.ts';
import { isRunning, ownMark, ProcessMarkSchema } from './process-mark.ts';

export const FOLDER_MARK = '.accession-rename.json';
/** Milliseconds: a process that cannot be asked counts as running as long as its mark is not older. */
const SILENT = 15 * 60_000;

const MarkSchema = v.object({ journal: v.string(), id: v.string(), process: ProcessMarkSchema });
export type FolderMark = v.InferOutput<typeof MarkSchema>;

/** A file, not a link or a device, of at most so many bytes. */
export async function isFileUpTo(path: string, bytes: number): Promise<boolean> {
  const stats = await lstat(path).catch(() => null);
  return stats !== null && stats.isFile() && stats.size <= bytes;
}

/** Null where the folder has none, or one that cannot be read as one. */
export async function readMark(root: string): Promise<FolderMark | null> {
  const path = join(root, FOLDER_MARK);
  // It may have come with the files: it can be anything.
  if (!(await isFileUpTo(path, 64 * 1024))) return null;
  const text = await readTextIfThere(path);
  if (text === null) return null;
  try {
    return v.parse(MarkSchema, JSON.parse(text));
  } catch {
    return null;
  }
}

/** @param journal absolute path of the file */
export async function writeMark(root: string, journal: string, id: string): Promise<void> {
  const mark: FolderMark = { journal, id, process: await ownMark() };
  await writeFileAtomic(join(root, FOLDER_MARK), `${JSON.stringify(mark, null, 2)}\n`);
}

/** Says that whoever wrote the mark is still at it. */
export async function touchMark(root: string): Promise<void> {
  const now = new Date();
  await utimes(join(root, FOLDER_MARK), now, now).catch((error: unknown) => {
    if (!isCode(error, 'ENOENT')) throw error;
  });
}

export async function removeMark(root: string): Promise<void> {
  await rm(join(root, FOLDER_MARK), { force: true });
}

/** Another process that is at work in the folder, as far as its mark tells. */
export async function isMarkAlive(root: string, now: number): Promise<boolean> {
  const mark = await readMark(root);
  if (mark === null) return false;
  const own = await ownMark();
  if (mark.process.host === own.host && mark.process.pid === own.pid && mark.process.began === own.began) return false;
  const running = await isRunning(mark.process);
  if (running !== 'unknown') return running;
  // On a system that does not say when a process began, this machine's lock has answered already.
  if (mark.process.host === own.host) return false;
  const touched = await stat(join(root, FOLDER_MARK)).then(
    (stats) => stats.mtimeMs,
    () => 0,
  );
  return Math.abs(now - touched) < SILENT;
}
