/**
 * A folder of the disk that the person opened, as the root of a run. The browser follows no links and writes beside a file what is
 * put in its place at the end, so that each is whole at every instant.
 */
import { isDirectory } from '#adapters/browser/plans/file-system-access.types.ts';
import type { Clock } from '#core/ports.ts';
import { MOST_FILE } from '../core/files/contents.ts';
import { PlaybookFault } from '../core/faults.ts';
import { notOurs } from '../core/files/paths.ts';
import type { FileText, PlaybookFiles } from '../core/run/ports.ts';
import { directoryIn, fileIn, putFile, refusing } from './folder-access.ts';

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
      const top = base === '' ? this.#root : await directoryIn(this.#root, base.split('/'));
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
      if ((await fileIn(this.#root, path)) !== null) return true;
      return (await directoryIn(this.#root, path.split('/'))) !== null;
    });
  }

  read(path: string): Promise<FileText | null> {
    return this.#refusing(path, async () => {
      await this.#flush(path);
      const file = await (await fileIn(this.#root, path))?.getFile();
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
    return this.#refusing(path, () => putFile(this.#root, path, () => [text]));
  }

  append(path: string, text: string): Promise<void> {
    const waiting = this.#waiting.get(path) ?? { text: '', at: -Infinity };
    waiting.text += text;
    this.#waiting.set(path, waiting);
    return this.#refusing(path, async () => {
      const size = (await (await fileIn(this.#root, path))?.getFile())?.size ?? 0;
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
    await putFile(this.#root, path, (before) => [before, text]);
    waiting.text = waiting.text.slice(text.length);
    waiting.at = this.#clock.now();
  }

  /** What the app itself keeps in the folder is none of a playbook's. */
  async #refusing<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
    notOurs(path);
    return refusing(this.#root, path, work);
  }
}
