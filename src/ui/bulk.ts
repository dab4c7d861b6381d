import type { Review, ReviewOption } from '#core/job/review.ts';
import { advisedIndex } from './advice.ts';

export interface Bulk {
  key: string;
  /** `best`: the first candidate of each; `advised`: what the model suggests for each. */
  kind: 'best' | 'advised';
  about: string;
  reviews: Review[];
}

/** What is less than Likely is looked at one by one. */
const LIKELY = 0.6;

/** Track questions that stand for the same reason: of one album group, with more than one of them open. */
export function bulks(reviews: readonly Review[]): Bulk[] {
  const byKey = new Map<string, Review[]>();
  for (const review of reviews) {
    if (review.kind !== 'track' || (review.options[0]?.confidence ?? 0) < LIKELY) continue;
    const key = review.group_id ?? review.batch_id;
    byKey.set(key, [...(byKey.get(key) ?? []), review]);
  }
  return [...byKey]
    .filter(([, group]) => group.length > 1)
    .map(([key, group]) => ({
      key,
      kind: 'best',
      reviews: group,
      about: group[0]?.options[0]?.track?.album ?? group[0]?.detected.album ?? 'this drop',
    }));
}

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
