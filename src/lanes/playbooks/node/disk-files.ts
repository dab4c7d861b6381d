/** A root folder on the disk. What leads out of it by a link is refused; what is written is whole at every instant. */
import { createHash } from 'node:crypto';
import { appendFileSync, ftruncateSync } from 'node:fs';
import { lstat, mkdir, open, readFile, readdir, realpath, rename, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { syncDirectory } from '#adapters/node/atomic-file.ts';
import { failed, isCode } from '#core/errors.ts';
import { PlaybookFault } from '../core/faults.ts';
import { notOurs } from '../core/files/paths.ts';
import { MOST_FILE } from '../core/files/contents.ts';
import type { FileText, PlaybookFiles } from '../core/run/ports.ts';

/** Files that a listing goes through. */
const MOST_LISTED = 100_000;

export class DiskFiles implements PlaybookFiles {
  readonly #root: string;
  /** Folders of the app itself, which may lie below the root. */
  readonly #own: readonly string[];
  /** Written since the last sync, with the handles of those that are appended to. */
  readonly #written = new Set<string>();
  /** By path, open since its place was looked up. */
  readonly #handles = new Map<string, { place: string; handle: FileHandle; bytes: number }>();

  private constructor(root: string, own: readonly string[]) {
    this.#root = root;
    this.#own = own;
  }

  /**
   * Throws AccessionError `not_found` where there is no such folder.
   * @param own folders that are neither listed, read nor written, wherever they are: journals of runs
   */
  static async open(directory: string, own: readonly string[] = []): Promise<DiskFiles> {
    const root = await realpath(directory).catch(() => null);
    if (root === null || !(await stat(root)).isDirectory())
      throw failed('not_found', `"${directory}" is not a folder.`, { remedy: 'Check the path.' });
    return new DiskFiles(root, await Promise.all(own.map((one) => realpath(one).catch(() => resolve(one)))));
  }

  async list(base: string): Promise<string[]> {
    const found: string[] = [];
    const waiting = [base];
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      const place = await this.#inside(folder === '' ? '.' : folder);
      if (this.#isOwn(place)) continue;
      const entries = await readdir(place, { withFileTypes: true }).catch((error: unknown) => {
        if (isCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM')) return [];
        throw error;
      });
      for (const entry of entries) {
        if (entry.name.startsWith('.')) continue;
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (entry.isDirectory()) waiting.push(path);
        else if (entry.isFile()) found.push(path);
      }
      if (found.length > MOST_LISTED)
        throw new PlaybookFault('too_large', base, `There are more than ${MOST_LISTED} files below "${base}".`);
    }
    return found;
  }

  async isThere(path: string): Promise<boolean> {
    try {
      await stat(await this.#place(path));
      return true;
    } catch (error) {
      if (isCode(error, 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG')) return false;
      throw error;
    }
  }

  async read(path: string): Promise<FileText | null> {
    const place = await this.#place(path);
    try {
      const { size } = await stat(place);
      if (size > MOST_FILE) throw new PlaybookFault('too_large', path, `"${path}" is larger than 64 MiB.`);
      const bytes = await readFile(place);
      return { text: decoded(bytes), sha256: createHash('sha256').update(bytes).digest('hex') };
    } catch (error) {
      if (isCode(error, 'ENOENT', 'ENOTDIR', 'EISDIR')) return null;
      throw error;
    }
  }

  async write(path: string, text: string): Promise<void> {
    const place = await this.#place(path);
    await this.#close(path);
    // One name, so that a kill leaves one part at most, which the next write takes.
    const part = join(dirname(place), `.${place.slice(dirname(place).length + 1)}.part`);
    await full(path, async () => {
      await mkdir(dirname(place), { recursive: true });
      const handle = await open(part, 'w', 0o644);
      try {
        await handle.writeFile(text);
      } finally {
        await handle.close();
      }
      await rename(part, place);
    });
    this.#written.add(place);
  }

  async append(path: string, text: string): Promise<void> {
    await full(path, async () => {
      const open = this.#handles.get(path) ?? (await this.#open(path));
      // A short piece for the system's own memory: to hand it to a thread takes longer than it does.
      try {
        appendFileSync(open.handle.fd, text);
      } catch (error) {
        // A full disk takes a part of it: the file has whole lines all the same.
        ftruncateSync(open.handle.fd, open.bytes);
        throw error;
      }
      open.bytes += Buffer.byteLength(text);
      this.#written.add(open.place);
    });
  }

  async #open(path: string): Promise<{ place: string; handle: FileHandle; bytes: number }> {
    const place = await this.#place(path);
    const handle = await open(place, 'a', 0o644);
    const opened = { place, handle, bytes: (await handle.stat()).size };
    this.#handles.set(path, opened);
    return opened;
  }

  async sync(): Promise<void> {
    for (const path of [...this.#handles.keys()]) await this.#close(path);
    for (const place of this.#written) {
      const handle = await open(place, 'r+');
      try {
        await handle.sync();
      } finally {
        await handle.close();
      }
      await syncDirectory(dirname(place));
    }
    this.#written.clear();
  }

  async #close(path: string): Promise<void> {
    const open = this.#handles.get(path);
    this.#handles.delete(path);
    await open?.handle.close();
  }

  #isOwn(place: string): boolean {
    return this.#own.some((own) => place === own || place.startsWith(own + sep));
  }

  /** Of a file. Throws PlaybookFault `path_outside` where it is none of a playbook's. */
  async #place(path: string): Promise<string> {
    const place = await this.#inside(path);
    notOurs(path, relative(this.#root, place).replaceAll(sep, '/'));
    if (!this.#isOwn(place)) return place;
    throw new PlaybookFault('path_outside', path, `"${path}" is where the journals of runs are.`);
  }

  /** The place of a path, links followed. Throws PlaybookFault `path_outside` where that is not below the root. */
  async #inside(path: string): Promise<string> {
    const place = join(this.#root, path);
    let there = place;
    for (;;) {
      const real = await realpath(there).catch((error: unknown) => {
        if (isCode(error, 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG')) return null;
        throw error;
      });
      if (real !== null) {
        const way = relative(this.#root, real);
        if (way === '..' || way.startsWith('../') || (way !== '' && join(this.#root, way) !== real))
          throw new PlaybookFault('path_outside', path, `"${path}" leads out of the root folder by a link.`);
        return there === place ? real : join(real, place.slice(there.length + 1));
      }
      // A link to nothing would be followed by who writes.
      if (await isLink(there)) throw new PlaybookFault('path_outside', path, `"${path}" is a link to nothing.`);
      there = dirname(there);
    }
  }
}

function isLink(place: string): Promise<boolean> {
  return lstat(place).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

async function full(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (isCode(error, 'ENOSPC', 'EDQUOT'))
      throw failed('storage_full', `There is no space left on the disk for "${path}".`, {
        remedy: 'Free space on the disk, then resume the run.',
        cause: error,
      });
    throw error;
  }
}
