/** The files in the blob store, for listening. */
import { openBlobStore } from '#adapters/browser/blob-store.ts';
import { db } from './db.ts';

/** The stored original as a file on disk, not loaded. Throws AccessionError `blob_missing`. */
export async function storedFile(sha256: string): Promise<Blob> {
  const store = await openBlobStore(db);
  return store.file(sha256);
}
