/**
 * The doors of the workers, as the page sees them (Comlink). Every call answers a Result or nothing;
 * progress and state come through IndexedDB, not through these calls.
 */
import type { Result } from '#core/result.ts';
import type { ContextType } from '#core/job/job.ts';
import type { FileTags } from '#core/music/evidence.ts';

/** A dropped file with its path inside the drop (folders included), `/` separated. */
export interface DroppedFile {
  path: string;
  file: File;
}

export interface DropContext {
  type: ContextType;
  /** Download request id. */
  id: string | null;
}

/** stage.worker */
export interface StageApi {
  /** Takes a drop in: makes the batch, stages every file, answers the batch id when all are jobs or failed rows. */
  stage(
    files: DroppedFile[],
    context: DropContext,
    label?: string,
    demo?: boolean,
  ): Promise<Result<{ batch_id: string }>>;
  /** Makes a ZIP that fits the given pending request (tones of the right lengths) and stages it. */
  tryIt(request_id: string): Promise<Result<{ batch_id: string }>>;
  /** Goes on with batches whose archives were not fully unpacked; called at start by the lock holder. */
  resume(): Promise<void>;
  cancel(batch_id: string): Promise<void>;
}

/** What a person answers to a review. */
export type ReviewAnswer =
  | { kind: 'option'; option_id: string }
  | { kind: 'none' }
  | { kind: 'track'; track_id: string }
  | { kind: 'album'; album_id: string }
  /** `no_match`: the entry was just created in the editor. */
  | { kind: 'created'; album_id: string }
  | { kind: 'cancel' };

/** pipeline.worker */
export interface PipelineApi {
  /** Starts (or asks to start) the pipeline in this tab. `role` says whether this tab holds the lock. */
  start(): Promise<Result<{ role: 'leader' | 'follower' | 'unsupported' }>>;
  /** Wakes the pipeline after the database changed. */
  poke(): Promise<void>;
  answerReview(review_id: string, answer: ReviewAnswer): Promise<Result<{ winner: string }>>;
  /** Takes a decision back, until it is published: the job returns to its review or is matched again. */
  undo(job_ids: string[]): Promise<Result<{ undone: number }>>;
  cancel(job_ids: string[]): Promise<Result<{ cancelled: number }>>;
  retry(job_ids: string[]): Promise<Result<{ retried: number }>>;
  /** Pauses or resumes conversion. */
  setPaused(paused: boolean): Promise<void>;
  /** Removes finished rows from the history (their audio in the catalog stays). */
  clearHistory(job_ids: string[]): Promise<Result<{ removed: number }>>;
  /** Tries everything that waits now. */
  syncNow(): Promise<Result<{ waiting: number }>>;
  /** Catalog search in the replica, for the boxes. */
  searchCatalog(query: string, limit: number): Promise<Result<CatalogHits>>;
  /** Bytes used, and freeing what is no longer needed. */
  storage(): Promise<Result<StorageReport>>;
  freeStorage(): Promise<Result<{ freed: number }>>;
}

export interface CatalogHits {
  albums: { id: string; title: string; artist: string; year: number | null; track_count: number }[];
  tracks: {
    id: string;
    title: string;
    artist: string;
    album: string;
    album_id: string;
    disc: number;
    position: number;
    duration_ms: number | null;
  }[];
  artists: { id: string; name: string }[];
}

export interface StorageReport {
  /** Bytes, as the browser estimates them (it may lie). */
  usage: number;
  quota: number;
  persisted: boolean;
  originals: number;
  outputs: number;
  freeable: number;
}

/** transcode.worker: one file at a time; terminated to cancel. */
export interface TranscodeRequest {
  job_id: string;
  sha256: string;
  original_filename: string;
  /** Sample rate and channels as probed; null when unknown. */
  sample_rate: number | null;
  channels: number | null;
  duration_ms: number | null;
  /** Vorbis quality -1..10. */
  quality: number;
  /** Vorbis comments from the catalog: TITLE, ARTIST, ALBUM, ALBUMARTIST, TRACKNUMBER, TRACKTOTAL, DISCNUMBER, DATE, ... */
  tags: Record<string, string>;
  cover: { sha256: string; mime: string } | null;
}
export interface TranscodeDone {
  sha256: string;
  size: number;
  duration_ms: number;
  /** Why it was (or was not) converted: `flac -> vorbis q9`. */
  conversion_reason: string;
  verified: string[];
}
export interface TranscodeApi {
  transcode(request: TranscodeRequest, onProgress: (share: number) => void): Promise<Result<TranscodeDone>>;
}

/** What probing a staged blob yields. */
export interface ProbeOutcome {
  duration_ms: number | null;
  codec: string;
  container: string;
  bitrate: number | null;
  sample_rate: number | null;
  channels: number | null;
  lossless: boolean;
  tags: FileTags;
  cover: { bytes: Uint8Array; mime: string } | null;
}

/** State of sync, kept in meta row `sync` for the top bar. */
export interface SyncState {
  online: boolean;
  /** `ok`, `offline`, `unauthorized`, `server_error`. */
  state: 'ok' | 'offline' | 'unauthorized' | 'server_error' | 'starting';
  message: string | null;
  waiting: number;
  oldest_waiting_at: number | null;
  last_contact_at: number | null;
  next_try_at: number | null;
}

/** Meta row `replica`. */
export interface ReplicaState {
  catalog_id: string | null;
  cursor: string | null;
  /** Bumped on every applied page; the matcher's index is rebuilt when it changed. */
  version: number;
  artists: number;
  albums: number;
  tracks: number;
  complete: boolean;
}
