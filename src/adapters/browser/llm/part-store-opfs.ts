/** Parts as files of the origin private file system, `models/<key>`: GGUF files are read from there piece by piece. */
import { writeCounted } from '#core/ingest/write-hashed.ts';
import { failed } from '#core/errors.ts';
import {
  syncAccessWriter,
  writableWriter,
  find,
  isNotFound,
  written,
  type OpfsWriter,
} from '../blobs/blob-store-opfs.ts';
import { missingBlob, storageFailure } from '../blobs/storage-failure.ts';
import type { PartStore } from '../../models/parts.ts';

export function opfsPartStore(): PartStore {
  const folder = async (): Promise<FileSystemDirectoryHandle> => {
    try {
      const root = await navigator.storage.getDirectory();
      return await root.getDirectoryHandle('models', { create: true });
    } catch (error) {
      const words = 'This browser offers no storage that is large enough for models (a private window, perhaps).';
      throw failed('storage_failed', words, { cause: error });
    }
  };
  const partOf = async (key: string): Promise<File | null> => find(await folder(), key);
  return {
    size: async (key) => (await partOf(key))?.size ?? null,
    async put(key, chunks) {
      const models = await folder();
      const unfinished = `${key}.part`;
      try {
        const handle = await models.getFileHandle(unfinished, { create: true });
        const writer = bestWriter();
        await written(writer, handle, (write) => writeCounted(chunks, write));
        await writer.publish(handle, models, key);
      } catch (error) {
        throw storageFailure(error);
      } finally {
        await models.removeEntry(unfinished).catch(() => undefined);
      }
    },
    async read(key) {
      const file = await partOf(key);
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
