import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Upload } from '@tus/server';
import { readTextIfThere, writeFileAtomic } from './atomic-file.ts';

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
