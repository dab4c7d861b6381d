import type { MirroredReview } from '#core/sync/protocol.ts';
import type { IngestionJobTable, IngestionReviewTable } from '../store/schema.ts';

/**
 * How a job ended here outlasts what whoever works on it says later: an accepted commit, and somebody's wish to cancel
 * it until they know of it and said FAILED themselves. They may take it up again then; until they do, a commit that
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

/**
 * What was sent earlier may arrive later: a question that was answered does not open again (it is asked anew under
 * another id), and one that was withdrawn or taken back stays so.
 */
export function keepReviewEnd(
  row: IngestionReviewTable,
  before: IngestionReviewTable | undefined,
  review: MirroredReview,
): IngestionReviewTable {
  if (!before || !isOver(before, review)) return row;
  const { resolved_at, resolved_by_user_id, selected_option } = before;
  return { ...row, resolved_at, resolved_by_user_id, selected_option };
}

function isOver(before: IngestionReviewTable, review: MirroredReview): boolean {
  if (before.resolved_at === null) return false;
  return review.resolved_at === null || before.selected_option === 'undone' || before.selected_option === 'withdrawn';
}
