/**
 * The files of the matcher's index:
 *
 *   index/tmp-<uuid>   being written; left behind by a kill, collected with the next one
 *     | flushed, renamed
 *   index/catalog-<version>-<uuid>   whole; the meta row `index` names the one that holds
 *
 * Where there is no file system of the origin, or it refuses, they are blobs in IndexedDB.
 */
import { ownBytes } from '#adapters/media/blob-pieces.ts';
import { keepsBlobs } from '#adapters/browser/blobs/blob-store-indexeddb.ts';
import { syncAccessWriter, writableWriter, type OpfsWriter } from '#adapters/browser/blobs/blob-store-opfs.ts';
import type { AccessionDb } from '#adapters/browser/db.ts';
import { storageFailure } from '#adapters/browser/blobs/storage-failure.ts';

export interface IndexFiles {
  /** Throws AccessionError `storage_full` or `storage_failed`; nothing is under the name then. */
  write(name: string, pieces: readonly Uint8Array[]): Promise<void>;
  /** Null when it is not there or cannot be read. */
  read(name: string): Promise<ArrayBuffer | null>;
  /** Removes all but one; what is in use by another tab stays until the next time. */
  keepOnly(name: string | null): Promise<void>;
}

const FOLDER = 'index';

export async function openIndexFiles(db: AccessionDb): Promise<IndexFiles> {
  const inRows = rowFiles(db);
  try {
    const writer = opfsWriter();
    if (writer === null) return inRows;
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle(FOLDER, { create: true });
    return opfsFiles(folder, writer, inRows);
  } catch {
    // Not there (old browsers), or refused (private windows).
    return inRows;
  }
}

function opfsWriter(): OpfsWriter | null {
  if (typeof FileSystemFileHandle === 'undefined') return null;
  const able = FileSystemFileHandle.prototype;
  if ('createSyncAccessHandle' in able && 'move' in able) return syncAccessWriter;
  return 'createWritable' in able ? writableWriter : null;
}

function opfsFiles(folder: FileSystemDirectoryHandle, writer: OpfsWriter, rows: IndexFiles): IndexFiles {
  return {
    async write(name, pieces) {
      const temporary = `tmp-${crypto.randomUUID()}`;
      try {
        const handle = await folder.getFileHandle(temporary, { create: true });
        const sink = await writer.open(handle);
        try {
          let at = 0;
          for (const piece of pieces) {
            for (let from = 0; from < piece.length; from += PIECE_BYTES) {
              const part = piece.subarray(from, from + PIECE_BYTES);
              await sink.write(part, at + from);
            }
            at += piece.length;
          }
          await sink.close();
        } catch (error) {
          await sink.abort();
          throw error;
        }
        await writer.publish(handle, folder, name);
      } catch (cause) {
        await folder.removeEntry(temporary).catch(() => undefined);
        const error = storageFailure(cause);
        // Some browsers have the functions and refuse them.
        if (error.failure.code === 'storage_full') throw error;
        await rows.write(name, pieces);
      }
    },
    async read(name) {
      try {
        const file = await (await folder.getFileHandle(name)).getFile();
        return await file.arrayBuffer();
      } catch {
        return rows.read(name);
      }
    },
    async keepOnly(name) {
      const others: string[] = [];
      for await (const other of folder.keys()) if (other !== name) others.push(other);
      for (const other of others) await folder.removeEntry(other).catch(() => undefined);
      await rows.keepOnly(name);
    },
  };
}

const PIECE_BYTES = 8 * 1024 * 1024;

function rowFiles(db: AccessionDb): IndexFiles {
  return {
    async write(name, pieces) {
      const blob = new Blob(pieces.map(ownBytes));
      try {
        await db.files.put({ name, blob: (await keepsBlobs(db)) ? blob : await blob.arrayBuffer() });
      } catch (error) {
        throw storageFailure(error);
      }
    },
    async read(name) {
      try {
        const blob = (await db.files.get(name))?.blob;
        return (blob instanceof Blob ? await blob.arrayBuffer() : blob) ?? null;
      } catch {
        return null;
      }
    },
    async keepOnly(name) {
      await db.files
        .where('name')
        .notEqual(name ?? '')
        .delete();
    },
  };
}
