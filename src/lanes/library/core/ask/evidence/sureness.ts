/** How likely the answer to a question is among its best sentences, from 0 to 1. */
import type { SubQuestion } from '../question/question.types.ts';
import type { RankedSentence } from './rank.ts';

export function sureness(_question: SubQuestion, ranked: readonly RankedSentence[]): number {
  const best = ranked[0];
  if (best === undefined) return 0;
  const { own, heading, beside, wanted } = best.fit;
  const covered = own + 0.8 * heading + 0.5 * beside;
  return 1 / (1 + Math.exp(-(8 * (covered - 0.65) + (wanted - 0.5))));
}
