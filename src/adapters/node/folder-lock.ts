/**
 * Who renames in a folder. The lock keeps one user's programs on one machine apart; the mark, a file in the folder, says
 * to every program on every machine that sees the folder: a rename is open, and its journal is there.
 */
import { createHash } from 'node:crypto';
import { lstat, mkdir, rm, stat, utimes, readFile } from 'node:fs/promises';
import { tmpdir, userInfo, hostname } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { failed, isCode } from '#core/errors.ts';
import { readTextIfThere, writeFileAtomic } from './atomic-file.ts';
import { lockFile } from './lock-file.ts';

/** Names a running process so that another can say whether it still runs, however many reused its number since. */
const ProcessMarkSchema = v.object({
  host: v.string(),
  pid: v.number(),
  /** When it began, in the system's own words; `''` where the system does not say (no /proc). */
  began: v.string(),
});
type ProcessMark = v.InferOutput<typeof ProcessMarkSchema>;

async function ownMark(): Promise<ProcessMark> {
  return { host: hostname(), pid: process.pid, began: await beginOf(process.pid) };
}

/** `unknown` for a process of another machine or container, and where the system does not say. */
async function isRunning(mark: ProcessMark): Promise<boolean | 'unknown'> {
  if (mark.host !== hostname() || mark.began === '') return 'unknown';
  return (await beginOf(mark.pid)) === mark.began;
}

async function beginOf(pid: number): Promise<string> {
  try {
    const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses, with anything in it; the 22nd is the start in ticks.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    return `${boot} ${ticks ?? ''}`;
  } catch {
    return '';
  }
}

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
  const mark = v.safeParse(v.pipe(v.string(), v.parseJson(), MarkSchema), await readTextIfThere(path));
  return mark.success ? mark.output : null;
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
async function isMarkAlive(root: string, now: number): Promise<boolean> {
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

/**
 * Makes this process the only one that renames in a folder, until it is released or the process ends. Among one
 * user's programs on one machine the system's own lock says who is; of others the folder's mark tells.
 * @param root absolute, without links
 * @returns null while somebody else is at work there
 */
export async function lockFolder(
  root: string,
  directory = locksOfUser(),
  now = Date.now(),
): Promise<(() => Promise<void>) | null> {
  const release = lockFile(await lockPlaceOf(root, directory));
  if (release === null) return null;
  if (await isMarkAlive(root, now)) {
    release();
    return null;
  }
  return async () => release();
}

const locksOfUser = (): string => join(tmpdir(), `accession-locks-${process.getuid?.() ?? userInfo().username}`);

/** Where the lock of a file or folder is, among one user's programs on one machine. @param path absolute, without links */
export async function lockPlaceOf(path: string, directory = locksOfUser()): Promise<string> {
  await ownDirectory(directory);
  return join(directory, `${createHash('sha256').update(path).digest('hex').slice(0, 32)}.lock`);
}

/** In a directory where everybody may write, a lock must not be somebody else's trap. */
async function ownDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const stats = await lstat(directory);
  if (stats.isDirectory() && (process.getuid === undefined || stats.uid === process.getuid())) return;
  const remedy = 'Remove it, or set TMPDIR to a directory of your own.';
  throw failed('storage_failed', `"${directory}" is not a directory of this user.`, { remedy });
}
