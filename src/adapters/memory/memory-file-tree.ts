import { AccessionError, failure } from '#core/errors.ts';
import type { FileTree, TreeEntry, TreeRules } from '#core/plan/file-tree.ts';
import { lastPart, parentOf, parentsOf, pathKey } from '#core/plan/plan-path.ts';
import type { Cancel } from '#core/ports.ts';
import { decodeUtf8, encodeUtf8 } from '#core/utf8.ts';

interface MemoryFile {
  path: string;
  bytes: Uint8Array;
  modified: number;
}

/** A folder in memory that takes names for one as its rules say, and keeps the spelling that a name was made with. */
export class MemoryFileTree implements FileTree {
  readonly rules: TreeRules;
  readonly #files = new Map<string, MemoryFile>();
  readonly #folders = new Map<string, string>();
  readonly #links = new Map<string, string>();

  /** @param files content by path below the folder */
  constructor(rules: TreeRules, files: Readonly<Record<string, string>> = {}) {
    this.rules = rules;
    for (const [path, content] of Object.entries(files)) this.put(path, content);
  }

  /** Writes a file as another program would, with its folders. */
  put(path: string, content: string, modified = 1_700_000_000_000): void {
    for (const parent of parentsOf(path)) this.#makeFolder(parent);
    const key = this.#key(path);
    const spelled = this.#files.get(key)?.path ?? this.#spelled(path);
    this.#files.set(key, { path: spelled, bytes: encodeUtf8(content), modified });
  }

  /** Something that is neither a file nor a folder. */
  link(path: string): void {
    this.#links.set(this.#key(path), path);
  }

  /** Removes a file as another program would. */
  delete(path: string): void {
    this.#files.delete(this.#key(path));
  }

  /** Content by path. */
  files(): Record<string, string> {
    return Object.fromEntries([...this.#files.values()].map(({ path, bytes }) => [path, decodeUtf8(bytes)]));
  }

  folders(): string[] {
    return [...this.#folders.values()];
  }

  async *list(cancel?: Cancel): AsyncIterable<TreeEntry> {
    for (const path of [...this.#folders.values()]) yield folderEntry(path);
    for (const file of [...this.#files.values()]) {
      if (cancel?.aborted === true) throw new AccessionError(failure('cancelled', 'Reading the folder was cancelled.'));
      yield fileEntry(file);
    }
  }

  async stat(path: string): Promise<TreeEntry | null> {
    const key = this.#key(path);
    const file = this.#files.get(key);
    if (file !== undefined) return fileEntry(file);
    const folder = this.#folders.get(key);
    if (folder !== undefined) return folderEntry(folder);
    const link = this.#links.get(key);
    return link === undefined ? null : { path: link, kind: 'other', size: 0, modified: 0 };
  }

  async makeDirectory(path: string): Promise<void> {
    for (const folder of [...parentsOf(path), path]) {
      const there = await this.stat(folder);
      if (there !== null && there.kind !== 'directory') throw occupied(folder);
      this.#makeFolder(folder);
    }
  }

  async removeDirectory(path: string): Promise<boolean> {
    const key = this.#key(path);
    const inside = [...this.#files.keys(), ...this.#folders.keys(), ...this.#links.keys()];
    if (inside.some((other) => other.startsWith(`${key}/`))) return false;
    return this.#folders.delete(key);
  }

  async move(from: string, to: string): Promise<void> {
    const file = this.#files.get(this.#key(from));
    if (file === undefined) throw new AccessionError(failure('not_found', `"${from}" is not there.`));
    if ((await this.stat(to)) !== null) throw occupied(to);
    if (to.includes('/') && !this.#folders.has(this.#key(parentOf(to))))
      throw new AccessionError(failure('file_unreadable', `The folder of "${to}" is not there.`));
    this.#files.delete(this.#key(from));
    this.#files.set(this.#key(to), { ...file, path: this.#spelled(to) });
  }

  async *read(path: string): AsyncIterable<Uint8Array> {
    const file = this.#files.get(this.#key(path));
    if (file === undefined) throw new AccessionError(failure('not_found', `"${path}" is not there.`));
    yield file.bytes.slice();
  }

  #key(path: string): string {
    return pathKey(path, this.rules);
  }

  #makeFolder(path: string): void {
    const key = this.#key(path);
    if (!this.#folders.has(key)) this.#folders.set(key, this.#spelled(path));
  }

  /** Folders keep their own spelling, however they were named on the way. */
  #spelled(path: string): string {
    if (!path.includes('/')) return path;
    const parent = parentOf(path);
    return `${this.#folders.get(this.#key(parent)) ?? parent}/${lastPart(path)}`;
  }
}

function fileEntry({ path, bytes, modified }: MemoryFile): TreeEntry {
  return { path, kind: 'file', size: bytes.length, modified };
}

function folderEntry(path: string): TreeEntry {
  return { path, kind: 'directory', size: 0, modified: 0 };
}

function occupied(path: string): AccessionError {
  return new AccessionError(failure('conflict', `There is something called "${path}" already.`));
}
