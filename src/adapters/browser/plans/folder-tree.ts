/**
 * A folder that the person opened, over the File System Access API. Whoever moves files in it holds the folder's lock
 * (rename-lock.ts): `move()` of the browser silently overwrites, so that the target is checked right before.
 */
import { chunksOf } from '../../media/blob-pieces.ts';
import { AccessionError, failed, isQuotaExceeded, messageOf } from '#core/errors.ts';
import type { FileTree, OpenFile, TreeEntry, TreeRules } from '#core/plan/file-tree.ts';
import type { Cancel } from '#core/ports.ts';
import { canMove, isDirectory } from './file-system-access.types.ts';
import { otherCase, otherForm } from '#core/plan/plan-path.ts';
import { createSHA256 } from 'hash-wasm';

/**
 * A move where the browser has none. The executor's journal says that it was begun, so that a crash leaves either the
 * source alone, or the source with an empty or whole copy beside it, or the target alone; settleCopy makes one of it:
 *
 *   empty target -> bytes, all at once when they are written -> hashes agree -> source deleted
 */

interface CopyMove {
  source: FileSystemDirectoryHandle;
  file: FileSystemFileHandle;
  target: FileSystemDirectoryHandle;
  name: string;
}

/** The target was looked for right before and is not there. Throws when the copy is not the same; the source then stays. */
async function moveByCopy(move: CopyMove): Promise<void> {
  const { source, file, target, name } = move;
  let ours = false;
  try {
    const copy = await target.getFileHandle(name, { create: true });
    if ((await copy.getFile()).size > 0) throw failed('conflict', `"${name}" is there already.`, { subject: name });
    ours = true;
    const original = await file.getFile();
    await original.stream().pipeTo(await copy.createWritable());
    if (!(await same(original, await copy.getFile())))
      throw failed('file_unreadable', `The copy of "${file.name}" is not the same.`);
    await source.removeEntry(file.name);
  } catch (thrown) {
    if (ours && (await isThere(source, file.name))) await target.removeEntry(name);
    throw thrown;
  }
}

async function isThere(folder: FileSystemDirectoryHandle, name: string): Promise<boolean> {
  try {
    await folder.getFileHandle(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * While the source is there, a target that is empty or the same goes: nothing else can come of a copy, and anything else
 * is somebody's and stays.
 */
async function settleCopy({ source, file, target, name }: CopyMove): Promise<void> {
  try {
    const original = await (await source.getFileHandle(file.name)).getFile();
    const handle = await target.getFileHandle(name);
    if (await file.isSameEntry(handle)) return;
    const copy = await handle.getFile();
    if (copy.size === 0 || (await same(original, copy))) await target.removeEntry(name);
  } catch {
    // The source is gone, so that the copy is the file; or there is no copy.
  }
}

async function same(one: Blob, other: Blob): Promise<boolean> {
  return one.size === other.size && (await sha256(one)) === (await sha256(other));
}

async function sha256(blob: Blob): Promise<string> {
  const hash = await createSHA256();
  for await (const chunk of chunksOf(blob.stream())) hash.update(chunk);
  return hash.digest('hex');
}

/** How names behave in a folder of which only the browser's handle is known: found out where it can be, guessed by the platform otherwise. */

/** Of so many names at the top of the folder another spelling is tried. */
const TRIED = 8;

/** Below the folder; what is above it is not known here, and the system's limit is for both. */
const PATH_BYTES = 2048;

/**
 * Nothing is written for it: a file that also answers to its name in other letters, or in the other Unicode form, says
 * that the file system sees them as one. `platform` is the browser's word for the system, such as `MacIntel`.
 */
async function folderRules(root: FileSystemDirectoryHandle, platform: string): Promise<TreeRules> {
  const names: string[] = [];
  for await (const [name, handle] of root.entries()) if (handle.kind === 'file') names.push(name);
  const usual = systemRules(platform);
  const byCase = await sameFile(root, names, otherCase);
  const byForm = await sameFile(root, names, otherForm);
  return {
    ...usual,
    caseSensitive: byCase === null ? usual.caseSensitive : !byCase,
    unicode: byForm === null ? usual.unicode : byForm ? 'nfc-insensitive' : 'preserve',
  };
}

/** What is usual on the system; nobody says which file system a folder is on. */
export function systemRules(platform: string): TreeRules {
  const mac = /mac|iphone|ipad/i.test(platform);
  const windows = /win/i.test(platform);
  return {
    caseSensitive: !(mac || windows),
    unicode: mac ? 'nfc-insensitive' : 'preserve',
    // Chromium refuses these names on every system, and does not even list the files that have them.
    windowsNames: true,
    ...(windows ? {} : { limits: { name: 255, path: PATH_BYTES, unit: 'bytes' as const } }),
  };
}

/** Whether a file answers to the other spelling of its name; null where no name here has another. */
async function sameFile(
  root: FileSystemDirectoryHandle,
  names: readonly string[],
  other: (name: string) => string,
): Promise<boolean | null> {
  const taken = new Set(names);
  const tried = names.filter((name) => other(name) !== name && !taken.has(other(name))).slice(0, TRIED);
  for (const name of tried) {
    try {
      await root.getFileHandle(other(name));
      return true;
    } catch {
      // Not there under this spelling, or a spelling that the browser refuses.
    }
  }
  return tried.length === 0 ? null : false;
}

/** Why Chromium would not let a file have this name, although Windows would; null when it would. */
export function refusedByBrowser(name: string): string | null {
  if (/^[\s~]|[\s~]$/.test(name)) return 'the browser refuses names that begin or end with a space or "~"';
  if (/\.(?:lnk|local|scf|url)$/i.test(name)) return 'the browser refuses names with this ending';
  if (/^(?:desktop\.ini|thumbs\.db)$/i.test(name)) return 'the browser refuses this name';
  return null;
}

/** Files whose size and time are asked for at once. */
const AT_ONCE = 24;

/**
 * Opens the folder and finds out how its names behave; `platform` is `navigator.platform`. Throws AccessionError
 * `file_unreadable`.
 */
export async function openFolderTree(root: FileSystemDirectoryHandle, platform: string): Promise<FileTree> {
  try {
    return new FolderTree(root, await folderRules(root, platform));
  } catch (thrown) {
    throw refused(`"${root.name}" cannot be read`, thrown);
  }
}

class FolderTree implements FileTree {
  readonly rules: TreeRules;
  readonly #root: FileSystemDirectoryHandle;

  constructor(root: FileSystemDirectoryHandle, rules: TreeRules) {
    this.#root = root;
    this.rules = rules;
  }

  async *list(cancel?: Cancel): AsyncIterable<TreeEntry> {
    const folders: { path: string; handle: FileSystemDirectoryHandle }[] = [{ path: '', handle: this.#root }];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      const files: { path: string; handle: FileSystemFileHandle }[] = [];
      try {
        // The browser follows no symbolic links and lists none.
        for await (const [name, handle] of folder.handle.entries()) {
          const path = folder.path === '' ? name : `${folder.path}/${name}`;
          if (isDirectory(handle)) folders.push({ path, handle });
          else files.push({ path, handle });
        }
      } catch (thrown) {
        throw refused(`"${folder.path === '' ? this.#root.name : folder.path}" cannot be read`, thrown);
      }
      if (folder.path !== '') yield { path: folder.path, kind: 'directory', size: 0, modified: 0 };
      for (let first = 0; first < files.length; first += AT_ONCE) {
        if (cancel?.aborted) throw failed('cancelled', 'Reading the folder was cancelled.');
        const some = await Promise.all(
          files.slice(first, first + AT_ONCE).map((file) => entryOf(file.handle, file.path)),
        );
        for (const entry of some) if (entry !== null) yield entry;
      }
    }
  }

  async stat(path: string): Promise<TreeEntry | null> {
    const { parent, name } = await this.#place(path);
    if (parent === null) return null;
    try {
      return await entryOf(await parent.getFileHandle(name), path);
    } catch (thrown) {
      if (isNamed(thrown, 'TypeMismatchError')) return { path, kind: 'directory', size: 0, modified: 0 };
      if (isNamed(thrown, 'NotFoundError')) return null;
      throw refused(`"${path}" cannot be read`, thrown, path);
    }
  }

  async makeDirectory(path: string): Promise<void> {
    try {
      let folder = this.#root;
      for (const name of path.split('/')) folder = await folder.getDirectoryHandle(name, { create: true });
    } catch (thrown) {
      throw refused(`The folder "${path}" cannot be made`, thrown, path);
    }
  }

  async removeDirectory(path: string): Promise<boolean> {
    const { parent, name } = await this.#place(path);
    if (parent === null) return false;
    try {
      // A file of this name is not ours to remove.
      await parent.getDirectoryHandle(name);
      await parent.removeEntry(name);
      return true;
    } catch (thrown) {
      if (['NotFoundError', 'TypeMismatchError', 'InvalidModificationError'].some((known) => isNamed(thrown, known)))
        return false;
      throw refused(`The folder "${path}" cannot be removed`, thrown, path);
    }
  }

  async move(from: string, to: string): Promise<void> {
    const [source, target] = [await this.#place(from), await this.#place(to)];
    const file = await fileIn(source.parent, source.name);
    if (file === null || source.parent === null)
      throw failed('not_found', `"${from}" is not there any more.`, { subject: from });
    if (target.parent === null) throw failed('not_found', `The folder of "${to}" is not there.`, { subject: to });
    await this.#mustBeFree(to);
    try {
      if (canMove(file)) await file.move(target.parent, target.name);
      else await moveByCopy({ source: source.parent, file, target: target.parent, name: target.name });
    } catch (thrown) {
      throw refused(`"${from}" cannot be renamed to "${to}"`, thrown, from);
    }
  }

  async settle(from: string, to: string): Promise<void> {
    const [source, target] = [await this.#place(from), await this.#place(to)];
    const file = await fileIn(source.parent, source.name);
    if (file === null || source.parent === null || target.parent === null) return;
    await settleCopy({ source: source.parent, file, target: target.parent, name: target.name });
  }

  /** The browser writes beside the file and puts that in its place when the stream is closed. It lets no time be set. */
  async replace(path: string, content: Uint8Array<ArrayBuffer>): Promise<void> {
    const { parent, name } = await this.#place(path);
    const handle = await fileIn(parent, name);
    if (handle === null) throw failed('not_found', `"${path}" is not there any more.`, { subject: path });
    try {
      await writeWhole(handle, content);
    } catch (thrown) {
      throw refused(`"${path}" cannot be written to`, thrown, path);
    }
  }

  /** What a browser that ended in the middle left beside the file, where it shows such files. */
  async settleReplace(path: string): Promise<void> {
    const { parent, name } = await this.#place(path);
    await parent?.removeEntry(`${name}.crswap`).catch(() => undefined);
  }

  async create(path: string, content: Uint8Array<ArrayBuffer>): Promise<void> {
    const { parent, name } = await this.#place(path);
    if (parent === null) throw failed('not_found', `The folder of "${path}" is not there.`, { subject: path });
    await this.#mustBeFree(path);
    try {
      await writeWhole(await parent.getFileHandle(name, { create: true }), content).catch(async (thrown: unknown) => {
        await parent.removeEntry(name);
        throw thrown;
      });
    } catch (thrown) {
      throw refused(`"${path}" cannot be written`, thrown, path);
    }
  }

  async *read(path: string): AsyncIterable<Uint8Array> {
    const { parent, name } = await this.#place(path);
    const file = await fileIn(parent, name);
    if (file === null) throw failed('not_found', `"${path}" is not there any more.`, { subject: path });
    yield* chunksOf((await file.getFile()).stream());
  }

  async open(path: string): Promise<OpenFile | null> {
    const { parent, name } = await this.#place(path);
    const handle = await fileIn(parent, name);
    if (handle === null) return null;
    const file = await handle.getFile();
    return {
      size: file.size,
      read: async (start, end) => new Uint8Array(await file.slice(start, end).arrayBuffer()),
      close: () => Promise.resolve(),
    };
  }

  async #mustBeFree(path: string): Promise<void> {
    if ((await this.stat(path)) !== null) throw failed('conflict', `"${path}" is there already.`, { subject: path });
  }

  /** The folder that a path is in, by segment, or null where it is not there. */
  async #place(path: string): Promise<{ parent: FileSystemDirectoryHandle | null; name: string }> {
    const names = path.split('/');
    const name = names.pop() ?? '';
    let parent = this.#root;
    try {
      for (const folder of names) parent = await parent.getDirectoryHandle(folder);
      return { parent, name };
    } catch (thrown) {
      if (isNamed(thrown, 'NotFoundError') || isNamed(thrown, 'TypeMismatchError')) return { parent: null, name };
      throw refused(`"${path}" cannot be reached`, thrown, path);
    }
  }
}

/** Nothing of the file changes before all of it is written. */
async function writeWhole(handle: FileSystemFileHandle, content: Uint8Array<ArrayBuffer>): Promise<void> {
  await new Blob([content]).stream().pipeTo(await handle.createWritable());
}

async function fileIn(parent: FileSystemDirectoryHandle | null, name: string): Promise<FileSystemFileHandle | null> {
  try {
    return (await parent?.getFileHandle(name)) ?? null;
  } catch (thrown) {
    if (isNamed(thrown, 'NotFoundError') || isNamed(thrown, 'TypeMismatchError')) return null;
    throw refused(`"${name}" cannot be read`, thrown, name);
  }
}

/** Null when it went away between the listing and the look. */
async function entryOf(handle: FileSystemFileHandle, path: string): Promise<TreeEntry | null> {
  try {
    const { size, lastModified } = await handle.getFile();
    return { path, kind: 'file', size, modified: lastModified };
  } catch (thrown) {
    if (isNamed(thrown, 'NotFoundError')) return null;
    throw refused(`"${path}" cannot be read`, thrown, path);
  }
}

const isNamed = (thrown: unknown, name: string): boolean => thrown instanceof Error && thrown.name === name;

function refused(what: string, thrown: unknown, subject?: string): AccessionError {
  if (thrown instanceof AccessionError) return thrown;
  const extra = subject === undefined ? {} : { subject };
  if (isQuotaExceeded(thrown))
    return failed('storage_full', `${what}: there is no space left on its disk.`, {
      ...extra,
      remedy: 'Free space on the disk of the folder, then try again.',
      cause: thrown,
    });
  return failed('file_unreadable', `${what}: ${messageOf(thrown)}`, { ...extra, cause: thrown });
}
