/** Which option of a question is marked, and what Enter takes. */
import type { Review } from '#core/job/review.ts';
import { partOf } from '../lanes.ts';
import { advisedIndex } from './advice.ts';
import { LIKELY } from './bulk.ts';

type Asked = Pick<Review, 'kind' | 'options' | 'advice'>;

/** Index of the marked option: what the model suggests, else the first where it is likely; -1 where none is. */
export function markedIndex(review: Asked): number {
  const advised = advisedIndex(review);
  if (advised >= 0) return advised;
  return review.advice?.option_id !== 'none' && (review.options[0]?.confidence ?? 0) >= LIKELY ? 0 : -1;
}

/**
 * UI-46: what Enter takes: the marked option, or `none` where the model suggests that; else the first candidate. Of some
 * kinds (about several files, about replacing audio) only what is marked: null where nothing is.
 */
export function enterTakes(review: Asked): number | 'none' | null {
  if (review.advice?.option_id === 'none') return 'none';
  const marked = markedIndex(review);
  if (marked >= 0) return marked;
  const needsMark = partOf('questions', review).needsMark?.(review) ?? true;
  return needsMark || review.options.length === 0 ? null : 0;
}
