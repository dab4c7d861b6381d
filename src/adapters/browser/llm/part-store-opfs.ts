/** Parts as files of the origin private file system, `models/<key>`: GGUF files are read from there piece by piece. */
import { AccessionError, failure } from '#core/errors.ts';
import { syncAccessWriter, writableWriter, type OpfsWriter } from '../blobs/blob-store-opfs.ts';
import { missingBlob, storageFailure } from '../blobs/storage-failure.ts';
import type { PartStore } from '../../models/parts.ts';

export function opfsPartStore(): PartStore {
  const folder = async (): Promise<FileSystemDirectoryHandle> => {
    try {
      const root = await navigator.storage.getDirectory();
      return await root.getDirectoryHandle('models', { create: true });
    } catch (error) {
      const words = 'This browser offers no storage that is large enough for models (a private window, perhaps).';
      throw new AccessionError(failure('storage_failed', words), { cause: error });
    }
  };
  const find = async (key: string): Promise<File | null> => {
    try {
      return await (await (await folder()).getFileHandle(key)).getFile();
    } catch (error) {
      if (isNotFound(error)) return null;
      throw storageFailure(error);
    }
  };
  return {
    size: async (key) => (await find(key))?.size ?? null,
    async put(key, chunks) {
      const models = await folder();
      const unfinished = `${key}.part`;
      try {
        const handle = await models.getFileHandle(unfinished, { create: true });
        const writer = bestWriter();
        const sink = await writer.open(handle);
        try {
          let at = 0;
          for await (const chunk of chunks) {
            await sink.write(chunk, at);
            at += chunk.length;
          }
          await sink.close();
        } catch (error) {
          await sink.abort();
          throw error;
        }
        await writer.publish(handle, models, key);
      } catch (error) {
        throw storageFailure(error);
      } finally {
        await models.removeEntry(unfinished).catch(() => undefined);
      }
    },
    async read(key) {
      const file = await find(key);
      if (file === null) throw missingBlob(key);
      return file;
    },
    async remove(key) {
      const models = await folder();
      // A tab that was closed while it wrote left what it had.
      for (const name of [key, `${key}.part`]) {
        try {
          await models.removeEntry(name);
        } catch (error) {
          if (!isNotFound(error)) throw storageFailure(error);
        }
      }
    },
  };
}

function bestWriter(): OpfsWriter {
  const able = FileSystemFileHandle.prototype;
  return 'createSyncAccessHandle' in able && 'move' in able ? syncAccessWriter : writableWriter;
}

function isNotFound(error: unknown): boolean {
  return error instanceof Error && error.name === 'NotFoundError';
}
