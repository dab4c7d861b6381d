/** What working on an upload needs of where it runs: a headless worker in Node, or a browser. */
import type { CatalogIndex } from '#core/music/search.ts';
import type { DownloadRequest, Track } from '#core/music/catalog.ts';
import type { BlobRef, BlobStore, Cancel } from '#core/ports.ts';
import type { MediaAnswer, MediaTask } from './media.types.ts';

/** The bytes in hand. */
export interface WorkBlobs extends BlobStore {
  /** Not loaded. Throws AccessionError `blob_missing`. */
  file(sha256: string): Promise<Blob>;
  /** What is only kept for a while, under a name of its own. */
  keep(chunks: AsyncIterable<Uint8Array>, cancel?: Cancel): Promise<BlobRef>;
}

/** Probes and converts. A failure of the place (no space, no codecs) is answered with its own code. */
export interface WorkMedia {
  run(task: MediaTask, signal: AbortSignal): Promise<MediaAnswer>;
}

/** The catalog as this place has it. */
export interface WorkCatalog {
  /** As the server has it now. Throws AccessionError where it cannot be asked. */
  refresh(): Promise<CatalogIndex>;
  /** As of the last `refresh`. */
  index(): CatalogIndex;
  /** By content's SHA-256: the tracks that are available and whose audio was made from it. */
  madeFrom(contents: readonly string[]): Promise<ReadonlyMap<string, Track>>;
  request(id: string): Promise<DownloadRequest | undefined>;
}
