import { constants, type BigIntStats } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, rmdir, statfs } from 'node:fs/promises';
import { dirname, join, basename } from 'node:path';
import { AccessionError, failed, isCode, messageOf } from '#core/errors.ts';
import type { FileTree, OpenFile, TreeEntry, TreeRules } from '#core/plan/file-tree.ts';
import { parentsOf, otherCase, otherForm } from '#core/plan/plan-path.ts';
import type { Cancel } from '#core/ports.ts';
import { syncDirectory } from './atomic-file.ts';
import { folderOf, holdPlace, type HeldPlace } from './held-folder.ts';
import { FOLDER_MARK } from './folder-lock.ts';
import { moveFile, settleFile } from './move-file.ts';
import { removePart, replaceFile } from './replace-file.ts';

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

  readonly #byFolders: boolean | undefined;

  private constructor(root: string, rules: TreeRules, byFolders: boolean | undefined) {
    this.root = root;
    this.rules = rules;
    this.#byFolders = byFolders;
  }

  /**
   * @throws AccessionError `not_found` where there is no such directory, `file_unreadable` where it cannot be read
   * @param byFolders as in `holdPlace`
   */
  static async open(directory: string, byFolders?: boolean): Promise<NodeFileTree> {
    try {
      const root = await realpath(directory);
      return new NodeFileTree(root, await detectRules(root), byFolders);
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
    const held = await this.#hold(folder === '' ? [''] : [...folder.split('/'), '']);
    try {
      return held === null ? [] : await this.#listHeld(folder, held.path);
    } catch (error) {
      // A directory that only others may look into (lost+found), or that went away meanwhile.
      if (folder !== '' && isCode(error, 'EACCES', 'EPERM', 'ENOENT')) return [];
      throw unreadable(folder === '' ? this.root : folder, error);
    } finally {
      await held?.close();
    }
  }

  async #listHeld(folder: string, place: string): Promise<TreeEntry[]> {
    const names = await readdir(place);
    const own = folder === '' ? names.filter((name) => !name.startsWith(FOLDER_MARK)) : names;
    const found = await Promise.all(
      own.map(async (name) => {
        const path = folder === '' ? name : `${folder}/${name}`;
        // A name that is no text comes back changed and leads nowhere; such a file is left out.
        const stats = await lstat(join(place, name), { bigint: true }).catch(() => null);
        return stats === null ? [] : [entryOf(path, stats)];
      }),
    );
    return found.flat();
  }

  async stat(path: string): Promise<TreeEntry | null> {
    if (!isPath(path)) return null;
    try {
      return await this.#at(path, async (held) =>
        held === null ? null : entryOf(path, await lstat(held.path, { bigint: true })),
      );
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
      await this.#at(folder, async (held) => {
        if (held === null) throw noFolder(folder);
        await mkdir(held.path).catch((error: unknown) => {
          if (!isCode(error, 'EEXIST')) throw unwritable(folder, error);
        });
        await syncDirectory(folderOf(held));
      });
    }
  }

  async removeDirectory(path: string): Promise<boolean> {
    return this.#at(path, async (held) => {
      if (held === null) return false;
      try {
        await rmdir(held.path);
      } catch (error) {
        if (isCode(error, 'ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR')) return false;
        throw unwritable(path, error);
      }
      await syncDirectory(folderOf(held));
      return true;
    });
  }

  async move(from: string, to: string): Promise<void> {
    await this.#at(from, (source) =>
      this.#at(to, async (target) => {
        const there = source && (await lstat(source.path, { bigint: true }).catch(() => null));
        if (source === null || there === null) throw failed('not_found', `"${from}" is not there.`);
        if (!there.isFile()) throw failed('conflict', `"${from}" is not a file.`);
        if (target === null) throw noFolder(to);
        const names = { from: join(this.root, from), to: join(this.root, to) };
        const isSame = async (): Promise<boolean> => (await source.isSame()) && (await target.isSame());
        await moveFile(source.path, target.path, { names, isSame });
      }),
    );
  }

  async settle(from: string, to: string): Promise<void> {
    const names = { from: join(this.root, from), to: join(this.root, to) };
    await this.#at(from, (source) =>
      this.#at(to, async (target) => {
        if (source !== null && target !== null) await settleFile(source.path, target.path, names);
      }),
    );
  }

  async replace(path: string, content: Uint8Array<ArrayBuffer>, modified?: number): Promise<void> {
    await this.#at(path, async (held) => {
      const there = held && (await lstat(held.path).catch(() => null));
      if (held === null || there === null) throw failed('not_found', `"${path}" is not there.`);
      if (!there.isFile()) throw failed('conflict', `"${path}" is not a file.`);
      await replaceFile(held.path, content, { mode: there.mode, modified, isSame: () => held.isSame() }).catch(
        (error: unknown) => {
          throw error instanceof AccessionError ? error : unwritable(path, error);
        },
      );
    });
  }

  async settleReplace(path: string): Promise<void> {
    await this.#at(path, async (held) => {
      if (held !== null) await removePart(held.path);
    });
  }

  async *read(path: string): AsyncIterable<Uint8Array> {
    try {
      const handle = await this.#at(path, async (held) => {
        if (held === null) throw failed('not_found', `"${path}" is not there.`);
        return open(held.path, constants.O_RDONLY | constants.O_NOFOLLOW);
      });
      yield* handle.createReadStream();
    } catch (error) {
      throw asFailure(path, error);
    }
  }

  async open(path: string): Promise<OpenFile | null> {
    try {
      return await this.#at(path, async (held) => (held === null ? null : openWithin(held.path)));
    } catch (error) {
      // A link, where a file was a moment ago, is no file either.
      if (isCode(error, 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP')) return null;
      throw unreadable(path, error);
    }
  }

  /** Does something at a path while its folder is held; null where one of its folders is missing, a link or no folder. */
  async #at<T>(path: string, work: (held: HeldPlace | null) => Promise<T>): Promise<T> {
    if (!isPath(path)) throw failed('invalid', `"${path}" is not a path below the folder.`);
    const held = await this.#hold(path.split('/')).catch((error: unknown) => {
      throw asFailure(path, error);
    });
    try {
      return await work(held);
    } finally {
      await held?.close();
    }
  }

  #hold(names: readonly string[]): Promise<HeldPlace | null> {
    return holdPlace(this.root, names, this.#byFolders);
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

function noFolder(path: string): AccessionError {
  return unwritable(path, new Error('its folder is not there, or is a link'));
}

function unwritable(path: string, error: unknown): AccessionError {
  if (isCode(error, 'ENOSPC', 'EDQUOT'))
    return failed('storage_full', `There is no space left on the disk for "${path}".`, {
      remedy: 'Free space on the disk, then try again.',
      cause: error,
    });
  if (isCode(error, 'EROFS'))
    return failed('file_unreadable', `"${path}" cannot be written: its disk takes no writes.`, {
      remedy: 'Make the disk writable, or copy the folder to another one, then try again.',
      cause: error,
    });
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
