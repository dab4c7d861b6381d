import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Upload } from '@tus/server';
import type { StoredUpload } from '#core/ports.ts';
import { isCode } from './atomic-file.ts';
import { fileSize } from './file-size.ts';
import { UploadFiles } from './upload-files.ts';
import { UploadNotes } from './upload-notes.ts';

/** Uploads on their way in: `<root>/uploads/<sha256>`, each with its note `<sha256>.json`. */
export class DiskUploads {
  /** The tus side of the same files. */
  readonly files: UploadFiles;
  readonly #directory: string;

  private constructor(directory: string) {
    this.#directory = directory;
    this.files = new UploadFiles({ directory, configstore: new UploadNotes(directory) });
  }

  /** Makes the directory under `root` when it is missing. */
  static async open(root: string): Promise<DiskUploads> {
    const directory = join(root, 'uploads');
    await mkdir(directory, { recursive: true });
    return new DiskUploads(directory);
  }

  /** Where the bytes of an upload lie. */
  path(sha256: string): string {
    return join(this.#directory, sha256);
  }

  /** What has arrived, or null. */
  async find(sha256: string): Promise<{ size: number; received: number; complete: boolean } | null> {
    const note = await this.files.configstore.get(sha256);
    const received = await fileSize(this.path(sha256));
    if (note?.size === undefined || received === null) return null;
    return { size: note.size, received, complete: received === note.size };
  }

  read(sha256: string): AsyncIterable<Uint8Array> {
    return createReadStream(this.path(sha256), { highWaterMark: 256 * 1024 });
  }

  async list(): Promise<StoredUpload[]> {
    const names = (await readdir(this.#directory)).filter((name) => /^[0-9a-f]{64}$/.test(name));
    const found = await Promise.all(names.map((sha256) => this.#look(sha256)));
    return found.filter((upload) => upload !== null);
  }

  /** Null for one that went meanwhile: a commit took it, or somebody gave it up. */
  async #look(sha256: string): Promise<StoredUpload | null> {
    try {
      const { mtimeMs: touched_at, size: received } = await stat(this.path(sha256));
      const note = await this.files.configstore.get(sha256);
      const size = Math.max(note?.size ?? 0, received);
      return { sha256, touched_at, size, user_id: note?.metadata?.['user_id'] ?? null };
    } catch (error) {
      if (isCode(error, 'ENOENT')) return null;
      throw error;
    }
  }

  /** No error where there is no such upload. */
  async remove(sha256: string): Promise<void> {
    await rm(this.path(sha256), { force: true });
    await rm(`${this.path(sha256)}.json`, { force: true });
  }

  /** An upload of `size` bytes that `fill` writes to the path it is given; it is none until that has ended. */
  async make(sha256: string, size: number, fill: (path: string) => Promise<unknown>): Promise<void> {
    await this.remove(sha256);
    await fill(this.path(sha256));
    await this.files.configstore.set(sha256, new Upload({ id: sha256, size, offset: size, metadata: {} }));
  }
}
