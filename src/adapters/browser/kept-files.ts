/**
 * Files of an index (the catalog's replica, libraries), in a folder of the origin's private file system:
 *
 *   FOLDER/tmp-<uuid>   being written; left behind by a kill, collected by `keepOnly`
 *     | flushed, renamed
 *   FOLDER/<name>       whole; a row of the database says which of them hold
 *
 * Where there is no file system of the origin, or it refuses, they are blobs in IndexedDB.
 */
import { ownBytes } from '../media/blob-pieces.ts';
import { keepsBlobs } from './blobs/blob-store-indexeddb.ts';
import { syncAccessWriter, writableWriter, type OpfsWriter } from './blobs/blob-store-opfs.ts';
import type { AccessionDb } from './db.ts';
import { storageFailure } from './blobs/storage-failure.ts';

export interface KeptFiles {
  /** Throws AccessionError `storage_full` or `storage_failed`; nothing is under the name then. */
  write(name: string, pieces: readonly Uint8Array[]): Promise<void>;
  /** Null when it is not there or cannot be read. */
  read(name: string): Promise<ArrayBuffer | null>;
  /** Removes all others; what is in use by another tab stays until the next time. */
  keepOnly(keeps: (name: string) => boolean): Promise<void>;
}

/** `folder`: one segment of a path, `index` for the replica. */
export async function openKeptFiles(db: AccessionDb, folder: string): Promise<KeptFiles> {
  const inRows = rowFiles(db, folder === 'index' ? '' : `${folder}/`);
  try {
    const writer = opfsWriter();
    if (writer === null) return inRows;
    const root = await navigator.storage.getDirectory();
    return opfsFiles(await root.getDirectoryHandle(folder, { create: true }), writer, inRows);
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

function opfsFiles(folder: FileSystemDirectoryHandle, writer: OpfsWriter, rows: KeptFiles): KeptFiles {
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
    async keepOnly(keeps) {
      const others: string[] = [];
      for await (const other of folder.keys()) if (!keeps(other)) others.push(other);
      for (const other of others) await folder.removeEntry(other).catch(() => undefined);
      await rows.keepOnly(keeps);
    },
  };
}

const PIECE_BYTES = 8 * 1024 * 1024;

/** Names of rows begin with the folder's; the replica's, which were first, have none. */
function rowFiles(db: AccessionDb, folder: string): KeptFiles {
  const isOwn = (name: string): boolean => (folder === '' ? !name.includes('/') : name.startsWith(folder));
  return {
    async write(name, pieces) {
      const blob = new Blob(pieces.map(ownBytes));
      try {
        await db.files.put({ name: folder + name, blob: (await keepsBlobs(db)) ? blob : await blob.arrayBuffer() });
      } catch (error) {
        throw storageFailure(error);
      }
    },
    async read(name) {
      try {
        const blob = (await db.files.get(folder + name))?.blob;
        return (blob instanceof Blob ? await blob.arrayBuffer() : blob) ?? null;
      } catch {
        return null;
      }
    },
    async keepOnly(keeps) {
      const names = await db.files.toCollection().primaryKeys();
      await db.files.bulkDelete(names.filter((name) => isOwn(name) && !keeps(name.slice(folder.length))));
    },
  };
}
