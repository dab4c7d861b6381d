import type { IngestionJobTable } from '../store/schema.ts';

/**
 * How a job ended here outlasts what whoever works on it says later: an accepted commit, and somebody's wish to cancel
 * it until they have heard it and said FAILED themselves. They may take it up again then; until they do, a commit that
 * is late finds it cancelled.
 */
export function keepEnd(row: IngestionJobTable, before: IngestionJobTable | undefined): IngestionJobTable {
  if (!before) return row;
  const { status, error_message, completed_at, committed, cancelled_at } = before;
  if (Number(committed) === 1) {
    const { matched_track_id, match_confidence, match_source, output_file_path } = before;
    const result = { matched_track_id, match_confidence, match_source, output_file_path };
    return { ...row, ...result, status, error_message, completed_at, committed };
  }
  if (row.status === 'FAILED') return { ...row, cancelled_at };
  return isUnheard(before) ? { ...row, status, error_message, completed_at, cancelled_at } : row;
}

/** It was cancelled, and whoever works on it has not said FAILED since: the end is still the one that was written here. */
export function isUnheard({ cancelled_at, completed_at, committed }: IngestionJobTable): boolean {
  return cancelled_at !== null && Number(committed) !== 1 && Number(completed_at) === Number(cancelled_at);
}
