/** What choosing an option of a question answers: the option, or what a person made of it row by row. */
import type { Review, ReviewAnswer, ReviewOption } from '#core/job/review.ts';
import { partOf } from '../lanes.ts';

export interface Chosen {
  answer: ReviewAnswer;
  /** As the answer is repeated to the person. */
  words: string;
}

export function answerFor(review: Review, option: ReviewOption): Chosen {
  const adjusted = partOf('questions', review).adjusted?.(review, option) ?? null;
  if (adjusted === null) return { answer: { kind: 'option', option_id: option.id }, words: option.label };
  return { answer: adjusted.answer, words: `${option.label}: ${adjusted.words}` };
}
