import type { FileBlobs } from '../../media/loose-file.ts';

/** What a browser's blob store can do beyond the port. */
export interface BrowserBlobStore extends FileBlobs {
  /** How it stores; `opfs-readonly` is a page beside workers that write. */
  readonly kind: 'opfs-sync' | 'opfs-writable' | 'opfs-readonly' | 'indexeddb' | 'memory';
  /**
   * Removes what was left behind by tabs that were killed (temporary files, swap files) and blobs that
   * nobody refers to. What is younger than the grace is kept: its row may be about to be written.
   */
  collectGarbage(referenced: ReadonlySet<string>, grace?: CollectGrace): Promise<{ files: number; bytes: number }>;
}

export interface CollectGrace {
  /** Milliseconds since the epoch. */
  now: number;
  /** Milliseconds that an unreferenced blob is kept. */
  blobMs: number;
  /** Milliseconds that a temporary file is kept; while it is written it is locked anyway. */
  temporaryMs: number;
}

/** An hour for blobs, a minute for temporary files. */
export function defaultGrace(now: number): CollectGrace {
  return { now, blobMs: 3_600_000, temporaryMs: 60_000 };
}
