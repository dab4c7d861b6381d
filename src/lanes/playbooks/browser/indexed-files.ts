/** A root of files in IndexedDB: texts, each in parts, so that what is appended to is not written anew. */
import type { AccessionDb } from '#adapters/browser/db.ts';
import { failed, isQuotaExceeded } from '#core/errors.ts';
import { checkSize } from '../core/files/contents.ts';
import type { FileText, PlaybookFiles } from '../core/run/ports.ts';

/** Parts of one file, whatever their number. */
const partsOf = (db: AccessionDb, root: string, path: string) =>
  db.playbook_files.where('[root+path+part]').between([root, path, 0], [root, path, Infinity]);

export class IndexedFiles implements PlaybookFiles {
  readonly #db: AccessionDb;
  readonly #root: string;
  readonly #sha256: (text: string) => Promise<string>;

  constructor(db: AccessionDb, root: string, sha256: (text: string) => Promise<string>) {
    this.#db = db;
    this.#root = root;
    this.#sha256 = sha256;
  }

  async list(base: string): Promise<string[]> {
    const below = base === '' ? '' : `${base}/`;
    const isDot = (path: string): boolean => path.split('/').some((part) => part.startsWith('.'));
    return (await pathsIn(this.#db, this.#root)).filter((path) => path.startsWith(below) && !isDot(path));
  }

  async isThere(path: string): Promise<boolean> {
    return (await pathsIn(this.#db, this.#root)).some((one) => one === path || one.startsWith(`${path}/`));
  }

  async read(path: string): Promise<FileText | null> {
    const text = await textIn(this.#db, this.#root, path);
    if (text === null) return null;
    checkSize(path, text);
    return { text, sha256: await this.#sha256(text) };
  }

  write(path: string, text: string): Promise<void> {
    return full(path, () =>
      this.#db.transaction('rw', this.#db.playbook_files, async () => {
        await partsOf(this.#db, this.#root, path).delete();
        await this.#db.playbook_files.add({ root: this.#root, path, part: 0, text });
      }),
    );
  }

  append(path: string, text: string): Promise<void> {
    return full(path, () =>
      this.#db.transaction('rw', this.#db.playbook_files, async () => {
        const part = await partsOf(this.#db, this.#root, path).count();
        await this.#db.playbook_files.add({ root: this.#root, path, part, text });
      }),
    );
  }

  /** Each write was durable when it resolved. */
  sync(): Promise<void> {
    return Promise.resolve();
  }
}

/** Each path once, by name. */
export async function pathsIn(db: AccessionDb, root: string): Promise<string[]> {
  const keys = await db.playbook_files.where('root').equals(root).primaryKeys();
  return [...new Set(keys.map(([, path]) => path))].sort();
}

/** null: there is no such file. */
export async function textIn(db: AccessionDb, root: string, path: string): Promise<string | null> {
  const parts = await partsOf(db, root, path).toArray();
  return parts.length === 0 ? null : parts.map(({ text }) => text).join('');
}

export const removeFile = (db: AccessionDb, root: string, path: string): Promise<number> =>
  partsOf(db, root, path).delete();

async function full(path: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!isQuotaExceeded(error)) throw error;
    throw failed('storage_full', `The browser has no space left for "${path}".`, {
      remedy: 'Free space (Settings, Storage), then resume the run.',
      cause: error,
    });
  }
}
