/** Folders as a browser has them: handles of the File System Access API, or lists of files that were dropped or chosen. */
import { failed } from '#core/errors.ts';
import type { FolderEntry, FolderSource } from '#lanes/library/core/indexing/ports.ts';

export interface ListedFile {
  /** Below the drop, `/` separated. */
  path: string;
  file: File;
}

/** Not followed in browsers: links are what they lead to, and circles do not occur in what they hand over. */
export function handleFolder(root: FileSystemDirectoryHandle): FolderSource {
  const directories = new Map<string, FileSystemDirectoryHandle>([['', root]]);
  const directory = async (path: string): Promise<FileSystemDirectoryHandle> => {
    const known = directories.get(path);
    if (known !== undefined) return known;
    const cut = path.lastIndexOf('/');
    const above = await directory(cut < 0 ? '' : path.slice(0, cut));
    const handle = await above.getDirectoryHandle(path.slice(cut + 1));
    directories.set(path, handle);
    return handle;
  };
  return {
    async list(path) {
      const entries: FolderEntry[] = [];
      for await (const [name, handle] of (await directory(path)).entries()) entries.push(await entryOf(name, handle));
      return entries;
    },
    async read(path) {
      const cut = path.lastIndexOf('/');
      try {
        const handle = await (await directory(cut < 0 ? '' : path.slice(0, cut))).getFileHandle(path.slice(cut + 1));
        return await bytesOf(await handle.getFile(), path);
      } catch (thrown) {
        if (thrown instanceof DOMException && ['NotFoundError', 'TypeMismatchError'].includes(thrown.name)) return null;
        throw thrown;
      }
    },
  };
}

async function entryOf(name: string, handle: FileSystemHandle): Promise<FolderEntry> {
  if (handle.kind === 'directory') return { name, kind: 'directory', size: 0, modified: 0 };
  try {
    const { size, lastModified } = await (handle as FileSystemFileHandle).getFile();
    return { name, kind: 'file', size, modified: lastModified };
  } catch {
    return { name, kind: 'other', size: 0, modified: 0 };
  }
}

/** Throws AccessionError `file_unreadable` where it changed since the browser handed it over. */
async function bytesOf(file: File, path: string): Promise<{ bytes: Uint8Array; modified: number }> {
  try {
    return { bytes: new Uint8Array(await file.arrayBuffer()), modified: file.lastModified };
  } catch {
    throw failed('file_unreadable', `"${path}" cannot be read, or changes while it is read.`, { subject: path });
  }
}

/** Files that were dropped or chosen, as the folder that they come from. */
export function listedFolder(files: readonly ListedFile[]): FolderSource {
  const byPath = new Map(files.map(({ path, file }) => [path, file]));
  const entries = new Map<string, Map<string, FolderEntry>>([['', new Map()]]);
  const put = (directory: string, entry: FolderEntry): void => {
    const own = entries.get(directory) ?? new Map<string, FolderEntry>();
    entries.set(directory, own);
    own.set(entry.name, entry);
  };
  for (const [path, { size, lastModified }] of byPath) {
    const parts = path.split('/');
    for (let at = 0; at < parts.length - 1; at++)
      put(parts.slice(0, at).join('/'), { name: parts[at] ?? '', kind: 'directory', size: 0, modified: 0 });
    put(parts.slice(0, -1).join('/'), { name: parts.at(-1) ?? '', kind: 'file', size, modified: lastModified });
  }
  return {
    list: (directory) => Promise.resolve([...(entries.get(directory)?.values() ?? [])]),
    async read(path) {
      const file = byPath.get(path);
      return file === undefined ? null : bytesOf(file, path);
    },
  };
}
