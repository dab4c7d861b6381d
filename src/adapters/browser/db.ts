/**
 * IndexedDB: the truth of the workstation. Pages read it live (`liveQuery`), only workers write it,
 * except for `settings`. Every write that changes what a person sees is one read-write transaction.
 *
 * Versions: 1 first released form. 2 adds what changed in the catalog since its index was built, and files where the
 * browser has no file system.
 */
import Dexie, { type EntityTable, type Table } from 'dexie';
import type { Batch, Job, ReasoningStep } from '#core/job/job.ts';
import type { Review } from '#core/job/review.ts';
import type { Album, Artist, DownloadRequest, Track } from '#core/music/catalog.ts';
import type { OutboxItem } from '#core/sync/outbox.types.ts';

export interface SettingRow {
  key: string;
  value: unknown;
}

/** Singletons: `replica` (cursor, catalog_id, counts), `index` (which file holds the matcher's index), `sync` (online, lastError, ...), `pipeline` (epoch). */
export interface MetaRow {
  key: string;
  value: unknown;
}

/** A blob's use, so that unreferenced ones are collected: `job:<id>`, `output:<id>`, `cover:<id>`, `archive:<batch>`. */
export interface IndexedDbBlobRow {
  sha256: string;
  size: number;
  blob: Blob;
  /** Milliseconds; what is young is not collected, its row may be about to be written. */
  stored_at: number;
}

/** A record of the catalog that was put or deleted (null) after its index was built. */
export type ChangedRow = {
  /** `kind:id` */
  key: string;
  /** Of the replica, after the page that brought it. */
  version: number;
} & (
  | { kind: 'artist'; record: Artist | null }
  | { kind: 'album'; record: Album | null }
  | { kind: 'track'; record: Track | null }
);

/** A file of the origin private file system, where there is none. */
export interface StoredFileRow {
  name: string;
  blob: Blob;
}

export class AccessionDb extends Dexie {
  declare batches: EntityTable<Batch, 'id'>;
  declare jobs: EntityTable<Job, 'id'>;
  declare steps: EntityTable<ReasoningStep, 'id'>;
  declare reviews: EntityTable<Review, 'id'>;
  declare outbox: EntityTable<OutboxItem, 'key'>;
  declare artists: EntityTable<Artist, 'id'>;
  declare albums: EntityTable<Album, 'id'>;
  declare tracks: EntityTable<Track, 'id'>;
  declare requests: EntityTable<DownloadRequest, 'id'>;
  declare settings: Table<SettingRow, string>;
  declare meta: Table<MetaRow, string>;
  declare blobs: EntityTable<IndexedDbBlobRow, 'sha256'>;
  declare changed: Table<ChangedRow, string>;
  declare files: EntityTable<StoredFileRow, 'name'>;

  constructor(name = 'accession') {
    super(name, { chromeTransactionDurability: 'strict' });
    this.version(1).stores({
      batches: 'id, created_at, state',
      jobs: 'id, batch_id, group_id, status, sha256, created_at, updated_at, completed_at, matched_track_id',
      steps: 'id, job_id, [job_id+step_number], timestamp',
      reviews: 'id, *job_ids, batch_id, created_at, resolved_at',
      outbox: 'key, job_id, entity, state, next_at, created_at',
      artists: 'id, name',
      albums: 'id, artist_id, title',
      tracks: 'id, album_id, availability, original_sha256',
      requests: 'id, status',
      settings: 'key',
      meta: 'key',
      blobs: 'sha256',
    });
    this.version(2).stores({ changed: 'key, version', files: 'name' });
  }
}
