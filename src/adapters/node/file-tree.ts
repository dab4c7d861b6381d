import { constants, type BigIntStats } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, rmdir, statfs } from 'node:fs/promises';
import { dirname, join, basename } from 'node:path';
import { AccessionError, failed, isCode, messageOf } from '#core/errors.ts';
import type { FileTree, OpenFile, TreeEntry, TreeRules } from '#core/plan/file-tree.ts';
import { parentsOf, otherCase, otherForm } from '#core/plan/plan-path.ts';
import type { Cancel } from '#core/ports.ts';
import { syncDirectory } from './atomic-file.ts';
import { FOLDER_MARK } from './folder-lock.ts';
import { moveFile, settleFile } from './move-file.ts';

/** What Linux calls file systems that take the names of Windows only: FAT, exFAT, SMB (statfs(2)). */
const WINDOWS_LIKE = new Set([0x4d44, 0x2011bab0, 0xff534d42, 0xfe534d42, 0x517b]);
/** Bytes of a whole path, or units on Windows, where other programs stop at 259. */
const LONGEST: Partial<Record<NodeJS.Platform, number>> = { win32: 259, darwin: 1023 };

/**
 * How names behave in a directory, found without writing there: a name in another case or Unicode form that leads to
 * the same file says so; where no name can tell, the platform's habit counts. A wrong guess loses nothing: moves never
 * overwrite.
 * @param root an absolute path without links in it
 */
async function detectRules(root: string, platform: NodeJS.Platform = process.platform): Promise<TreeRules> {
  const names = [...(await namesIn(root)).map((name) => join(root, name)), root];
  const one = await firstAnswer(names, otherCase);
  const form = await firstAnswer(names, otherForm);
  const windows = platform === 'win32';
  const type = await statfs(root).then(
    (stats) => stats.type >>> 0,
    () => 0,
  );
  const windowsNames = windows || (platform === 'linux' && WINDOWS_LIKE.has(type));
  const unit = windows ? 'units' : 'bytes';
  const used = windows ? root.length : Buffer.byteLength(root);
  return {
    caseSensitive: one === null ? !(windowsNames || platform === 'darwin') : !one,
    unicode: (form ?? platform === 'darwin') ? 'nfc-insensitive' : 'preserve',
    windowsNames,
    limits: { name: 255, path: (LONGEST[platform] ?? 4095) - used - 1, unit },
  };
}

async function namesIn(root: string): Promise<string[]> {
  const names: string[] = [];
  for (const name of await readdir(root)) {
    names.push(name);
    if (names.length === 1000) break;
  }
  return names;
}

/** Whether the first name that can tell leads to the same file when it is spelled otherwise; null where none can. */
async function firstAnswer(paths: readonly string[], otherwise: (name: string) => string): Promise<boolean | null> {
  for (const path of paths) {
    const name = basename(path);
    const other = otherwise(name);
    if (other === name) continue;
    const [real, same] = [await inode(path), await inode(join(dirname(path), other))];
    if (real !== null) return same !== null && same.ino === real.ino && same.dev === real.dev;
  }
  return null;
}

async function inode(path: string): Promise<BigIntStats | null> {
  return lstat(path, { bigint: true }).catch(() => null);
}

/** A directory of this machine. Nothing outside of it is read or written: links are not followed, not even at a parent. */
export class NodeFileTree implements FileTree {
  readonly rules: TreeRules;
  /** Absolute, without links: names the folder for journals and locks. */
  readonly root: string;

  private constructor(root: string, rules: TreeRules) {
    this.root = root;
    this.rules = rules;
  }

  /** @throws AccessionError `not_found` where there is no such directory, `file_unreadable` where it cannot be read */
  static async open(directory: string): Promise<NodeFileTree> {
    try {
      const root = await realpath(directory);
      return new NodeFileTree(root, await detectRules(root));
    } catch (error) {
      const remedy = 'Check the path of the folder.';
      if (isCode(error, 'ENOENT', 'ENOTDIR')) throw failed('not_found', `"${directory}" is not a folder.`, { remedy });
      throw unreadable(directory, error);
    }
  }

  async *list(cancel?: Cancel): AsyncIterable<TreeEntry> {
    const waiting = [''];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      if (cancel?.aborted === true) throw failed('cancelled', 'Reading the folder was cancelled.');
      for (const entry of await this.#listOne(folder)) {
        if (entry.kind === 'directory') waiting.push(entry.path);
        if (entry.kind !== 'other') yield entry;
      }
    }
  }

  async #listOne(folder: string): Promise<TreeEntry[]> {
    let names: string[];
    try {
      names = await readdir(join(this.root, folder));
    } catch (error) {
      // A directory that only others may look into (lost+found), or that went away meanwhile.
      if (folder !== '' && isCode(error, 'EACCES', 'EPERM', 'ENOENT')) return [];
      throw unreadable(folder === '' ? this.root : folder, error);
    }
    const own = folder === '' ? names.filter((name) => !name.startsWith(FOLDER_MARK)) : names;
    const found = await Promise.all(
      own.map(async (name) => {
        const path = folder === '' ? name : `${folder}/${name}`;
        // A name that is no text comes back changed and leads nowhere; such a file is left out.
        const stats = await lstat(join(this.root, path), { bigint: true }).catch(() => null);
        return stats === null ? [] : [entryOf(path, stats)];
      }),
    );
    return found.flat();
  }

  async stat(path: string): Promise<TreeEntry | null> {
    if (!isPath(path)) return null;
    try {
      const place = await this.#place(path);
      return place === null ? null : entryOf(path, await lstat(place, { bigint: true }));
    } catch (error) {
      if (isCode(error, 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG')) return null;
      throw asFailure(path, error);
    }
  }

  async makeDirectory(path: string): Promise<void> {
    for (const folder of [...parentsOf(path), path]) {
      const there = await this.stat(folder);
      if (there?.kind === 'directory') continue;
      if (there !== null) throw failed('conflict', `"${folder}" is not a folder.`);
      const place = join(this.root, folder);
      await mkdir(place).catch((error: unknown) => {
        if (!isCode(error, 'EEXIST')) throw unwritable(folder, error);
      });
      await syncDirectory(dirname(place));
    }
  }

  async removeDirectory(path: string): Promise<boolean> {
    const place = await this.#place(path);
    if (place === null) return false;
    try {
      await rmdir(place);
    } catch (error) {
      if (isCode(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR')) return false;
      throw unwritable(path, error);
    }
    await syncDirectory(dirname(place));
    return true;
  }

  async move(from: string, to: string): Promise<void> {
    const [source, target] = [await this.#place(from), await this.#place(to)];
    const there = await this.stat(from);
    if (source === null || there === null) throw failed('not_found', `"${from}" is not there.`);
    if (there.kind !== 'file') throw failed('conflict', `"${from}" is not a file.`);
    if (target === null) throw unwritable(to, new Error('its folder is not there, or is a link'));
    await moveFile(source, target);
  }

  async settle(from: string, to: string): Promise<void> {
    const [source, target] = [await this.#place(from), await this.#place(to)];
    if (source !== null && target !== null) await settleFile(source, target);
  }

  async *read(path: string): AsyncIterable<Uint8Array> {
    const place = await this.#place(path);
    if (place === null) throw failed('not_found', `"${path}" is not there.`);
    try {
      const handle = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW);
      yield* handle.createReadStream();
    } catch (error) {
      throw unreadable(path, error);
    }
  }

  async open(path: string): Promise<OpenFile | null> {
    const place = await this.#place(path);
    if (place === null) return null;
    try {
      return await openWithin(place);
    } catch (error) {
      // A link, where a file was a moment ago, is no file either.
      if (isCode(error, 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP')) return null;
      throw unreadable(path, error);
    }
  }

  /** Where a path is on the disk; null where one of its parents is missing, a link or no directory. */
  async #place(path: string): Promise<string | null> {
    if (!isPath(path)) throw failed('invalid', `"${path}" is not a path below the folder.`);
    for (const parent of parentsOf(path)) {
      const stats = await lstat(join(this.root, parent)).catch((error: unknown) => {
        if (isCode(error, 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG')) return null;
        throw asFailure(parent, error);
      });
      if (!stats?.isDirectory()) return null;
    }
    return join(this.root, path);
  }
}

/** Of plain names, so that nothing above the folder can be meant. */
function isPath(path: string): boolean {
  if (path.includes('\0') || (process.platform === 'win32' && /[\\:]/.test(path))) return false;
  return !path.split('/').some((part) => part === '' || part === '.' || part === '..');
}

function entryOf(path: string, stats: BigIntStats): TreeEntry {
  if (stats.isDirectory()) return { path, kind: 'directory', size: 0, modified: 0 };
  if (!stats.isFile()) return { path, kind: 'other', size: 0, modified: 0 };
  return { path, kind: 'file', size: Number(stats.size), modified: Number(stats.mtimeMs) };
}

function asFailure(path: string, error: unknown): unknown {
  return error instanceof AccessionError ? error : unreadable(path, error);
}

function unreadable(path: string, error: unknown): AccessionError {
  return refused(`"${path}" cannot be read`, error);
}

function unwritable(path: string, error: unknown): AccessionError {
  return refused(`"${path}" cannot be written`, error);
}

function refused(what: string, error: unknown): AccessionError {
  const remedy = 'Check who may use the folder, then try again.';
  return failed('file_unreadable', `${what}: ${messageOf(error)}.`, { remedy, cause: error });
}

/** The file at this place; null where it is none. A link is not followed, a pipe not waited for. Throws as `open` does. */
async function openWithin(place: string): Promise<OpenFile | null> {
  const handle = await open(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const stats = await handle.stat().catch(() => null);
  if (!stats?.isFile()) {
    await handle.close();
    return null;
  }
  return {
    size: stats.size,
    async read(start, end) {
      const bytes = new Uint8Array(Math.max(0, Math.min(end, stats.size) - start));
      let read = 0;
      while (read < bytes.length) {
        const { bytesRead } = await handle.read(bytes, read, bytes.length - read, start + read);
        if (bytesRead === 0) break;
        read += bytesRead;
      }
      return bytes.subarray(0, read);
    },
    close: () => handle.close(),
  };
}
