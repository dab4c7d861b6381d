/**
 * The doors of the workers, as the page sees them (Comlink). Every call answers a Result or nothing;
 * progress and state come through IndexedDB, not through these calls.
 */
import type { Failure } from '#core/errors.ts';
import type { Result } from '#core/result.ts';
import type { ConvertRequest } from '#core/job/convert-request.ts';
import type { ContextType } from '#core/job/job.ts';
import type { HealthReport, HealthStage } from '#core/agent/llm/provider.ts';
import type { Settings } from '#core/config.ts';
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
  /**
   * Takes in what waits in a kept archive (`BatchArchive.waiting`): what is protected, with its password, and what had
   * no space. A password that opens nothing is `archive_encrypted`, and nothing changes then. It is never stored.
   */
  reopen(batch_id: string, archive_path: string, password: string | null): Promise<Result<Reopening>>;
  /** Nobody is asked for it any more: its files stay failed rows, and the archive's copy goes. */
  leaveArchive(batch_id: string, archive_path: string): Promise<void>;
}

/**
 * What a page calls of stage.worker. A drop of many files comes in parts: the browser looks each file up on the disk
 * before it crosses, and the page answers nobody meanwhile.
 */
export interface StageDoor extends StageApi {
  /** Some files of a drop that the page has a name for. */
  hand(drop: string, files: DroppedFile[]): Promise<Result<true>>;
  /** `stage` with all that was handed over under this name. */
  stageHanded(drop: string, context: DropContext, label?: string): Promise<Result<{ batch_id: string }>>;
}

/** What became of the files that waited. */
export interface Reopening {
  taken: number;
  waiting: number;
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
  /** Pauses or resumes all work on files: reading in, probing, the agent, converting. Results are still published. */
  setPaused(paused: boolean): Promise<void>;
  /** Pauses or resumes the conversion of these files. Answers how many changed. */
  pause(job_ids: string[], paused: boolean): Promise<Result<{ changed: number }>>;
  /** The person answers it themselves: the agent stops at these jobs' doubts, and each becomes a review at once. */
  skipAgent(job_ids: string[]): Promise<Result<{ skipped: number }>>;
  /** Puts questions to the model whose answer failed to come; they leave the queue until it answered. Wakes a resting one. */
  askAgain(job_ids: string[]): Promise<Result<{ asked: number }>>;
  /** The model works again (a test passed, or the person says so): a resting agent takes up work at once. */
  wakeAgent(): Promise<void>;
  /** Removes finished rows from the history (their audio in the catalog stays). */
  clearHistory(job_ids: string[]): Promise<Result<{ removed: number }>>;
  /** Tries everything that waits now. */
  syncNow(): Promise<Result<{ waiting: number }>>;
  /** Tries this one now. False: it does not wait any more. */
  tryWaiting(key: string): Promise<Result<{ waiting: boolean }>>;
  /** A waiting result as a ZIP that another workstation can take in. */
  exportWaiting(key: string): Promise<Result<{ name: string; blob: Blob }>>;
  /** Takes such a ZIP in. `known`: it waits here already, or did. */
  importBundle(file: Blob): Promise<Result<{ original_filename: string; known: boolean }>>;
  /** Publishes again what the server has lost (it was put back to an older state). */
  publishAgain(): Promise<Result<{ again: number }>>;
  /** What the server has lost is not spoken of again. */
  leaveLost(): Promise<void>;
  /** Catalog search in the replica, for the boxes. */
  searchCatalog(query: string, limit: number): Promise<Result<CatalogHits>>;
  /** Ids of shows of the replica whose title, or one of whose other titles, is near the words; best first. */
  searchShows(words: string, limit: number): Promise<Result<string[]>>;
  /** Bytes used, and freeing what is no longer needed. */
  storage(): Promise<Result<StorageReport>>;
  /** `early`: also originals of what is published that wait for their day. */
  freeStorage(early: boolean): Promise<Result<{ freed: number }>>;
  /** True: gives the upload in hand back, and leaves uploads to others for ten minutes; false: looks for one now. */
  restUploads(rest: boolean): Promise<void>;
  /** From now on the matcher's confidence is as shipped. `before` takes it back (`restoreProfile`). */
  resetProfile(): Promise<Result<{ before: number }>>;
  restoreProfile(before: number): Promise<Result<{ answers: number }>>;
  /** Forgets what people decided about contents: the same content is asked about again. */
  forgetDecisions(): Promise<Result<{ forgotten: number }>>;
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
  persisted: boolean;
  /** Bytes of what is needed: originals of what is not published, and results that wait. */
  originals: number;
  outputs: number;
  /** Bytes that no row names: the next collection takes them. */
  freeable: number;
  /** What is published and waits for its day. */
  published: { files: number; bytes: number };
  /** The first of those, in the order of their dates (milliseconds since the epoch). */
  next: { sha256: string; name: string; size: number; published_at: number; frees_at: number }[];
  /** The last times that originals were freed, the latest first: their days were over, or somebody asked. */
  freed: { at: number; files: number; bytes: number; why: 'days' | 'asked' }[];
}

/** transcode.worker: one file at a time; terminated to cancel. */
export interface TranscodeRequest extends ConvertRequest {
  /** False: straight to the ffmpeg core; else only where the fast way cannot do it. */
  fast?: boolean;
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
  /** What a person should know of the file; sentences. */
  notes?: string[];
  /** A CUE sheet inside the file. */
  cue?: string;
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

/** Meta row `agent`, for the top bar; absent until the agent was needed for the first time. */
export interface AgentState {
  /** `off`: no model is set. `resting`: it failed too often in a row and is tried again at `retry_at`, or by `wakeAgent`. */
  state: 'off' | 'idle' | 'working' | 'resting';
  /** `ollama`, `recorded`, ...; null when off. */
  provider: string | null;
  model: string | null;
  /** Answers are replayed, no model runs. */
  recorded: boolean;
  /** What it is asked now: the leading job of each doubt and the file's or album's name. */
  working_on: { job_id: string; name: string; since: number }[];
  /** Doubts that wait for their turn. */
  waiting: number;
  /** Model failures in a row. */
  failures: number;
  last_failure: { failure: Failure; at: number } | null;
  retry_at: number | null;
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

/** model.worker: models that run in this browser. Also where any provider is built and tested from the settings page. */
export interface ModelApi {
  machine(): Promise<MachineReport>;
  models(): Promise<Result<LocalModel[]>>;
  /**
   * Fetches what is missing of a model; ends when it is complete, paused or failed. What is there stays on a pause.
   * Checks the space first.
   */
  download(id: string, onProgress: (progress: DownloadProgress) => void): Promise<Result<LocalModel>>;
  pause(id: string): Promise<void>;
  /** Deletes weights, complete or not. */
  remove(id: string): Promise<Result<{ freed: number }>>;
  /** Hashes each stored part again; what differs is removed, to be fetched by the next download. */
  verify(id: string): Promise<Result<{ damaged: number }>>;
  /** A GGUF by URL, or from a file of this device (copied in). */
  addGguf(source: { url: string } | { file: File }, name: string): Promise<Result<LocalModel>>;
  /** The staged check of what is in the settings now, or of `draft`. `onStage` hears each stage as it ends. */
  check(draft: ModelDraft | null, onStage: (stage: HealthStage) => void): Promise<Result<HealthReport>>;
  /** Stops a running check. */
  stopCheck(): Promise<void>;
}

export interface ModelDraft {
  provider: Settings['llm_provider'];
  base_url: string;
  model: string;
  context_length: number;
  timeout_secs: number;
  /** null: the stored key. */
  key: string | null;
}

export interface MachineReport {
  webgpu: 'ok' | 'no_adapter' | 'absent';
  /** The adapter's own words, `swiftshader` included. */
  adapter: string | null;
  /** Software adapters work and are far too slow to be of use. */
  software: boolean;
  shader_f16: boolean;
  /** Bytes. */
  max_buffer: number | null;
  threads: number;
  /** wllama runs on several threads only where the page is cross-origin isolated. */
  isolated: boolean;
  /** Bytes, as the browser rounds it (at most 8 GiB is said); null where it does not say. */
  memory: number | null;
  free_storage: number | null;
}

export interface LocalModel {
  id: string;
  name: string;
  engine: 'webllm' | 'wllama';
  /** Bytes. */
  download_bytes: number;
  memory_bytes: number;
  context_length: number;
  licence: string;
  licence_url: string | null;
  needs_f16: boolean;
  /** Why this machine cannot run it: one sentence with the remedy; null when it can. */
  unfit: string | null;
  /** The same model for machines that this one does not fit. */
  twin_id: string | null;
  state: 'absent' | 'partial' | 'ready';
  have_bytes: number;
  /** Added by the person. */
  own: boolean;
}

export interface DownloadProgress {
  bytes: number;
  total: number;
  /** Seconds; null while it is not known. */
  seconds_left: number | null;
  bytes_per_second: number;
  /** The part being fetched or checked. */
  part: string;
}
