import type { Review, ReviewOption } from '#core/job/review.ts';
import { partOf } from '../lanes.ts';
import { advisedIndex } from './advice.ts';
import { plural } from '../parts/words.ts';

export interface Bulk {
  key: string;
  /** `best`: the first candidate of each; `advised`: what the model suggests for each. */
  kind: 'best' | 'advised';
  about: string;
  reviews: Review[];
}

/** What is less than Likely is reviewed one by one. */
export const LIKELY = 0.6;

/** Questions of one group that may be answered together, where more than one of them is open. */
export function bulks(reviews: readonly Review[]): Bulk[] {
  const likely = reviews.filter((one) => aboutOf(one) !== null && (one.options[0]?.confidence ?? 0) >= LIKELY);
  return [...Map.groupBy(likely, ({ group_id, batch_id }) => group_id ?? batch_id)]
    .filter(([, group]) => group.length > 1)
    .map(([key, group]) => ({
      key,
      kind: 'best',
      reviews: group,
      about: (group[0] && aboutOf(group[0])?.about) ?? 'this drop',
    }));
}

const aboutOf = (review: Review) => partOf('questions', review).together?.(review) ?? null;

/** All questions for which the model suggests one of their candidates, when there are several. */
export function advisedBulk(reviews: readonly Review[]): Bulk | null {
  const advised = reviews.filter((review) => advisedIndex(review) >= 0);
  return advised.length < 2
    ? null
    : { key: 'advised', kind: 'advised', about: 'what the model suggests', reviews: advised };
}

/** What a bulk would answer to one of its questions. */
export function pickOf(kind: Bulk['kind'], review: Review): ReviewOption | undefined {
  return review.options[kind === 'best' ? 0 : advisedIndex(review)];
}

/** What an option takes, in lines of a file and what it is taken for. */
export function takenBy(review: Review, option: ReviewOption): { file: string; takes: string }[] {
  const lines = partOf('questions', review).takes?.(review, option);
  if (lines !== undefined) return lines;
  const [first, ...others] = review.files;
  const file = others.length > 0 ? plural(review.files.length, 'file') : (first?.name ?? review.question);
  return [{ file, takes: option.label }];
}
