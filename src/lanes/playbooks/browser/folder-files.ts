/**
 * A folder of the disk that the person opened, as the root of a run. The browser follows no links and writes beside a file what is
 * put in its place at the end, so that each is whole at every instant.
 */
import { isDirectory } from '#adapters/browser/plans/file-system-access.types.ts';
import { AccessionError, failed, isQuotaExceeded, messageOf } from '#core/errors.ts';
import type { Clock } from '#core/ports.ts';
import { MOST_FILE } from '../core/files/contents.ts';
import { PlaybookFault } from '../core/faults.ts';
import type { FileText, PlaybookFiles } from '../core/run/ports.ts';

/** Files that a listing goes through. */
const MOST_LISTED = 100_000;
/** Bytes up to which a file is written at each append: the browser copies all of it. */
const SMALL = 1024 * 1024;
const EVERY_MS = 1000;

interface Waiting {
  text: string;
  /** When the file was written last. */
  at: number;
}

export class FolderFiles implements PlaybookFiles {
  readonly #root: FileSystemDirectoryHandle;
  readonly #clock: Clock;
  readonly #sha256: (text: string) => Promise<string>;
  /** What was appended and is not written yet, by path. */
  readonly #waiting = new Map<string, Waiting>();

  constructor(root: FileSystemDirectoryHandle, clock: Clock, sha256: (text: string) => Promise<string>) {
    this.#root = root;
    this.#clock = clock;
    this.#sha256 = sha256;
  }

  list(base: string): Promise<string[]> {
    return this.#refusing(base, async () => {
      const found: string[] = [];
      const top = base === '' ? this.#root : await this.#directory(base.split('/'), false);
      const folders = top === null ? [] : [{ path: base, handle: top }];
      for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
        for await (const [name, handle] of folder.handle.entries()) {
          if (name.startsWith('.') || name.endsWith('.crswap')) continue;
          const path = folder.path === '' ? name : `${folder.path}/${name}`;
          if (isDirectory(handle)) folders.push({ path, handle });
          else found.push(path);
          if (found.length > MOST_LISTED)
            throw new PlaybookFault('too_large', base, `There are more than ${MOST_LISTED} files below "${base}".`);
        }
      return found;
    });
  }

  isThere(path: string): Promise<boolean> {
    return this.#refusing(path, async () => {
      if ((await this.#file(path, false)) !== null) return true;
      return (await this.#directory(path.split('/'), false)) !== null;
    });
  }

  read(path: string): Promise<FileText | null> {
    return this.#refusing(path, async () => {
      await this.#flush(path);
      const file = await (await this.#file(path, false))?.getFile();
      if (file === undefined) return null;
      if (file.size > MOST_FILE) throw new PlaybookFault('too_large', path, `"${path}" is larger than 64 MiB.`);
      const bytes = await file.arrayBuffer();
      try {
        const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
        return { text, sha256: await this.#sha256(text) };
      } catch {
        return { text: null, sha256: '' };
      }
    });
  }

  write(path: string, text: string): Promise<void> {
    this.#waiting.delete(path);
    return this.#refusing(path, () => this.#put(path, () => [text]));
  }

  append(path: string, text: string): Promise<void> {
    const waiting = this.#waiting.get(path) ?? { text: '', at: -Infinity };
    waiting.text += text;
    this.#waiting.set(path, waiting);
    return this.#refusing(path, async () => {
      const size = (await (await this.#file(path, false))?.getFile())?.size ?? 0;
      if (size <= SMALL || this.#clock.now() - waiting.at >= EVERY_MS) await this.#flush(path);
    });
  }

  async sync(): Promise<void> {
    for (const path of [...this.#waiting.keys()]) await this.#refusing(path, () => this.#flush(path));
  }

  async #flush(path: string): Promise<void> {
    const waiting = this.#waiting.get(path);
    if (waiting === undefined || waiting.text === '') return;
    const { text } = waiting;
    await this.#put(path, (before) => [before, text]);
    waiting.text = waiting.text.slice(text.length);
    waiting.at = this.#clock.now();
  }

  async #put(path: string, parts: (before: File) => BlobPart[]): Promise<void> {
    const handle = await this.#file(path, true);
    if (handle === null) throw failed('conflict', `"${path}" is a folder.`, { subject: path });
    const content = new Blob(parts(await handle.getFile()));
    await content.stream().pipeTo(await handle.createWritable());
  }

  async #file(path: string, create: boolean): Promise<FileSystemFileHandle | null> {
    const names = path.split('/');
    const name = names.pop() ?? '';
    const folder = await this.#directory(names, create);
    return folder === null ? null : orNull(folder.getFileHandle(name, { create }));
  }

  async #directory(names: readonly string[], create: boolean): Promise<FileSystemDirectoryHandle | null> {
    let folder: FileSystemDirectoryHandle | null = this.#root;
    for (const name of names) {
      if (folder === null) return null;
      folder = await orNull(folder.getDirectoryHandle(name, { create }));
    }
    return folder;
  }

  /** What the browser says no to, as a failure with what to do. */
  async #refusing<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof PlaybookFault || error instanceof AccessionError) throw error;
      const of = { subject: path, cause: error };
      if (isQuotaExceeded(error))
        throw failed('storage_full', `There is no space left for "${path}".`, {
          ...of,
          remedy: 'Free space on the disk, then resume the run.',
        });
      const said = path === '' ? this.#root.name : `${this.#root.name}/${path}`;
      throw failed('file_unreadable', `The folder's "${said}" cannot be reached: ${messageOf(error)}`, {
        ...of,
        remedy: 'Allow the folder again, or look at its permissions, then resume the run.',
      });
    }
  }
}

/** null where nothing has the name, or something of another kind. */
async function orNull<Handle>(asking: Promise<Handle>): Promise<Handle | null> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof Error && (error.name === 'NotFoundError' || error.name === 'TypeMismatchError')) return null;
    throw error;
  }
}
