import { keepsBlobs, IndexedDbBlobStore } from './blob-store-indexeddb.ts';
import { OpfsBlobStore, readOnlyWriter, syncAccessWriter, writableWriter, type OpfsWriter } from './blob-store-opfs.ts';
import type { BrowserBlobStore } from './blob-store.types.ts';
import { AccessionDb } from '../db.ts';
import { isOutOfSpace } from './storage-failure.ts';

/**
 * The blob store that this browser can do, in this context (worker or page):
 *   1. OPFS with sync access handles (workers of Chromium, Firefox, WebKit)
 *   2. OPFS with `createWritable`
 *   3. IndexedDB (private windows and whatever has no OPFS), as Blobs or as rows of bytes
 * All contexts of one browser share 1 and 2: the files are the same, only the way of writing differs.
 */
export async function openBlobStore(db: AccessionDb): Promise<BrowserBlobStore> {
  const root = await opfsRoot();
  if (root !== null) {
    for (const writer of candidates()) {
      if (await canWrite(root, writer)) return OpfsBlobStore.open(root, writer);
    }
    // A page without a way to write, beside workers that have one: it must not look in another store.
    if (isPage()) return OpfsBlobStore.open(root, readOnlyWriter);
  }
  return new IndexedDbBlobStore(db, { keepsBlobs: await keepsBlobs(db) });
}

async function opfsRoot(): Promise<FileSystemDirectoryHandle | null> {
  try {
    return await navigator.storage.getDirectory();
  } catch {
    // Not there (old browsers), or refused (private windows, blocked cookies).
    return null;
  }
}

function candidates(): OpfsWriter[] {
  const able = FileSystemFileHandle.prototype;
  const writers: OpfsWriter[] = [];
  if ('createSyncAccessHandle' in able && 'move' in able) writers.push(syncAccessWriter);
  if ('createWritable' in able) writers.push(writableWriter);
  return writers;
}

/** Some browsers have the function and refuse it (private windows): trying it is the only way to know. */
async function canWrite(root: FileSystemDirectoryHandle, writer: OpfsWriter): Promise<boolean> {
  const name = `probe-${crypto.randomUUID()}`;
  try {
    const sink = await writer.open(await root.getFileHandle(name, { create: true }));
    await sink.close();
    return true;
  } catch (error) {
    // Full is not unable: the files that are there must be found, and what does not fit is said as such.
    return isOutOfSpace(error);
  } finally {
    await root.removeEntry(name).catch(() => undefined);
  }
}

function isPage(): boolean {
  return typeof document !== 'undefined';
}
