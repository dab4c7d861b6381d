import type { ArchiveLimits, Expansion } from '#core/ingest/limits.ts';
import type { IngesterRegistry } from '#core/ingest/registry.ts';
import type { AlbumWithTracks } from '#core/music/catalog.ts';
import type { Clock, Ids } from '#core/ports.ts';
import type { BrowserBlobStore } from '../blob-store.types.ts';
import type { AccessionDb } from '../db.ts';
import type { GateOf } from './gate.ts';
import type { StageLocks } from './locks.ts';
import type { Reading } from './reading.ts';

/** What staging needs of the world. */
export interface StageDeps {
  db: AccessionDb;
  blobs: BrowserBlobStore;
  clock: Clock;
  ids: Ids;
  registry: IngesterRegistry;
  locks: StageLocks;
  /** As the person set them; asked once a batch. */
  limits(): Promise<ArchiveLimits>;
  /** Bytes that can still be stored, as far as anybody knows; null when nobody does. */
  freeBytes(): Promise<number | null>;
  /** Shut while the person paused work; without it nobody pauses. */
  gate?: GateOf;
  /** Tells the pages how many bytes of a batch are read in. */
  tell?(batchId: string, done: number, total: number): void;
  /** Tells the pipeline that there is something to do. */
  notify(): void;
  /** A ZIP of tones that fits an album, for *Try it*. */
  makeDemoAlbum(album: AlbumWithTracks, names: Readonly<Record<string, string>>): Promise<File>;
}

/** One batch on its way in. */
export interface StageRun {
  batchId: string;
  cancel: { aborted: boolean };
  limits: ArchiveLimits;
  /** What each dropped archive has expanded to so far, by its path. */
  expansions: Map<string, Expansion>;
  reading: Reading;
  /** Paths of archives whose entries are expected already. */
  listed: Set<string>;
  /** An archive that is opened again for what failed in it before. */
  again?: Reopened;
}

export interface Reopened {
  /** Path of the archive. */
  path: string;
  /** In memory only, for as long as this run takes. */
  password?: string;
  /** Failed rows that are tried again: job id by path in the batch. */
  retake: ReadonlyMap<string, string>;
}
