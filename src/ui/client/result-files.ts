import { openBlobStore } from '#adapters/browser/blobs/blob-store.ts';
import { db } from './db.ts';

export { zipOf } from '#adapters/browser/zip-of-files.ts';

/** Those of these stored files that are kept here still. */
export async function keptFiles(wanted: readonly { name: string; sha256: string }[]) {
  const blobs = await openBlobStore(db);
  const files: { name: string; blob: Blob }[] = [];
  for (const { name, sha256 } of wanted) {
    const blob = await blobs.file(sha256).catch(() => null);
    if (blob !== null) files.push({ name, blob });
  }
  return files;
}
