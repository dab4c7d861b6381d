/**
 * The RPC interfaces of the workers, as a page calls them (Comlink). Every call answers a Result or nothing;
 * progress and state come through IndexedDB, not through these calls.
 */
import type { Result } from '#core/result.ts';
import type { ConvertRequest } from '#core/media.ts';
import type { Companion, ContextType } from '#core/job/job.ts';
import type { ReviewAnswer } from '#core/job/review.ts';
import type { Converted } from '#core/run/lane-run.ts';

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
    /** What of the drop lanes have taken themselves. */
    apart?: Companion[],
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
  /** What came along of this kind (`paths` null: all of it) went somewhere else: the batch's own line says so. */
  sendElsewhere(
    batch_id: string,
    which: { paths: readonly string[] | null; kind: string },
    now: Pick<Companion, 'kind' | 'outcome'>,
  ): Promise<void>;
}

/**
 * What a page calls of stage.worker. A drop of many files comes in parts: the browser looks each file up on the disk
 * before it crosses, and the page answers nobody meanwhile.
 */
export interface StageRpc extends StageApi {
  /** Some files of a drop that the page has a name for. */
  hand(drop: string, files: DroppedFile[]): Promise<Result<true>>;
  /** `stage` with all that was handed over under this name. */
  stageHanded(
    drop: string,
    context: DropContext,
    label?: string,
    apart?: Companion[],
  ): Promise<Result<{ batch_id: string }>>;
}

/** What became of the files that waited. */
export interface Reopening {
  taken: number;
  waiting: number;
}

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
  /** Bytes used, and freeing what is no longer needed. */
  storage(): Promise<Result<StorageReport>>;
  /** `early`: also originals of what is published that wait for their day. */
  freeStorage(early: boolean): Promise<Result<{ freed: number }>>;
  /** The person has read what the browser took away. */
  leaveStorageLoss(): Promise<void>;
  /** True: gives the upload in hand back, and leaves uploads to others for ten minutes; false: looks for one now. */
  restUploads(rest: boolean): Promise<void>;
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
export interface TranscodeApi {
  /** `onProgress` gets the share 0..1 that is done, the same again while something moves: silence means that nothing does. */
  transcode(request: TranscodeRequest, onProgress: (share: number) => void): Promise<Result<Converted>>;
}

export type { ReplicaState, ServerFacts, SyncState } from './meta.ts';
