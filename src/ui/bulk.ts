import type { Review } from '#core/job/review.ts';

export interface Bulk {
  key: string;
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
      reviews: group,
      about: group[0]?.options[0]?.track?.album ?? group[0]?.detected.album ?? 'this drop',
    }));
}
