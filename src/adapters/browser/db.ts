/**
 * IndexedDB: the truth of the workstation. Pages read it live (`liveQuery`), only workers write it,
 * except for `settings`. Every write that changes what a person sees is one read-write transaction.
 *
 * Versions: 1 first released form. 2 adds what changed in the catalog since its index was built, and files where the
 * browser has no file system. 3 adds what people decided about contents, and what their answers say of the matcher. 4 adds
 * what this user's other workstations and the server work on, as the server tells it. 5 adds plans.
 * 6 adds shows, and what lists go through of them. 7 adds folders of videos and the journals of renames in them. 8 adds
 * the bytes of blobs where the browser keeps no Blobs in rows.
 */
import Dexie, { type EntityTable, type Table } from 'dexie';
import type { Batch, Job, ReasoningStep } from '#core/job/job.ts';
import type { Remembered } from '#core/job/memory.ts';
import type { Review } from '#core/job/review.ts';
import type { Album, Artist, DownloadRequest, Track } from '#core/music/catalog.ts';
import type { CalibrationSample } from '#core/music/local-profile.ts';
import type { Plan } from '#core/plan/plan.ts';
import type { PlanState } from '#core/plan/plan-store.ts';
import type { OutboxItem } from '#core/sync/outbox.types.ts';
import type { MirroredJob, MirroredReview } from '#core/sync/protocol.ts';
import type { Show, ShowHead } from '#core/video/show-catalog.ts';
import type { RenameJournalRow, RenameRecordRow, VideoFolderRow } from './video/rows.types.ts';

export interface SettingRow {
  key: string;
  value: unknown;
}

/** Singletons: `replica` (cursor, catalog_id, counts), `index` (which file holds the matcher's index), `sync` (online, lastError, ...), `pipeline` (epoch), `calibration` (the local profile), `shows` (the shows' cursor). */
export interface MetaRow {
  key: string;
  value: unknown;
}

/** A blob's use, so that unreferenced ones are collected: `job:<id>`, `output:<id>`, `cover:<id>`, `archive:<batch>`. */
export interface IndexedDbBlobRow {
  sha256: string;
  size: number;
  /** Null where the browser refuses Blobs in rows. */
  blob: Blob | null;
  /** Then its bytes are the rows `of` that name, each of `bytes` but the last. */
  parts?: { of: string; bytes: number };
  /** Milliseconds; what is young is not collected, its row may be about to be written. */
  stored_at: number;
}

/** Some bytes of a blob, by its place among them. */
export interface BlobPartRow {
  /** When it was begun, in milliseconds, and a random name. */
  of: string;
  index: number;
  bytes: ArrayBuffer;
}

/** What one page of the change feed put and deleted after the catalog's index was built: one row, read as one. */
export interface ChangedRow {
  /** `page:<version>:<count>`, so that pages are counted without being read. */
  key: string;
  /** Of the replica, after the page. */
  version: number;
  artists: Artist[];
  albums: Album[];
  tracks: Track[];
  gone: Record<'artist' | 'album' | 'track', string[]>;
}

/** A file of the origin private file system, where there is none. */
export interface StoredFileRow {
  name: string;
  /** Bytes where the browser refuses Blobs in rows. */
  blob: Blob | ArrayBuffer;
}

/** A job of this user that is not this browser's: another workstation's, or one that the server's worker does. */
export interface RemoteJobRow extends MirroredJob {
  needs_review: boolean;
  /** How far its log is known, so that whoever shows it reads on. */
  step_number: number;
}

/** An open question about such jobs. */
export type RemoteReviewRow = MirroredReview;

/** A plan of the video lane: its specified document, and what is known beside it. */
export interface PlanRow {
  id: string;
  plan: Plan;
  state: PlanState;
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
  declare blob_parts: Table<BlobPartRow, [string, number]>;
  declare changed: Table<ChangedRow, string>;
  declare files: EntityTable<StoredFileRow, 'name'>;
  declare memory: EntityTable<Remembered, 'sha256'>;
  declare samples: EntityTable<CalibrationSample, 'id'>;
  declare remote_jobs: Table<RemoteJobRow, string>;
  declare remote_reviews: Table<RemoteReviewRow, string>;
  declare plans: Table<PlanRow, string>;
  declare shows: Table<Show, string>;
  declare show_heads: Table<ShowHead, string>;
  declare video_folders: Table<VideoFolderRow, string>;
  declare rename_journals: Table<RenameJournalRow, string>;
  declare rename_records: Table<RenameRecordRow, number>;

  constructor(name = 'accession') {
    // Each context has its own copies of what it needs; Dexie's would be checked at every write and never used.
    super(name, { chromeTransactionDurability: 'strict', cache: 'disabled' });
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
    this.version(3).stores({ memory: 'sha256, at', samples: 'id, at, [kind+at]' });
    this.version(4).stores({ remote_jobs: 'id, status, created_at', remote_reviews: 'id, *job_ids, created_at' });
    this.version(5).stores({ plans: 'id, [plan.task+plan.status], state.created_at' });
    this.version(6).stores({ shows: 'id', show_heads: 'id, title' });
    this.version(7).stores({
      video_folders: 'id, opened_at',
      rename_journals: 'id, root, plan_id, open',
      rename_records: '++seq, journal_id',
    });
    this.version(8).stores({ blob_parts: '[of+index]' });
  }
}
