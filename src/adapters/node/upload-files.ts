import { statfs } from 'node:fs/promises';
import { FileStore } from '@tus/file-store';
import type { Upload } from '@tus/server';
import { isCode } from './atomic-file.ts';

/** Free bytes below which a write that failed counts as failed for want of space. */
const FULL_BYTES = 1024 * 1024;

/** What @tus/server answers with, and what became of the bytes: what arrived stays, and the client goes on from there. */
const FULL = { status_code: 507, body: 'The server has no space left.' };

/** Uploads as files, which say so when the disk is full: the library calls every failure of a write the same. */
export class UploadFiles extends FileStore {
  override async create(upload: Upload): Promise<Upload> {
    return super.create(upload).catch((error: unknown) => this.#explain(error));
  }

  override async write(...args: Parameters<FileStore['write']>): Promise<number> {
    return super.write(...args).catch((error: unknown) => this.#explain(error));
  }

  async #explain(error: unknown): Promise<never> {
    const full = isCode(error, 'ENOSPC', 'EDQUOT') || (await this.#isFull());
    throw full ? Object.assign(new Error(FULL.body), FULL) : error;
  }

  async #isFull(): Promise<boolean> {
    const { bavail, bsize } = await statfs(this.directory);
    return bavail * bsize < FULL_BYTES;
  }
}
