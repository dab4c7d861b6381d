/** Which option of a question is marked, and what Enter takes. */
import type { Review } from '#core/job/review.ts';
import { partOf } from '../lanes.ts';
import { advisedIndex } from './advice.ts';
import { LIKELY } from './bulk.ts';

type Asked = Pick<Review, 'kind' | 'options' | 'advice'>;
/** What `mayEnter` looks at is there with the whole question. */
type Entered = Asked & Partial<Review>;

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
export function enterTakes(review: Entered): number | 'none' | null {
  const lane = partOf('questions', review);
  if (review.advice?.option_id === 'none') return 'none';
  const may = (index: number): boolean => {
    const option = review.options[index];
    return option === undefined || !isWhole(review) || (lane.mayEnter?.(review, option) ?? true);
  };
  const marked = markedIndex(review);
  if (marked >= 0) return may(marked) ? marked : null;
  const needsMark = lane.needsMark?.(review) ?? true;
  return needsMark || review.options.length === 0 || !may(0) ? null : 0;
}

const isWhole = (review: Entered): review is Review => review.files !== undefined;
