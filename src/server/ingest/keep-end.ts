import type { IngestionJobTable } from '../store/schema.ts';

/**
 * How a job ended here outlasts what whoever works on it says later: an accepted commit, and somebody's wish to cancel
 * it until they have heard it (they say FAILED themselves then, and may take it up again).
 */
export function keepEnd(row: IngestionJobTable, before: IngestionJobTable | undefined): IngestionJobTable {
  if (!before) return row;
  const { status, error_message, completed_at, committed, cancelled_at } = before;
  if (Number(committed) === 1) {
    const { matched_track_id, match_confidence, match_source, output_file_path } = before;
    const result = { matched_track_id, match_confidence, match_source, output_file_path };
    return { ...row, ...result, status, error_message, completed_at, committed };
  }
  const heard = cancelled_at === null || row.status === 'FAILED';
  return heard ? row : { ...row, status, error_message, completed_at, cancelled_at };
}
