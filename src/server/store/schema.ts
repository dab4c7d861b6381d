/**
 * The catalog database as Kysely sees it. The same tables on SQLite and PostgreSQL: truth values are 0 and 1,
 * structures are JSON text, times are milliseconds since the epoch. Made by migrate.ts, in order, forward only.
 */
import type { Kysely, Transaction } from 'kysely';
import type { JobStatus } from '#core/job/job.ts';
import type { MediaRoot } from '#core/ports.ts';
import type { MirroredJob, MirroredReview, Step } from '#core/sync/protocol.ts';
import type { WorkState } from '#core/sync/work-protocol.ts';

/** Row 1 has the highest sequence number of the change feed, row 2 that of `ingestion_updates`. */
export interface FeedCounterTable {
  id: number;
  value: number;
}

/** One row an entity: its latest change. */
export interface ChangeTable {
  /** One that a lane has registered (`LaneFeed`). */
  kind: string;
  entity_id: string;
  seq: number;
}

/** A random word for each transaction that wrote to the feed: it tells two histories with the same numbers apart. */
export interface FeedMarkTable {
  /** The transaction's last number. */
  seq: number;
  /** Twelve hexadecimal digits. */
  mark: string;
}

/** A report of a workstation that was taken. Those before the one that it last named are forgotten. */
export interface MirrorMarkTable {
  /** Random; the workstation holds it. */
  mark: string;
  user_id: string;
  /** Of its report before. */
  parent: string | null;
  at: number;
}

/** The vocabulary. */
export interface SearchTermTable {
  term: string;
  /** How many entities have it. */
  df: number;
}

export interface SearchPostingTable {
  term: string;
  kind: string;
  entity_id: string;
  /** Terms of the entity: of two that have the term, the shorter is the better answer. */
  terms: number;
}

export interface TokenTable {
  /** SHA-256 of the token, hex. The token itself is nowhere. */
  token_hash: string;
  label: string;
  user_id: string;
  /** Space separated. */
  scopes: string;
  created_at: number;
  revoked_at: number | null;
  /** By which it is listed and revoked; null for one from before there were lists. */
  id: string | null;
  /** null: it does not end by itself. */
  expires_at: number | null;
}

export interface UserTable {
  id: string;
  name: string;
  role: 'reader' | 'editor' | 'admin';
  created_at: number;
  created_by: string | null;
  /** Set: every token is revoked and no new one is made. */
  removed_at: number | null;
}

/** An invitation: its secret, hashed, lets one person in, once. */
export interface InviteTable {
  id: string;
  secret_hash: string;
  name: string;
  role: 'reader' | 'editor' | 'admin';
  created_by: string;
  created_at: number;
  expires_at: number;
  used_at: number | null;
  used_by: string | null;
  revoked_at: number | null;
}

/** Who did what (audit/audit.ts). The database refuses to change a row. */
export interface AuditTable {
  id: string;
  at: number;
  user_id: string;
  action: string;
  kind: string;
  entity_id: string;
  /** JSON. */
  details: string;
}

/** How much of a limit was used up in the window that began then. */
export interface RateCounterTable {
  name: string;
  begun_at: number;
  used: number;
}

export interface IdempotencyTable {
  user_id: string;
  key: string;
  /** SHA-256 of method, path and body. */
  request_sha256: string;
  status: number;
  response: string;
  created_at: number;
}

/** As it is mirrored, in the words of storage. */
export interface IngestionJobTable extends Omit<
  MirroredJob,
  'context_type' | 'on_server' | 'parent_job_id' | 'heard_at'
> {
  /** When the workstation that works on it last spoke of it, milliseconds. */
  heard_at: number | null;
  user_id: string;
  context_type: 'DOWNLOAD_REQUEST' | 'SPONTANEOUS';
  /** 1 once a commit was accepted for it: it is COMPLETED and stays so. */
  committed: number;
  /** The job of the archive that it came out of. */
  parent_job_id: string | null;
  /** The upload over HTTP that it belongs to (`work_batches`); null for a workstation's job. */
  batch_id: string | null;
  /** When somebody ended it through the API: it is FAILED and stays so. */
  cancelled_at: number | null;
}

export interface IngestionStepTable extends Omit<Step, 'metadata' | 'same_as'> {
  job_id: string;
  /** JSON. */
  metadata: string;
  /** JSON; null where the row is a step of its own. */
  same_as: string | null;
}

/** `job_id`: the job through which it is named. */
export interface IngestionReviewTable extends Omit<MirroredReview, 'job_ids' | 'options' | 'advice' | 'stands'> {
  user_id: string;
  /** JSON array of { id, label, confidence }. */
  options: string;
  /** JSON; null where the agent was not asked. */
  advice: string | null;
  /** 0 while the workstation does not know yet that it was answered here. */
  acknowledged: number;
}

/** Something that was learned from a person's answers; kinds and keys are the lane's. */
export interface LearnedTable {
  user_id: string;
  lane: string;
  kind: string;
  key: string;
  at: number;
  /** JSON. */
  value: string;
}

/** One upload over HTTP, and who works on it. */
export interface WorkBatchTable {
  id: string;
  user_id: string;
  label: string;
  context_type: 'DOWNLOAD_REQUEST' | 'SPONTANEOUS';
  context_id: string | null;
  state: WorkState;
  /** Counts the saves. */
  revision: number;
  /** Of the last save as it came; null before the first. */
  saved_sha256: string | null;
  /** Null while nobody works on it. */
  lease_id: string | null;
  worker: string | null;
  lease_until: number | null;
  /** Leases that ended without a word, one after the other, while nothing of the upload was finished. */
  lost: number;
  created_at: number;
  updated_at: number;
}

/** A part of what a worker saved of an upload, its own, kept word for word. */
export interface WorkDocumentTable {
  batch_id: string;
  /** From 0 on. */
  part: number;
  /** Of the save that it is from. */
  revision: number;
  content: string;
}

/** A file of an upload; its bytes are in the directory of originals until the batch is done. */
export interface WorkFileTable {
  /** Of its job, where it has one. */
  id: string;
  batch_id: string;
  path: string;
  size: number;
  sha256: string;
}

/** What happened to a job, in order: its status then, a step that came, whether a question is open. Pruned. */
export interface IngestionUpdateTable {
  seq: number;
  user_id: string;
  job_id: string;
  status: JobStatus;
  step_id: string | null;
  needs_review: number;
}

/** What a user took of the broker's model within a day (UTC, counted from the epoch). */
export interface ModelUsageTable {
  user_id: string;
  day: number;
  /** In and out. */
  tokens: number;
  requests: number;
}

/** A chat that a user began within the last minute. */
export interface ModelRequestTable {
  id: string;
  user_id: string;
  at: number;
}

/** A kept file that was found not to be what its row says, until it is found right again or given up. */
export interface DamageTable {
  root: MediaRoot | 'ingestion_uploads';
  path: string;
  /** What it should be. */
  sha256: string;
  wrong: 'gone' | 'size' | 'hash';
  found_at: number;
}

/** An import in pieces that began and did not end (import/import-pieces.ts). */
export interface CatalogImportTable {
  /** Of person and request: the same file sent again is the same import. */
  id: string;
  user_id: string;
  begun_at: number;
  /** Of its last piece. */
  at: number;
  /** Of the file. */
  rows: number;
  /** Rows of it that were dealt with. */
  done: number;
  /** JSON: created and updated by list, of all runs. */
  counts: string;
  /** Who ended it; null while nobody did. */
  cancelled_by: string | null;
}

/** Lanes add their tables by declaration merging (lanes/<id>/server). */
export interface Database {
  meta: { key: string; value: string };
  feed_counter: FeedCounterTable;
  changes: ChangeTable;
  feed_marks: FeedMarkTable;
  mirror_marks: MirrorMarkTable;
  search_terms: SearchTermTable;
  search_grams: { gram: string; term: string };
  search_postings: SearchPostingTable;
  tokens: TokenTable;
  users: UserTable;
  invites: InviteTable;
  audit: AuditTable;
  rate_counters: RateCounterTable;
  idempotency: IdempotencyTable;
  ingestion_jobs: IngestionJobTable;
  ingestion_steps: IngestionStepTable;
  ingestion_reviews: IngestionReviewTable;
  ingestion_review_jobs: { review_id: string; job_id: string };
  ingestion_updates: IngestionUpdateTable;
  model_usage: ModelUsageTable;
  model_requests: ModelRequestTable;
  work_batches: WorkBatchTable;
  work_documents: WorkDocumentTable;
  work_files: WorkFileTable;
  learned: LearnedTable;
  damage: DamageTable;
  catalog_imports: CatalogImportTable;
}

/** For reading: what is committed. */
export type Reader = Kysely<Database>;
/** For writing: always inside a transaction. A transaction can be read from, too. */
export type Tx = Transaction<Database>;
