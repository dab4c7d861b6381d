/** Stored rows on their way in: from IndexedDB, and from the documents of uploads that a worker goes on with. */
import { failed, failure } from '../errors.ts';
import type { Job, JobFields, LaneTypes } from './job.ts';
import { isOneOf, JOB_PHASES, PHASES, type JobPhase } from './phases.ts';

type Kind = 'string' | 'number' | 'boolean' | 'object';

/** What each column holds where it holds anything. */
const COLUMNS: Record<keyof JobFields, Kind> = {
  schema_version: 'number',
  id: 'string',
  status: 'string',
  user_id: 'string',
  original_filename: 'string',
  file_size_bytes: 'number',
  temp_file_path: 'string',
  duration_ms: 'number',
  codec: 'string',
  bitrate: 'number',
  context_type: 'string',
  context_id: 'string',
  matched_track_id: 'string',
  match_confidence: 'number',
  match_source: 'string',
  output_file_path: 'string',
  error_message: 'string',
  created_at: 'number',
  started_at: 'number',
  completed_at: 'number',
  workflow_state: 'string',
  lane: 'string',
  batch_id: 'string',
  group_id: 'string',
  path: 'string',
  phase: 'string',
  sha256: 'string',
  failure: 'object',
  evidence: 'object',
  cover_sha256: 'string',
  cover_mime: 'string',
  cover_chosen: 'object',
  lossless: 'boolean',
  sample_rate: 'number',
  channels: 'number',
  match: 'object',
  matched_title: 'string',
  matched_album_id: 'string',
  matched_album: 'string',
  reasons: 'object',
  output_sha256: 'string',
  output_size: 'number',
  output_duration_ms: 'number',
  conversion_reason: 'string',
  sync: 'string',
  duplicate_of: 'string',
  duplicate_reason: 'string',
  hold: 'boolean',
  paused: 'boolean',
  replace: 'boolean',
  agent: 'object',
  segment: 'object',
  cue: 'string',
  archive: 'string',
  progress: 'number',
  epoch: 'number',
  updated_at: 'number',
};
const COLUMN_ENTRIES = Object.entries(COLUMNS);

/** Without these a row is no job at all. */
const ALWAYS = ['id', 'batch_id', 'path', 'original_filename', 'file_size_bytes', 'created_at', 'updated_at'] as const;

/**
 * The row as a job. One that lacks what its phase knows, or holds something of another kind, is a failed job that says so:
 * it is shown, and nothing is done with it by guess. Throws AccessionError `storage_failed` for what is no job at all.
 */
export function parseJob<L extends LaneTypes = LaneTypes>(row: unknown): Job<L> {
  if (!isRecord(row) || ALWAYS.some((column) => typeof row[column] !== COLUMNS[column]))
    throw failed('storage_failed', 'A stored job cannot be read: it is not of a known form.');
  const whole = filled(row);
  const wrong = wrongColumn(whole);
  // Checked above, as far as it can be without the lane's own schema.
  return (wrong === null ? whole : damaged(row, wrong)) as unknown as Job<L>;
}

/** What rows of version 0.1 may lack: some phases were written past the events that know all of it. */
function filled(row: Record<string, unknown>): Record<string, unknown> {
  // A worker got the news of a job that somebody had cancelled at the server.
  if (row['phase'] === 'cancelled' && row['failure'] === null) {
    const why = failure('cancelled', 'cancelled', { subject: String(row['original_filename']) });
    return { ...row, failure: { ...why, retryable: row['temp_file_path'] !== null } };
  }
  // A commit was accepted after its decision had been taken back here.
  if (row['phase'] === 'published' && row['matched_track_id'] === null) return { ...row, matched_track_id: '' };
  return row;
}

function wrongColumn(row: Record<string, unknown>): string | null {
  const { phase, status } = row;
  if (row['schema_version'] !== 1) return 'schema_version';
  if (typeof phase !== 'string' || !isPhase(phase)) return 'phase';
  const { status: expected, knows } = PHASES[phase];
  if (status !== expected) return 'status';
  for (const column of knows) if (row[column] === null || row[column] === undefined) return column;
  for (const [column, kind] of COLUMN_ENTRIES) {
    const value = row[column];
    if (value !== null && value !== undefined && typeof value !== kind) return column;
  }
  return null;
}

function damaged(row: Record<string, unknown>, column: string): Record<string, unknown> {
  const name = String(row['original_filename']);
  const message = `"${name}" was stored incompletely ("${column}" is missing or of another kind).`;
  const why = failure('storage_failed', message, { subject: name, remedy: 'Drop the file again.' });
  const clean = Object.fromEntries(
    COLUMN_ENTRIES.map(([known, kind]) => [known, typeof row[known] === kind ? row[known] : null]),
  );
  return {
    ...clean,
    ...{ schema_version: 1, phase: 'failed', status: 'FAILED', reasons: row['reasons'] ?? [] },
    ...{ failure: { ...why, retryable: false }, error_message: message, completed_at: row['updated_at'] },
  };
}

function isPhase(phase: string): phase is JobPhase {
  return isOneOf(JOB_PHASES, phase as JobPhase);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
