import type { Failure } from '../errors.ts';
import type { CommitRequest } from './protocol.ts';

/**
 * One approved result on its way to the catalog. FIFO per entity (the track).
 *
 *   waiting -> uploading -> committing -> done (row deleted, job COMPLETED)
 *      ^           |            |
 *      +-- retry (nextAt) ------+      parked: needs a person; shown, never silently dropped
 */
export interface OutboxItem {
  schema_version: 1;
  /** Idempotency key; also the row's key. */
  key: string;
  job_id: string;
  /** FIFO within the same entity: `track:<id>`. */
  entity: string;
  /** What is sent to POST /v1/ingestion/commits. */
  body: CommitRequest;
  /** SHA-256 of the JSON of `body`. */
  body_sha: string;
  blob_sha256: string;
  blob_size: number;
  depends_on: string[];
  state: 'waiting' | 'uploading' | 'committing' | 'parked';
  attempts: number;
  /** Not before this time. Never null while `waiting`: an item is never forgotten. */
  next_at: number;
  created_at: number;
  uploaded_bytes: number;
  /** Uploads that the server found not to have the promised hash, in a row; absent means none. */
  mismatches?: number;
  /**
   * A commit was sent and its answer never arrived: it may have been accepted. Until a definite answer
   * comes, the item cannot be taken back.
   */
  commit_sent?: boolean;
  failure: Failure | null;
  epoch: number;
}
