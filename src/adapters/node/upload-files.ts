import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { FileStore } from '@tus/file-store';
import type { Upload } from '@tus/server';
import { isCode } from './atomic-file.ts';
import { fileSize } from './file-size.ts';

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
