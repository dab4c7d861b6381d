import type { Batch, JobFields, JobIn, LaneTypes } from './job.ts';

export interface NewJobFacts {
  id: string;
  /** Milliseconds since the epoch. */
  now: number;
  /** Who dropped the file; `me` on a workstation that does not know better. */
  user_id?: string;
  batch: Pick<Batch, 'id' | 'context_type' | 'context_id'>;
  /** As the file was called on arrival. */
  original_filename: string;
  /** Path inside the batch. */
  path: string;
  file_size_bytes: number;
  /** Of the staged original; null when it could not be staged: then the event that ends it comes with it. */
  sha256: string | null;
  lane?: string | undefined;
  /** Path in the batch of the archive that it came out of, where that has to be known. */
  archive?: string | undefined;
}

/** A job as staging makes it: PENDING, queued, nothing known but the file. */
export function newJob<L extends LaneTypes = LaneTypes>(facts: NewJobFacts): JobIn<'queued', L> {
  const row: JobFields<L> = {
    schema_version: 1,
    id: facts.id,
    status: 'PENDING',
    phase: 'queued',
    user_id: facts.user_id ?? 'me',
    original_filename: facts.original_filename,
    file_size_bytes: facts.file_size_bytes,
    temp_file_path: facts.sha256 === null ? null : `sha256/${facts.sha256}`,
    duration_ms: null,
    codec: null,
    bitrate: null,
    context_type: facts.batch.context_type,
    context_id: facts.batch.context_id,
    matched_track_id: null,
    match_confidence: null,
    match_source: null,
    output_file_path: null,
    error_message: null,
    created_at: facts.now,
    started_at: null,
    completed_at: null,
    workflow_state: null,
    ...(facts.lane === undefined ? {} : { lane: facts.lane }),
    ...(facts.archive === undefined ? {} : { archive: facts.archive }),
    batch_id: facts.batch.id,
    group_id: null,
    path: facts.path,
    sha256: facts.sha256,
    failure: null,
    evidence: null,
    cover_sha256: null,
    cover_mime: null,
    lossless: null,
    sample_rate: null,
    channels: null,
    match: null,
    matched_title: null,
    matched_album_id: null,
    matched_album: null,
    reasons: [],
    output_sha256: null,
    output_size: null,
    output_duration_ms: null,
    conversion_reason: null,
    sync: null,
    duplicate_of: null,
    duplicate_reason: null,
    progress: 0,
    epoch: 0,
    updated_at: facts.now,
  };
  return row as JobIn<'queued', L>;
}
