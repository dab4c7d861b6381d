/**
 * The catalog database as Kysely sees it. The same tables on SQLite and PostgreSQL: truth values are 0 and 1,
 * structures are JSON text, times are milliseconds since the epoch. Made by migrations/, in order, forward only.
 */
import type { Kysely, Transaction } from 'kysely';
import type { JobStatus, MatchSource, ReasoningStepType } from '#core/job/job.ts';
import type { Availability } from '#core/music/catalog.ts';
import type { WorkState } from '#core/sync/work-protocol.ts';

export interface MetaTable {
  key: string;
  value: string;
}

/** Row 1 has the highest sequence number of the change feed, row 2 that of `ingestion_updates`. */
export interface FeedCounterTable {
  id: number;
  value: number;
}

export interface ArtistTable {
  id: string;
  name: string;
  /** Folded name: an artist is found again by it. */
  name_key: string;
  external_ids: string | null;
  version: number;
}

export interface AlbumTable {
  id: string;
  title: string;
  artist_id: string;
  artist: string;
  year: number | null;
  is_compilation: number;
  discs: number;
  track_count: number;
  external_ids: string | null;
  /** Folded `artist title`, the order of browsing. */
  sort_key: string;
  version: number;
}

export interface TrackTable {
  id: string;
  album_id: string;
  title: string;
  artist_id: string;
  artist: string;
  disc: number;
  position: number;
  duration_ms: number | null;
  external_ids: string | null;
  availability: Availability;
  /** Under the media directory; null while missing. */
  output_file_path: string | null;
  audio_sha256: string | null;
  /** Of the file that the audio was converted from: the same file is recognised by it. */
  original_sha256: string | null;
  audio_size: number | null;
  audio_duration_ms: number | null;
  version: number;
}

/** What the music's change feed tells of. */
export type MusicKind = 'artist' | 'album' | 'track' | 'download_request';

/** One row an entity: its latest change. */
export interface ChangeTable {
  kind: MusicKind | 'show';
  entity_id: string;
  seq: number;
}

export interface DownloadRequestTable {
  id: string;
  status: 'pending' | 'fulfilled';
  album_id: string | null;
  track_id: string | null;
  requested_by: string;
  created_at: number;
  fulfilled_at: number | null;
}

export type SearchKind = 'artist' | 'album' | 'track' | 'show';

/** The vocabulary. */
export interface SearchTermTable {
  term: string;
  /** How many entities have it. */
  df: number;
}

export interface SearchGramTable {
  gram: string;
  term: string;
}

export interface SearchPostingTable {
  term: string;
  kind: SearchKind;
  entity_id: string;
  /** Terms of the entity: of two that have the term, the shorter is the better answer. */
  terms: number;
}

export interface ShowTable {
  id: string;
  title: string;
  /** JSON array of other titles. */
  titles: string;
  year: number | null;
  /** Folded title, the order of lists. */
  sort_key: string;
  version: number;
}

/** 0: the specials. */
export interface ShowSeasonTable {
  show_id: string;
  number: number;
  title: string | null;
}

export interface ShowEpisodeTable {
  show_id: string;
  season: number;
  number: number;
  title: string | null;
  /** ISO 8601 day. */
  air_date: string | null;
  absolute: number | null;
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

/** Files about to be placed: what is still here after a crash and belongs to no track is removed. */
export interface PlacementTable {
  path: string;
  created_at: number;
}

/** Audio that was replaced, and where it is kept. */
export interface FormerMediaTable {
  path: string;
  former_path: string;
  track_id: string;
  sha256: string;
  replaced_at: number;
  moved: number;
  /** The five are null for what was replaced before they were kept. */
  replaced_by: string | null;
  reason: 'replaced' | 'unpublished' | null;
  audio_size: number | null;
  audio_duration_ms: number | null;
  original_sha256: string | null;
}

export interface IngestionJobTable {
  id: string;
  status: JobStatus;
  user_id: string;
  original_filename: string;
  file_size_bytes: number;
  duration_ms: number | null;
  codec: string | null;
  bitrate: number | null;
  context_type: 'DOWNLOAD_REQUEST' | 'SPONTANEOUS';
  context_id: string | null;
  matched_track_id: string | null;
  match_confidence: number | null;
  match_source: MatchSource | null;
  output_file_path: string | null;
  error_message: string | null;
  created_at: number;
  started_at: number | null;
  completed_at: number | null;
  updated_at: number;
  /** 1 once a commit was accepted for it: it is COMPLETED and stays so. */
  committed: number;
  /** The job of the archive that it came out of. */
  parent_job_id: string | null;
  /** The upload over HTTP that it belongs to (`work_batches`); null for a workstation's job. */
  batch_id: string | null;
  /** When somebody ended it through the API: it is FAILED and stays so. */
  cancelled_at: number | null;
}

export interface IngestionStepTable {
  id: string;
  job_id: string;
  step_number: number;
  timestamp: number;
  step_type: ReasoningStepType;
  content: string;
  metadata: string;
  duration_ms: number | null;
}

export interface IngestionReviewTable {
  id: string;
  /** The job through which it is named. */
  job_id: string;
  user_id: string;
  question: string;
  reasoning: string;
  /** JSON array of { id, label, confidence }. */
  options: string;
  created_at: number;
  resolved_at: number | null;
  resolved_by_user_id: string | null;
  selected_option: string | null;
  /** 0 while the workstation does not know yet that it was answered here. */
  acknowledged: number;
}

export interface IngestionReviewJobTable {
  review_id: string;
  job_id: string;
}

/** One upload over HTTP, and who works on it. `document` is the worker's own, kept word for word. */
export interface WorkBatchTable {
  id: string;
  user_id: string;
  label: string;
  context_type: 'DOWNLOAD_REQUEST' | 'SPONTANEOUS';
  context_id: string | null;
  state: WorkState;
  /** Counts the saves. */
  revision: number;
  document: string | null;
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

/** A file of an upload; its bytes are in the directory of originals until the batch is done. */
export interface WorkFileTable {
  /** Of its job, where it has one. */
  id: string;
  batch_id: string;
  path: string;
  size: number;
  sha256: string;
}

/** What was told about a job, in order: its status then, a step that came, whether a question is open. Pruned. */
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

export interface Database {
  meta: MetaTable;
  feed_counter: FeedCounterTable;
  artists: ArtistTable;
  albums: AlbumTable;
  tracks: TrackTable;
  changes: ChangeTable;
  download_requests: DownloadRequestTable;
  shows: ShowTable;
  show_seasons: ShowSeasonTable;
  show_episodes: ShowEpisodeTable;
  search_terms: SearchTermTable;
  search_grams: SearchGramTable;
  search_postings: SearchPostingTable;
  tokens: TokenTable;
  users: UserTable;
  invites: InviteTable;
  audit: AuditTable;
  rate_counters: RateCounterTable;
  idempotency: IdempotencyTable;
  placements: PlacementTable;
  former_media: FormerMediaTable;
  ingestion_jobs: IngestionJobTable;
  ingestion_steps: IngestionStepTable;
  ingestion_reviews: IngestionReviewTable;
  ingestion_review_jobs: IngestionReviewJobTable;
  ingestion_updates: IngestionUpdateTable;
  model_usage: ModelUsageTable;
  model_requests: ModelRequestTable;
  work_batches: WorkBatchTable;
  work_files: WorkFileTable;
}

/** For reading: what is committed. */
export type Reader = Kysely<Database>;
/** For writing: always inside a transaction. A transaction can be read from, too. */
export type Tx = Transaction<Database>;
