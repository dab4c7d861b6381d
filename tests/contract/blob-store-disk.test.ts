import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDiskBlobs } from '#adapters/node/disk-blob-store.ts';
import { blobStoreContract } from './blob-store.ts';

blobStoreContract('DiskBlobStore', async () => {
  const root = await mkdtemp(join(tmpdir(), 'accession-blobs-'));
  return {
    store: await openDiskBlobs(root),
    close: () => rm(root, { recursive: true, force: true }),
  };
});
