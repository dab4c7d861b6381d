import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskMediaStore } from '#adapters/node/disk-media-store.ts';
import { mediaStoreContract } from './media-store.ts';

mediaStoreContract('DiskMediaStore', async () => {
  const data = await mkdtemp(join(tmpdir(), 'accession-media-'));
  const close = () => rm(data, { recursive: true, force: true });
  return { data, store: await DiskMediaStore.open(data), close };
});
