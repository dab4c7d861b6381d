import type { Review, ReviewOption } from '#core/job/review.ts';
import { advisedIndex } from './advice.ts';
import { plural } from './words.ts';

export interface Bulk {
  key: string;
  /** `best`: the first candidate of each; `advised`: what the model suggests for each. */
  kind: 'best' | 'advised';
  about: string;
  reviews: Review[];
}

/** What is less than Likely is looked at one by one. */
export const LIKELY = 0.6;

const TRACK_KINDS: readonly Review['kind'][] = ['track', 'tracks'];

/** Questions about tracks that stand for the same reason: of one album group, with more than one of them open. */
export function bulks(reviews: readonly Review[]): Bulk[] {
  const byKey = new Map<string, Review[]>();
  for (const review of reviews) {
    if (!TRACK_KINDS.includes(review.kind) || (review.options[0]?.confidence ?? 0) < LIKELY) continue;
    const key = review.group_id ?? review.batch_id;
    byKey.set(key, [...(byKey.get(key) ?? []), review]);
  }
  return [...byKey]
    .filter(([, group]) => group.length > 1)
    .map(([key, group]) => ({
      key,
      kind: 'best',
      reviews: group,
      about: albumOf(group) ?? 'this drop',
    }));
}

function albumOf([first]: readonly Review[]): string | null {
  return first?.options[0]?.track?.album ?? first?.files[0]?.proposed?.album ?? first?.detected.album ?? null;
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

/** What an option takes, a line a file: of `accept` each file with its track, else the question's file with the option. */
export function takenBy(review: Review, option: ReviewOption): { file: string; takes: string }[] {
  const { files, detected, question, kind } = review;
  if (kind === 'tracks' && option.id === 'accept') {
    return files.flatMap(({ name, proposed }) => (proposed ? [{ file: name, takes: proposed.title }] : []));
  }
  const [first] = files;
  if (files.length <= 1) return [{ file: first?.name ?? question, takes: option.label }];
  const count = plural(files.length, 'file');
  return [{ file: detected.album === null ? count : `${count}, ${detected.album}`, takes: option.label }];
}
