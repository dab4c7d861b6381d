import type { IngestionReviewTable } from '../store/schema.ts';
import type { ReviewRecord } from './job-records.ts';

/**
 * What was sent earlier may arrive later: a question that was answered does not open again (it is asked anew under
 * another id), and one that was withdrawn or taken back stays so.
 */
export function keepReviewEnd(
  row: IngestionReviewTable,
  before: IngestionReviewTable | undefined,
  review: ReviewRecord,
): IngestionReviewTable {
  if (!before || !isOver(before, review)) return row;
  const { resolved_at, resolved_by_user_id, selected_option } = before;
  return { ...row, resolved_at, resolved_by_user_id, selected_option };
}

function isOver(before: IngestionReviewTable, review: ReviewRecord): boolean {
  if (before.resolved_at === null) return false;
  return review.resolved_at === null || before.selected_option === 'undone' || before.selected_option === 'withdrawn';
}
