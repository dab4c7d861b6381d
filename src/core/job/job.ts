import type { Failure } from '../errors.ts';
import type { FileEvidence } from '../music/evidence.ts';
import type { AgentFinding } from '../music/agent/doubt.ts';
import type { FileMatch, Reason } from '../music/match.types.ts';
import type { Segment } from './segment.ts';

/** The specification's statuses, section 5. */
export const JOB_STATUSES = ['PENDING', 'PROCESSING', 'AWAITING_REVIEW', 'CONVERTING', 'COMPLETED', 'FAILED'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/**
 * Where exactly a job stands inside its status; what the UI says about it.
 *
 *   PENDING          queued
 *   PROCESSING       probing -> grouping -> searching -> thinking (the agent works on its doubt)
 *   AWAITING_REVIEW  review
 *   CONVERTING       approved -> converting -> waiting (outbox; "Waiting to publish") -> publishing
 *   COMPLETED        published | duplicate
 *   FAILED           failed | cancelled
 */
export type JobPhase =
  | 'queued'
  | 'probing'
  | 'grouping'
  | 'searching'
  | 'thinking'
  | 'review'
  | 'approved'
  | 'converting'
  | 'waiting'
  | 'publishing'
  | 'published'
  | 'duplicate'
  | 'failed'
  | 'cancelled';

export type ContextType = 'DOWNLOAD_REQUEST' | 'SPONTANEOUS';
export type MatchSource = 'AGENT' | 'HUMAN_REVIEW';

/** One file's ingestion. The first block is the specification's `ingestion_jobs` row, word for word. */
export interface Job {
  /** 1: first released form. */
  schema_version: 1;
  id: string;
  status: JobStatus;
  user_id: string;
  original_filename: string;
  file_size_bytes: number;
  /** `sha256/<hash>` in the blob store; null when nothing could be staged or it was freed. */
  temp_file_path: string | null;
  duration_ms: number | null;
  codec: string | null;
  bitrate: number | null;
  context_type: ContextType;
  /** Download request id, or null. */
  context_id: string | null;
  matched_track_id: string | null;
  match_confidence: number | null;
  match_source: MatchSource | null;
  /** Path under the server's media directory, once the commit was accepted. */
  output_file_path: string | null;
  error_message: string | null;
  created_at: number;
  started_at: number | null;
  completed_at: number | null;
  /** JSON of the resumable agent workflow that this job leads; null on the deterministic path. */
  workflow_state: string | null;

  // Ours
  batch_id: string;
  /** Album group, once grouped. */
  group_id: string | null;
  /** Path inside the batch, `/` separated, archive name first when it came from one. */
  path: string;
  phase: JobPhase;
  /** SHA-256 of the original. */
  sha256: string | null;
  failure: Failure | null;
  /** Everything the probe found; null before. */
  evidence: FileEvidence | null;
  /** SHA-256 of the cover found in the file, in the blob store. */
  cover_sha256: string | null;
  cover_mime: string | null;
  lossless: boolean | null;
  sample_rate: number | null;
  channels: number | null;
  /** The last match, with its options and reasons. */
  match: FileMatch | null;
  /** Denormalised for the lists: what it was matched to. */
  matched_title: string | null;
  matched_album_id: string | null;
  matched_album: string | null;
  reasons: Reason[];
  /** Converted output in the blob store. */
  output_sha256: string | null;
  output_size: number | null;
  output_duration_ms: number | null;
  conversion_reason: string | null;
  /** null before the outbox. */
  sync: 'waiting' | 'published' | null;
  /** Job id or track id of what it duplicates. */
  duplicate_of: string | null;
  duplicate_reason: string | null;
  /** A person took the decision back: do not approve it again without their word. */
  hold?: boolean;
  /** A person paused it: it is not converted until they say so. */
  paused?: boolean;
  /** A person said that the track's present audio may be replaced. */
  replace?: boolean;
  /** What the agent made of this job's doubt; kept so that the same doubt is not asked again. */
  agent?: AgentFinding | null;
  /** It is one track of an album image: `sha256` and `temp_file_path` name the image. */
  segment?: Segment;
  /** CUE sheet found inside the file, until it was looked at; null afterwards. */
  cue?: string | null;
  /** 0..1 of publishing, for the bar; not part of the record's meaning. While it is converted the pages are told apart. */
  progress: number;
  /** Highest lock epoch that wrote the row; a write with a lower one is refused (frozen tabs). */
  epoch: number;
  /** Milliseconds; the row is mirrored to the server when newer than the mirror's cursor. */
  updated_at: number;
}

/** One file that came along and is no job: what it was used for, or that it was left out. */
export interface Companion {
  path: string;
  kind: 'cover' | 'cue' | 'playlist' | 'log' | 'checksum' | 'text' | 'system';
  /** `used as cover`, `kept beside the files, not needed`, `ignored`. */
  outcome: string;
  sha256: string | null;
  /** For text companions small enough to keep (CUE, M3U): their text. */
  text: string | null;
}

/** An archive of a batch, or a ZIP inside one. */
export interface BatchArchive {
  /** Its entries get this path without `.zip` as their folder. */
  path: string;
  /** Name of its copy in the blob store, as long as a hash and none: only its files are hashed. */
  sha256: string;
  /** Every entry is a job, a companion or a failed row; the archive's blob may go unless something waits. */
  done: boolean;
  /** Files in it, once they are counted in the batch's `total`; null before. */
  entries: number | null;
  /** What it is by its content. */
  kind?: 'zip' | 'tar' | 'gzip';
  /** Path of the archive that it lay in; a dropped one lay in none. */
  inside?: string;
  /** How many of its files are failed rows that can still be taken in, by what they want; the blob stays for them. */
  waiting?: { password: number; space: number };
}

/** What one drop brought. */
export interface Batch {
  schema_version: 1;
  id: string;
  /** Name for the list: the folder, the archive, or "12 files". */
  label: string;
  context_type: ContextType;
  context_id: string | null;
  created_at: number;
  /** `staging` until every file of the drop is a job or a failed row. */
  state: 'staging' | 'staged';
  /** Files known to be in the drop, and those taken in so far. */
  total: number;
  taken: number;
  /** Archives kept in the blob store until fully unpacked, so that a reload can go on. */
  archives: BatchArchive[];
  companions: Companion[];
  /** Said when the page was closed before everything was read in. */
  notice: string | null;
  /** Made by *Try it*. */
  demo: boolean;
  /** Counts what people did to the batch: a plan computed for an older revision is thrown away. */
  revision?: number;
  /** An answer came in: match the open files again. */
  rematch?: boolean;
}

/** The specification's step types, section 4. */
export const STEP_TYPES = [
  'Context',
  'Thought',
  'ToolCall',
  'ToolResult',
  'Decision',
  'ReviewQuestion',
  'ReviewAnswer',
  'Action',
  'Error',
] as const;
export type ReasoningStepType = (typeof STEP_TYPES)[number];

export interface ReasoningStep {
  id: string;
  job_id: string;
  /** From 1 within the job. */
  step_number: number;
  timestamp: number;
  step_type: ReasoningStepType;
  content: string;
  metadata: Record<string, unknown>;
  duration_ms: number | null;
}

export function isFinished(job: Pick<Job, 'status'>): boolean {
  return job.status === 'COMPLETED' || job.status === 'FAILED';
}

/** Its conversion is to come, or under way: that is what can be paused. */
export function canPause(job: Pick<Job, 'phase'>): boolean {
  return job.phase === 'approved' || job.phase === 'converting';
}
