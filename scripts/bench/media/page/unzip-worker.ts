/// <reference lib="dom" />
/** Unpacks where the app does: in a worker, which alone may write OPFS through sync access handles. */
import { expose } from 'comlink';
import { openBlobStore } from '#adapters/browser/blobs/blob-store.ts';
import { openArchive } from '#adapters/media/archive/open.ts';
import { blobPieces } from '#adapters/media/blob-pieces.ts';
import { DEFAULT_SETTINGS } from '#core/config.ts';
import { archiveLimits } from '#core/ingest/limits.ts';
import { openAppDatabase } from './database.ts';

const store = openBlobStore(openAppDatabase());

export interface Unpacker {
  /** Puts a file where a dropped archive is kept while it is unpacked; answers its name there. */
  keep(file: File): Promise<string>;
  /** Unpacks a kept archive into the app's store, CRC and SHA-256 included. Bytes. */
  unpack(sha256: string): Promise<number>;
}

const unpacker: Unpacker = {
  async keep(file) {
    return (await (await store).keep(blobPieces(file))).sha256;
  },
  async unpack(sha256) {
    const blobs = await store;
    const limits = archiveLimits(DEFAULT_SETTINGS);
    const opened = await openArchive(await blobs.file(sha256), { name: 'bench.zip', limits });
    let bytes = 0;
    for (const item of opened.items) {
      if (!item.ok) throw new Error(item.failure.message);
      bytes += (await blobs.put(item.chunks(), undefined, item.size)).size;
    }
    await opened.close();
    return bytes;
  },
};

expose(unpacker);
