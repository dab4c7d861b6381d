/**
 * Files of an upload in this browser's blob store. No row of a job names them, so each is noted in a row of its own:
 * nobody collects it while it is worked on, and what a killed tab left behind is known at the next start.
 */
import type { BlobRef } from '#core/ports.ts';
import type { FileBlobs } from '../../media/loose-file.ts';
import type { BrowserBlobStore } from '../blobs/blob-store.types.ts';
import type { AccessionDb } from '../db.ts';

const PREFIX = 'upload_blob:';

/** Names of the blobs that uploads have here. */
export async function heldBlobs(db: AccessionDb): Promise<Set<string>> {
  const keys = await db.meta.where('key').startsWith(PREFIX).primaryKeys();
  return new Set(keys.map((key) => key.slice(PREFIX.length)));
}

export async function holdBlob(db: AccessionDb, sha256: string): Promise<void> {
  await db.meta.put({ key: `${PREFIX}${sha256}`, value: true });
}

export async function letGo(db: AccessionDb, names: Iterable<string>): Promise<void> {
  await db.meta.bulkDelete([...names].map((name) => `${PREFIX}${name}`));
}

/** The browser's blobs; what is stored through it is held. */
export function holding(db: AccessionDb, blobs: BrowserBlobStore): FileBlobs {
  const hold = async (ref: BlobRef): Promise<BlobRef> => {
    await holdBlob(db, ref.sha256);
    return ref;
  };
  return {
    put: async (...stored) => hold(await blobs.put(...stored)),
    keep: async (...kept) => hold(await blobs.keep(...kept)),
    size: (sha256) => blobs.size(sha256),
    read: (...range) => blobs.read(...range),
    file: (sha256) => blobs.file(sha256),
    delete: (sha256) => blobs.delete(sha256),
    list: () => blobs.list(),
  };
}
