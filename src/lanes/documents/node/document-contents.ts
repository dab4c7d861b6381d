/** PDFs of approved records, by their SHA-256, in the data directory: `documents/contents/ab/abc....pdf`. */
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncDirectory } from '#adapters/node/atomic-file.ts';
import { failed, isCode } from '#core/errors.ts';

export interface DocumentContents {
  /** Bytes; null: it is not there. */
  size(sha256: string): Promise<number | null>;
  /** There is the whole file afterwards or none. Throws AccessionError `hash_mismatch` where the bytes are others. */
  put(sha256: string, chunks: AsyncIterable<Uint8Array>): Promise<number>;
  read(sha256: string, start: number, end: number): AsyncIterable<Uint8Array>;
  remove(sha256: string): Promise<void>;
}

/** @param directory the server's data directory */
export function documentContents(directory: string): DocumentContents {
  const pathOf = (sha256: string): string =>
    join(directory, 'documents', 'contents', sha256.slice(0, 2), `${sha256}.pdf`);
  return {
    async size(sha256) {
      try {
        return (await stat(pathOf(sha256))).size;
      } catch (error) {
        if (isCode(error, 'ENOENT')) return null;
        throw error;
      }
    },
    async put(sha256, chunks) {
      const path = pathOf(sha256);
      await mkdir(dirname(path), { recursive: true });
      const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
      try {
        const [hash, handle] = [createHash('sha256'), await open(temporary, 'wx')];
        let size = 0;
        try {
          for await (const chunk of chunks) {
            hash.update(chunk);
            size += chunk.length;
            await handle.writeFile(chunk);
          }
          await handle.sync();
        } finally {
          await handle.close();
        }
        if (hash.digest('hex') !== sha256)
          throw failed('hash_mismatch', 'What arrived has another SHA-256 than its address says.');
        await rename(temporary, path);
        await syncDirectory(dirname(path));
        return size;
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    read: (sha256, start, end) => createReadStream(pathOf(sha256), { start, end: Math.max(start, end - 1) }),
    remove: (sha256) => rm(pathOf(sha256), { force: true }),
  };
}
