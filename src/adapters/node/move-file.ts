/** Moves one file without ever putting it over another, and durably. Paths are absolute; parents are there. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, link, lstat, rename, rm, unlink, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AccessionError, failed, isCode, messageOf } from '#core/errors.ts';
import { syncDirectory, writeWhole, hashOf } from './atomic-file.ts';

/**
 * By a hard link where those work, since making one refuses a name that is taken; by a check and a rename otherwise;
 * between devices by a verified copy.
 * @throws AccessionError `conflict` when `to` is taken, `not_found` when `from` is gone, `file_unreadable` otherwise;
 * the file is at `from` then, unless the disk went away in the middle (`settleFile`)
 */
export async function moveFile(from: string, to: string, moving: Partial<Moving> = {}): Promise<void> {
  const { names = { from, to }, isSame = () => Promise.resolve(true), makeLink = link } = moving;
  const way = { names, isSame, makeLink };
  try {
    await place(from, to, () => copyOver(from, to, way), way);
  } catch (error) {
    throw await asFailure(error, from, names);
  }
  await syncDirectory(dirname(to));
  if (dirname(from) !== dirname(to)) await syncDirectory(dirname(from));
}

interface Names {
  from: string;
  to: string;
}

interface Moving {
  /** How both are called to a person, and by recovery, where they are reached by other paths. */
  names: Names;
  /** Whether both folders are still those that were meant: asked before the old name goes. */
  isSame: () => Promise<boolean>;
  /** The system's; another one in tests of systems that refuse it. */
  makeLink: typeof link;
}

/** Gives the file at `from` the name `to`; `elsewhere` where that is on another device. */
async function place(from: string, to: string, elsewhere: () => Promise<void>, way: Moving): Promise<void> {
  try {
    await way.makeLink(from, to);
  } catch (error) {
    if (isCode(error, 'EEXIST', 'ENOENT')) throw error;
    if (isCode(error, 'EXDEV')) return elsewhere();
    return renameUntaken(from, to, elsewhere, way);
  }
  if (!(await way.isSame())) {
    await unlink(to);
    throw movedAway(way.names);
  }
  await removeOr(from, to);
}

/** Where there are no hard links (FAT, some shares, files of another owner). */
async function renameUntaken(
  from: string,
  to: string,
  elsewhere: () => Promise<void>,
  { names, isSame }: Moving,
): Promise<void> {
  if (await isThere(to)) throw taken(names.to);
  try {
    await rename(from, to);
    if (await isSame()) return;
    await rename(to, from);
    throw movedAway(names);
  } catch (error) {
    if (!isCode(error, 'EXDEV')) throw error;
    await elsewhere();
  }
}

/** Two names, one file: takes the old one away, or else the new one. */
async function removeOr(from: string, to: string): Promise<void> {
  try {
    await unlink(from);
  } catch (error) {
    await unlink(to);
    throw error;
  }
}

/** The copy gets its name when it is on the disk and reads as the original does; only then the original goes. */
export async function copyOver(from: string, to: string, moving: Partial<Moving> = {}): Promise<void> {
  const { names = { from, to }, isSame = () => Promise.resolve(true) } = moving;
  const part = copyName(names, dirname(to));
  const before = await lstat(from);
  try {
    await rm(part, { force: true });
    const { sha256 } = await writeWhole(part, createReadStream(from));
    if ((await hashOf(part)) !== sha256)
      throw failed('file_unreadable', `The copy of "${names.from}" is not what was written.`);
    await chmod(part, before.mode & 0o7777);
    await utimes(part, sameMillisecond(before.atimeMs), sameMillisecond(before.mtimeMs));
    const after = await lstat(from);
    if (after.size !== before.size || after.mtimeMs !== before.mtimeMs)
      throw failed('file_unreadable', `"${names.from}" changed while it was copied.`);
    const notApart = () => Promise.reject(new Error('a name beside a file is on another device'));
    await place(part, to, notApart, { names, isSame, makeLink: link });
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  await syncDirectory(dirname(to));
  await removeOr(from, to);
}

/**
 * After a crash in the middle of `moveFile(from, to)`: takes half a copy away, and the old name where both names hold
 * the same bytes.
 */
export async function settleFile(from: string, to: string, names: Names = { from, to }): Promise<void> {
  const part = copyName(names, dirname(to));
  const [old, made] = [await statOf(from), await statOf(to)];
  if (old === null && made === null) return;
  await rm(part, { force: true });
  if (!old?.isFile() || !made?.isFile()) return;
  const oneFile = old.ino === made.ino && old.dev === made.dev;
  if (!oneFile && (old.size !== made.size || (await hashOf(from)) !== (await hashOf(to)))) return;
  await unlink(from);
  await syncDirectory(dirname(from));
}

/** In seconds, as utimes takes them: the middle of the millisecond, so that rounding leads to no other one. */
export function sameMillisecond(time: number): number {
  return (Math.floor(time) + 0.5) / 1000;
}

/** Beside its place; the same for the same move, so that recovery finds it. */
function copyName({ from, to }: Names, folder: string): string {
  const own = createHash('sha256').update(`${from}\0${to}`).digest('hex').slice(0, 16);
  return join(folder, `.accession-copy-${own}`);
}

async function statOf(path: string) {
  try {
    return await lstat(path, { bigint: true });
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
}

async function isThere(path: string): Promise<boolean> {
  return (await statOf(path)) !== null;
}

/** Somebody put something else in the place of a folder meanwhile. */
function movedAway({ from, to }: Names): AccessionError {
  return failed('conflict', `The folder of "${from}" or of "${to}" was changed while the file was moved.`);
}

function taken(to: string): AccessionError {
  return failed('conflict', `There is something called "${to}" already.`);
}

/** What the system said, as one of our failures. */
async function asFailure(error: unknown, source: string, { from, to }: Names): Promise<unknown> {
  if (error instanceof AccessionError) return error;
  if (isCode(error, 'EEXIST')) return taken(to);
  if (isCode(error, 'ENOENT') && !(await isThere(source))) return failed('not_found', `"${from}" is not there.`);
  if (isCode(error, 'ENOSPC', 'EDQUOT'))
    return failed('storage_full', `There is no space left for "${to}".`, { cause: error });
  const remedy = 'Check that the folder may be written, then try again.';
  return failed('file_unreadable', `"${from}" could not be moved: ${wordsOf(error, source, from)}.`, { remedy });
}

/** What the system said, with the name that a person knows. */
function wordsOf(error: unknown, source: string, from: string): string {
  return messageOf(error)
    .replaceAll(source, from)
    .replaceAll(/\/proc\/self\/fd\/\d+\//g, '');
}
