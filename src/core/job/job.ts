/** A file's ingestion and what belongs to it, as rows. What a lane keeps on a job of its own is a type parameter. */
import type { Failure } from '../errors.ts';
import type { ArchiveKind } from '../ingest/file-kinds.ts';
import { DECIDED, isOneOf, UNDECIDED, type JobPhase, type JobStatus, type PHASES } from './phases.ts';
import type { Reason } from './reason.ts';
import type { ReviewTypes } from './review.ts';

export { JOB_STATUSES, type JobPhase, type JobStatus } from './phases.ts';

export type ContextType = 'DOWNLOAD_REQUEST' | 'SPONTANEOUS';
export type MatchSource = 'AGENT' | 'HUMAN_REVIEW';

/** Evidence: what was observed about one file. A lane adds its own facts. */
export interface JobEvidence {
  /** The job's id. */
  file_id: string;
  /** Path inside the batch, `/` separated. */
  path: string;
  /** Milliseconds; null when it could not be found out. */
  duration_ms: number | null;
}

/** Match: what a file was compared to, with confidence and reasons. A lane adds its own. */
export interface JobMatch {
  /** Best assignment, even if it is in doubt. */
  track_id: string | null;
  /** 0..1, calibrated; above the person's threshold it is approved without asking. */
  confidence: number;
  reasons: Reason[];
  /** The explanation of this very assignment; null or absent where there is none. */
  why?: unknown;
}

/** The types that a lane fills in. */
export interface LaneTypes {
  evidence: JobEvidence;
  match: JobMatch;
  /** What a job is that is one part of a file; `file`: name of the file as it arrived. */
  segment: { file: string; content: string };
  review: ReviewTypes;
  /** What lanes keep beside their jobs, in the same transactions: `{ [lane id]: its rows }`. */
  rows: object;
}

/** What the agent made of a doubt, kept on each of the doubt's jobs. */
export interface AgentFinding {
  /** The doubt's. */
  key: string;
  workflow_id: string;
  /** `track:<id>`, `album:<id>`, `none` (not any of these), `ask` (leaves it to the person), or `failed`. */
  answer: string;
  why: string;
  model: string;
  recorded: boolean;
  /** 0..1. */
  agreement: number;
  /** From evidence, agreement and log-probability, calibrated; at most the threshold unless evidence alone is over it. */
  confidence: number;
  /** Sentence, when it failed. */
  failed: string | null;
  /** Albums that its searches showed and that the matcher had not compared. */
  looked_up: string[];
  /** How many doubts about this file were put to the agent, this one included; kept by the job, absent: 1. */
  rounds?: number;
  /** The matcher has not decided with it yet. */
  fresh?: boolean;
}

/** A picture that a person chose as the cover of what is published. */
export interface ChosenCover {
  /** In the blob store. */
  sha256: string;
  mime: string;
  /** Where it comes from: one of the files, a picture beside them, the catalog's album, or the person's own. */
  from: 'file' | 'folder' | 'catalog' | 'person';
  /** Of the file, or the album. */
  name: string;
}

/** Every column of a stored job. The first block is the specification's `ingestion_jobs` row, word for word. */
export interface JobFields<L extends LaneTypes = LaneTypes> {
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
  /** The lane whose file it is; absent in rows from before 0.2: the first lane. */
  lane?: string;
  batch_id: string;
  /** Album group, once grouped. */
  group_id: string | null;
  /** Path inside the batch, `/` separated, archive name first when it came from one. */
  path: string;
  phase: JobPhase;
  /** SHA-256 of the original; null where nothing could be staged. */
  sha256: string | null;
  failure: Failure | null;
  /** Everything the probe found; null before. */
  evidence: L['evidence'] | null;
  /** SHA-256 of the cover found in the file, in the blob store. */
  cover_sha256: string | null;
  cover_mime: string | null;
  /** Goes into what is published in the place of `cover_sha256`, as a person chose it; null or absent: none was chosen. */
  cover_chosen?: ChosenCover | null;
  lossless: boolean | null;
  sample_rate: number | null;
  channels: number | null;
  /** The last match, with its options and reasons. */
  match: L['match'] | null;
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
  /** It is one part of a file, such as a track of an album image: `sha256` and `temp_file_path` name the whole file. */
  segment?: L['segment'];
  /** CUE sheet found inside the file, until it was read; null afterwards. */
  cue?: string | null;
  /** Path in the batch of the archive that it came out of; of a job that is worked on for the server. */
  archive?: string;
  /** 0..1 of publishing, for the bar; not part of the record's meaning. Pages get that of a conversion by messages. */
  progress: number;
  /** Highest lock epoch that wrote the row; a write with a lower one is refused (frozen tabs). */
  epoch: number;
  /** Milliseconds; the row is mirrored to the server when newer than the mirror's cursor. */
  updated_at: number;
}

/** A job in one phase: the facts that are known by then are there. */
export type JobIn<P extends JobPhase, L extends LaneTypes = LaneTypes> = {
  [K in P]: Omit<JobFields<L>, 'phase' | 'status' | Known<K>> & { phase: K; status: (typeof PHASES)[K]['status'] } & {
    [F in Known<K>]: NonNullable<JobFields<L>[F]>;
  };
}[P];
type Known<P extends JobPhase> = Extract<(typeof PHASES)[P]['knows'][number], keyof JobFields>;

/** One file's ingestion: a union by phase. */
export type Job<L extends LaneTypes = LaneTypes> = JobIn<JobPhase, L>;

/** One file that came along and is no job: what it was used for, or that it was left out. */
export interface Companion {
  path: string;
  /** `cover`, `cue`, `playlist`, `log`, `checksum`, `text`, `system`, or what another lane calls it. */
  kind: string;
  /** `kept as cover`, `kept beside the files, not needed`, `ignored`. */
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
  kind?: ArchiveKind;
  /** Path of the archive that it lay in; a dropped one lay in none. */
  inside?: string;
  /** How many of its files are failed rows that can still be taken in, by what they want; the blob stays for them. */
  waiting?: { password: number; space: number };
  /** Of an upload to the server: the job that the archive has of its own, and its size in bytes. */
  job_id?: string;
  size?: number;
  /** Of such an archive: why it could not be opened, or that it was cancelled; one sentence. */
  error?: string;
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
  /** The row stands for steps in the log of another job of its group, from this number on (shared-steps.ts). */
  same_as?: SameSteps;
}

/** `count` steps in the log of a job, from `step_number` on. */
export interface SameSteps {
  job_id: string;
  step_number: number;
  count: number;
}

/** A step that is about to be written. */
export interface StepDraft {
  step_type: ReasoningStepType;
  content: string;
  metadata?: Record<string, unknown>;
  duration_ms?: number | null;
}

export function isFinished(job: { status: JobStatus }): boolean {
  return job.status === 'COMPLETED' || job.status === 'FAILED';
}

/** Matched, and not decided yet. */
export function isUndecided<J extends { phase: JobPhase }>(job: J): job is J & { phase: (typeof UNDECIDED)[number] } {
  return isOneOf(UNDECIDED, job.phase);
}

/** Decided, and neither published nor ended. */
export function isDecided<J extends { phase: JobPhase }>(job: J): job is J & { phase: (typeof DECIDED)[number] } {
  return isOneOf(DECIDED, job.phase);
}

/** Its conversion is to come, or under way: that is what can be paused. */
export function canPause(job: { phase: JobPhase }): boolean {
  return job.phase === 'approved' || job.phase === 'converting';
}

/** A decision can be taken back until the server may have accepted it. */
export function canUndo(
  job: Pick<JobFields, 'evidence' | 'phase' | 'status' | 'match' | 'temp_file_path' | 'failure'>,
): boolean {
  if (job.evidence === null) return false;
  if (job.status === 'CONVERTING') return job.phase !== 'publishing';
  // Its original may be freed by now: then there is nothing to publish instead.
  if (job.phase === 'duplicate') return job.match !== null && job.temp_file_path !== null;
  return job.phase === 'failed' && job.failure?.code === 'rejected';
}

/**
 * What names the content that a job is about: for what was decided, made or published of it before. The job's own
 * `sha256` names the file in the blob store.
 */
export function contentOf(
  job: Pick<JobFields, 'sha256'> & { segment?: { content: string } | undefined },
): string | null {
  return job.segment?.content ?? job.sha256;
}
