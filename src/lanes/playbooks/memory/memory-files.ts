/** A root folder in memory. */
import type { FileText, PlaybookFiles } from '../core/run/ports.ts';

export class MemoryFiles implements PlaybookFiles {
  readonly #files: Map<string, string>;
  readonly #sha256: (text: string) => Promise<string>;
  /** Paths that were written. */
  readonly written = new Set<string>();

  constructor(files: Readonly<Record<string, string>>, sha256: (text: string) => Promise<string>) {
    this.#files = new Map(Object.entries(files));
    this.#sha256 = sha256;
  }

  /** Content by path. */
  get all(): Record<string, string> {
    return Object.fromEntries(this.#files);
  }

  list(base: string): Promise<string[]> {
    const below = base === '' ? '' : `${base}/`;
    const isDot = (path: string): boolean => path.split('/').some((part) => part.startsWith('.'));
    return Promise.resolve([...this.#files.keys()].filter((path) => path.startsWith(below) && !isDot(path)));
  }

  isThere(path: string): Promise<boolean> {
    return Promise.resolve([...this.#files.keys()].some((one) => one === path || one.startsWith(`${path}/`)));
  }

  async read(path: string): Promise<FileText | null> {
    const text = this.#files.get(path);
    return text === undefined ? null : { text, sha256: await this.#sha256(text) };
  }

  write(path: string, text: string): Promise<void> {
    this.#files.set(path, text);
    this.written.add(path);
    return Promise.resolve();
  }

  append(path: string, text: string): Promise<void> {
    return this.write(path, (this.#files.get(path) ?? '') + text);
  }

  sync(): Promise<void> {
    return Promise.resolve();
  }
}
