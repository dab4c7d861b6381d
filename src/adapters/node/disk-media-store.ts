import { createReadStream } from 'node:fs';
import { constants, copyFile, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { Upload } from '@tus/server';
import type { MediaStore } from '#core/ports.ts';
import { isCode, syncDirectory } from './atomic-file.ts';
import { UploadFiles } from './upload-files.ts';
import { UploadNotes } from './upload-notes.ts';

/**
 * The server's audio on disk: `uploads/<sha256>` with its note `<sha256>.json`, `media/<catalog path>`, and
 * `media-former/` for audio that was replaced. A placed file is first a hard link to its upload, so that both
 * names exist until the catalog has committed and nothing is ever half there.
 */
export class DiskMediaStore implements MediaStore {
  /** The tus side of the uploads. */
  readonly uploads: UploadFiles;
  readonly #uploads: string;
  readonly #media: string;
  readonly #former: string;

  private constructor(root: string) {
    this.#uploads = join(root, 'uploads');
    this.#media = join(root, 'media');
    this.#former = join(root, 'media-former');
    this.uploads = new UploadFiles({ directory: this.#uploads, configstore: new UploadNotes(this.#uploads) });
  }

  /** Makes the directories under `root` when they are missing. */
  static async open(root: string): Promise<DiskMediaStore> {
    await Promise.all(['uploads', 'media'].map((name) => mkdir(join(root, name), { recursive: true })));
    return new DiskMediaStore(root);
  }

  async upload(sha256: string): Promise<{ size: number; received: number; complete: boolean } | null> {
    const note = await this.uploads.configstore.get(sha256);
    const received = await fileSize(join(this.#uploads, sha256));
    if (note?.size === undefined || received === null) return null;
    return { size: note.size, received, complete: received === note.size };
  }

  readUpload(sha256: string): AsyncIterable<Uint8Array> {
    return createReadStream(join(this.#uploads, sha256), { highWaterMark: 256 * 1024 });
  }

  async listUploads(): Promise<{ sha256: string; touched_at: number }[]> {
    const names = (await readdir(this.#uploads)).filter((name) => /^[0-9a-f]{64}$/.test(name));
    return Promise.all(
      names.map(async (sha256) => ({ sha256, touched_at: (await stat(join(this.#uploads, sha256))).mtimeMs })),
    );
  }

  async removeUpload(sha256: string): Promise<void> {
    await rm(join(this.#uploads, sha256), { force: true });
    await rm(join(this.#uploads, `${sha256}.json`), { force: true });
  }

  async place(sha256: string, path: string): Promise<boolean> {
    const source = join(this.#uploads, sha256);
    const target = inside(this.#media, path);
    await mkdir(dirname(target), { recursive: true });
    await syncFile(source);
    try {
      await link(source, target);
    } catch (error) {
      if (isCode(error, 'EEXIST')) return false;
      // A media directory on another device, or a file system without hard links.
      if (!isCode(error, 'EXDEV', 'EPERM', 'ENOTSUP', 'EMLINK')) throw error;
      if (!(await copyBeside(source, target))) return false;
    }
    await syncDirectory(dirname(target));
    return true;
  }

  async adopt(path: string, sha256: string): Promise<void> {
    if (!(await this.#adopt(inside(this.#media, path), sha256))) throw new Error('the placed file is gone');
  }

  adoptFormer(formerPath: string, sha256: string): Promise<boolean> {
    return this.#adopt(inside(this.#former, formerPath), sha256);
  }

  async #adopt(file: string, sha256: string): Promise<boolean> {
    const size = await fileSize(file);
    if (size === null) return false;
    await this.removeUpload(sha256);
    // A copy, not a link: what tus may write to is never the file in the media directory.
    await copyFile(file, join(this.#uploads, sha256));
    await this.uploads.configstore.set(sha256, new Upload({ id: sha256, size, offset: size, metadata: {} }));
    return true;
  }

  size(path: string): Promise<number | null> {
    return fileSize(inside(this.#media, path));
  }

  read(path: string, start: number, end: number): AsyncIterable<Uint8Array> {
    if (end <= start) return nothing();
    return createReadStream(inside(this.#media, path), { start, end: end - 1 });
  }

  async remove(path: string): Promise<void> {
    await rm(inside(this.#media, path), { force: true });
  }

  async retire(path: string, formerPath: string): Promise<void> {
    const target = inside(this.#former, formerPath);
    await mkdir(dirname(target), { recursive: true });
    try {
      await rename(inside(this.#media, path), target);
    } catch (error) {
      if (!isCode(error, 'ENOENT')) throw error;
      return;
    }
    await syncDirectory(dirname(target));
  }
}

/** A copy that appears under its name only when it is whole. False when the name is taken. */
async function copyBeside(source: string, target: string): Promise<boolean> {
  const temporary = `${target}.part`;
  await copyFile(source, temporary);
  await syncFile(temporary);
  try {
    // `wx` claims the name; the rename then replaces only the empty file that is ours.
    await (await open(target, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY)).close();
  } catch (error) {
    await rm(temporary, { force: true });
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
  await rename(temporary, target);
  return true;
}

/** The last defence: names are made safe where paths are built, and no path leaves its root whatever it says. */
function inside(root: string, path: string): string {
  const target = resolve(root, path);
  if (!target.startsWith(resolve(root) + sep)) throw new Error('a media path left its directory');
  return target;
}

async function fileSize(path: string): Promise<number | null> {
  try {
    const found = await stat(path);
    return found.isFile() ? found.size : null;
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTDIR')) return null;
    throw error;
  }
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function* nothing(): AsyncIterable<Uint8Array> {
  yield* [];
}
