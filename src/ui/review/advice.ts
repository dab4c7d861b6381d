/** The agent's advice on a question, in words. */
import type { Review, ReviewOption } from '#core/job/review.ts';
import { percent } from '../parts/words.ts';

type Advice = NonNullable<Review['advice']>;

/** A question as far as advice on it is shown: this browser's or the server's. */
export type Advised = Pick<Review, 'advice'> & { options: readonly Pick<ReviewOption, 'id' | 'label'>[] };

/** What the model suggests, without its why: `The model suggests "Her Majesty"`. */
export function adviceWords(review: Advised): string {
  const { advice } = review;
  if (!advice) return '';
  if (advice.failed !== null) return 'The model could not be asked';
  if (advice.option_id === null) return 'The model leaves this to you';
  if (advice.option_id === 'none') return 'The model suggests none of these';
  const option = review.options.find(({ id }) => id === advice.option_id);
  // Its choice may be gone: the question was asked anew with other options.
  return option === undefined ? 'The model suggests something else' : `The model suggests \u201c${option.label}\u201d`;
}

/** What comes after the model's name: `recorded, said so 2 times of 3`. */
export function adviceSource(advice: Advice): string {
  return [
    advice.recorded ? 'recorded' : '',
    advice.failed === null && advice.option_id !== null ? agreementWords(advice.agreement) : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}

function agreementWords(share: number): string {
  return share >= 1 ? 'said so every time it was asked' : `said so ${percent(share)} of the times it was asked`;
}

/** Index of the option that the agent advises, or -1. */
export function advisedIndex(review: Pick<Review, 'options' | 'advice'>): number {
  const id = review.advice?.option_id ?? null;
  return id === null ? -1 : review.options.findIndex((option) => option.id === id);
}
