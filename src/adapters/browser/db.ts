/**
 * IndexedDB: the truth of the workstation. Pages read it live (`liveQuery`), only workers write it,
 * except for `settings`. Every write that changes what a person sees is one read-write transaction.
 */
import Dexie, { liveQuery, type EntityTable, type Observable, type ObservabilitySet, type Table } from 'dexie';
import type { Batch, Job, ReasoningStep } from '#core/job/job.ts';
import type { Review } from '#core/job/review.ts';
import { parseJob } from '#core/job/stored-job.ts';
import type { Plan, PlanState } from '#core/plan/plan.ts';
import type { OutboxItem } from '#core/sync/outbox-item.ts';
import type { MirroredJob, MirroredReview } from '#core/sync/protocol.ts';
import type { FolderRow, RenameJournalRow, RenameRecordRow } from './plans/rows.types.ts';

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

/** A plan: its specified document, and what is known beside it. */
export interface PlanRow {
  id: string;
  plan: Plan;
  state: PlanState;
}

/** Tables that came with one version of the database, with their indexes. What was released is never changed, only added to. */
export interface TableVersion {
  since: number;
  stores: Readonly<Record<string, string>>;
}

const TABLES: readonly TableVersion[] = [
  {
    since: 1,
    stores: {
      batches: 'id, created_at, state',
      jobs: 'id, batch_id, group_id, status, sha256, created_at, updated_at, completed_at, matched_track_id',
      steps: 'id, job_id, [job_id+step_number], timestamp',
      reviews: 'id, *job_ids, batch_id, created_at, resolved_at',
      outbox: 'key, job_id, entity, state, next_at, created_at',
      settings: 'key',
      meta: 'key',
      blobs: 'sha256',
    },
  },
  // Files where the browser has no file system.
  { since: 2, stores: { files: 'name' } },
  // What this user's other workstations and the server work on, as the server reports it.
  { since: 4, stores: { remote_jobs: 'id, status, created_at', remote_reviews: 'id, *job_ids, created_at' } },
  { since: 5, stores: { plans: 'id, [plan.task+plan.status], state.created_at' } },
  // Folders of plans, and the journals of renames in them.
  {
    since: 7,
    stores: {
      video_folders: 'id, opened_at',
      rename_journals: 'id, root, plan_id, open',
      rename_records: '++seq, journal_id',
    },
  },
  // The bytes of blobs where the browser keeps no Blobs in rows.
  { since: 8, stores: { blob_parts: '[of+index]' } },
  // Steps of a whole group are stored with one of its jobs: who points at a job that goes.
  { since: 9, stores: { steps: 'id, job_id, [job_id+step_number], timestamp, same_as.job_id' } },
];

export class AccessionDb extends Dexie {
  declare batches: EntityTable<Batch, 'id'>;
  /** Of all lanes: a lane knows its own by a guard. */
  declare jobs: EntityTable<Job, 'id'>;
  declare steps: EntityTable<ReasoningStep, 'id'>;
  declare reviews: EntityTable<Review, 'id'>;
  declare outbox: EntityTable<OutboxItem, 'key'>;
  declare settings: Table<SettingRow, string>;
  declare meta: Table<MetaRow, string>;
  declare blobs: EntityTable<IndexedDbBlobRow, 'sha256'>;
  declare blob_parts: Table<BlobPartRow, [string, number]>;
  declare files: EntityTable<StoredFileRow, 'name'>;
  declare remote_jobs: Table<RemoteJobRow, string>;
  declare remote_reviews: Table<RemoteReviewRow, string>;
  declare plans: Table<PlanRow, string>;
  declare video_folders: Table<FolderRow, string>;
  declare rename_journals: Table<RenameJournalRow, string>;
  declare rename_records: Table<RenameRecordRow, number>;

  /** `lanes`: their tables. */
  constructor(lanes: readonly TableVersion[], name = 'accession') {
    // Each context has its own copies of what it needs; Dexie's would be checked at every write and never used.
    super(name, { chromeTransactionDurability: 'strict', cache: 'disabled' });
    const versions = [...TABLES, ...lanes];
    for (const version of new Set(versions.map(({ since }) => since).sort((a, b) => a - b))) {
      const added = versions.filter(({ since }) => since === version);
      this.version(version).stores(Object.assign({}, ...added.map(({ stores }) => stores)));
    }
    // Dexie asks about rows that are not there, too.
    this.jobs.hook('reading', (row: unknown) => (row === undefined ? row : parseJob(row)));
  }

  /** A query that is asked again when what it read is written, whoever writes. */
  watch<T>(query: () => T | Promise<T>): Observable<T> {
    return liveQuery(query);
  }

  /** Hears of every write of every context; the answer ends that. */
  onWrites(heard: (parts: ObservabilitySet) => void): () => void {
    Dexie.on('storagemutated', heard);
    return () => Dexie.on.storagemutated.unsubscribe(heard);
  }

  /** Waits inside a query that is watched: Dexie's own promise keeps the zone in which it sees what the query reads. */
  rest(ms = 0): Promise<void> {
    return new Dexie.Promise<void>((done) => setTimeout(done, ms)) as Promise<void>;
  }
}
