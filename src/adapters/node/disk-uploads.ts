import { createReadStream } from 'node:fs';
import { readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Upload } from '@tus/server';
import { isCode } from '#core/errors.ts';
import type { MediaStore, StoredUpload } from '#core/ports.ts';
import { fileSize, makeDirectory, readTextIfThere, writeFileAtomic, writeWhole } from './atomic-file.ts';
import { FileStore } from '@tus/file-store';

/** Free bytes below which a write that failed counts as failed for want of space. */
const FULL_BYTES = 1024 * 1024;

/** What @tus/server answers with, and what became of the bytes: what arrived stays, and the client goes on from there. */
const FULL = { status_code: 507, body: 'The server has no space left.' };

const REFUSING = { status_code: 503, body: "The server's disk takes no writes now." };

/** Uploads as files, which say so when the disk is full or refuses: the library calls every failure of a write the same. */
export class UploadFiles extends FileStore {
  override async create(upload: Upload): Promise<Upload> {
    return super.create(upload).catch((error: unknown) => this.#explain(error));
  }

  override async write(...args: Parameters<FileStore['write']>): Promise<number> {
    return super.write(...args).catch((error: unknown) => this.#explain(error));
  }

  override async remove(id: string): Promise<void> {
    return super.remove(id).catch(async (error: unknown) => {
      // The library says of every file that it cannot remove that it is not there.
      const isThere = (await fileSize(join(this.directory, id))) !== null;
      throw isThere ? Object.assign(new Error(REFUSING.body), REFUSING) : error;
    });
  }

  async #explain(error: unknown): Promise<never> {
    if (isRefusal(error)) throw error;
    const full = isCode(error, 'ENOSPC', 'EDQUOT') || (await this.#isFull());
    throw Object.assign(new Error((full ? FULL : REFUSING).body, { cause: error }), full ? FULL : REFUSING);
  }

  async #isFull(): Promise<boolean> {
    const { bavail, bsize } = await statfs(this.directory);
    return bavail * bsize < FULL_BYTES;
  }
}

// The library's constructor makes the directory as well, and throws its failure where nobody can catch it.
Object.defineProperty(UploadFiles.prototype, 'checkOrCreateDirectory', { value: () => undefined });

/** The library's word on the request, not on the disk. */
function isRefusal(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'status_code' in error &&
    typeof error.status_code === 'number' &&
    error.status_code < 500
  );
}

/**
 * What was announced about each upload (its size), one small JSON file beside it. Written atomically: the
 * library's own store can leave half a file behind, and that upload could then never be resumed or begun again.
 */
export class UploadNotes {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async get(id: string): Promise<Upload | undefined> {
    const text = await readTextIfThere(this.#path(id));
    if (text === null) return undefined;
    try {
      // Written by `set` below, in a directory that is ours; the fields are read by @tus/server alone.
      return JSON.parse(text) as Upload;
    } catch {
      return undefined;
    }
  }

  async set(id: string, value: Upload): Promise<void> {
    await writeFileAtomic(this.#path(id), JSON.stringify(value));
  }

  async delete(id: string): Promise<void> {
    await rm(this.#path(id), { force: true });
  }

  async list(): Promise<string[]> {
    const names = await readdir(this.#directory);
    return names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length));
  }

  #path(id: string): string {
    return join(this.#directory, `${id}.json`);
  }
}

/** What every media store does with uploads, which lie on the disk until they are placed. */
export interface UploadStore extends Pick<
  MediaStore,
  'upload' | 'readUpload' | 'listUploads' | 'removeUpload' | 'putUpload'
> {
  /** The tus side of the uploads. */
  uploads: UploadFiles;
}

/**
 * Uploads on their way in: `<root>/uploads/<sha256>`, each with its note `<sha256>.json`. Makes the directory when it is
 * missing.
 */
export async function openDiskUploads(root: string) {
  const directory = join(root, 'uploads');
  await makeDirectory(directory);
  const notes = new UploadNotes(directory);
  const uploads = new UploadFiles({ directory, configstore: notes });

  /** Where the bytes of an upload lie. */
  const pathOf = (sha256: string): string => join(directory, sha256);

  /** Null for one that went meanwhile: a commit took it, or somebody gave it up. */
  async function look(sha256: string): Promise<(StoredUpload & { received: number }) | null> {
    try {
      const { mtimeMs: touched_at, size: received } = await stat(pathOf(sha256));
      const note = await notes.get(sha256);
      const size = Math.max(note?.size ?? 0, received);
      const begun_at = note?.creation_date === undefined ? null : Date.parse(note.creation_date);
      return { sha256, touched_at, begun_at, size, received, user_id: note?.metadata?.['user_id'] ?? null };
    } catch (error) {
      if (isCode(error, 'ENOENT')) return null;
      throw error;
    }
  }

  const store: UploadStore = {
    uploads,
    async upload(sha256) {
      const [note, found] = await Promise.all([notes.get(sha256), look(sha256)]);
      if (note?.size === undefined || found === null) return null;
      return { ...found, size: note.size, complete: found.received === note.size };
    },
    readUpload: (sha256) => createReadStream(pathOf(sha256), { highWaterMark: 256 * 1024 }),
    async listUploads() {
      const names = (await readdir(directory)).filter((name) => /^[0-9a-f]{64}$/.test(name));
      return (await Promise.all(names.map(look))).filter((upload) => upload !== null);
    },
    async removeUpload(sha256) {
      await rm(pathOf(sha256), { force: true });
      await notes.delete(sha256);
    },
    async putUpload(sha256, chunks) {
      await store.removeUpload(sha256);
      const put = await writeWhole(pathOf(sha256), chunks).catch(async (error: unknown) => {
        await store.removeUpload(sha256);
        throw error;
      });
      if (put.sha256 === sha256) await noteWhole(sha256, put.size);
      else await store.removeUpload(sha256);
      return put.sha256 === sha256;
    },
  };

  const noteWhole = (sha256: string, size: number): Promise<void> =>
    notes.set(sha256, new Upload({ id: sha256, size, offset: size, metadata: {} }));

  /** An upload of `size` bytes that `fill` writes to the path it is given; it is none until that has ended. */
  async function make(sha256: string, size: number, fill: (path: string) => Promise<unknown>): Promise<void> {
    await store.removeUpload(sha256);
    await fill(pathOf(sha256));
    await noteWhole(sha256, size);
  }

  return { store, pathOf, make };
}
