/** Open questions about one thing that is not there yet, from several drops, asked as one. Pure. */
import type { Review } from '#core/job/review.ts';

/** What a lane says of its questions: what the question is about, null where it stands by itself; and one for several. */
export interface Joins<R extends Review = Review> {
  about(review: R): string | null;
  /** `count`: of all their files. */
  question(first: R, count: number): string;
}

export interface JoinedReviews {
  /** Each once, where the first of them stood, with the files of all. */
  shown: Review[];
  /** The questions as they are stored, by the id of the shown one; only of those that are several. */
  parts: ReadonlyMap<string, readonly Review[]>;
}

/** UI-342. `joinsOf`: what the question's lane says; undefined where it joins none. */
export function joined(open: readonly Review[], joinsOf: (review: Review) => Joins | undefined): JoinedReviews {
  const groups = Map.groupBy(open, (review) => {
    const about = joinsOf(review)?.about(review) ?? null;
    return about === null ? review.id : `${review.lane ?? ''} ${about}`;
  });
  const parts = new Map<string, readonly Review[]>();
  const shown = [...groups.values()].flatMap((group) => {
    const [first, ...others] = group;
    if (first === undefined || others.length === 0) return group;
    parts.set(first.id, group);
    const files = group.flatMap((one) => one.files);
    return {
      ...first,
      files,
      question: joinsOf(first)?.question(first, files.length) ?? first.question,
      job_ids: group.flatMap((one) => one.job_ids),
    };
  });
  return { shown, parts };
}
