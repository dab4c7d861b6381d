/** How likely the answer to a question is among its best sentences, from 0 to 1. */
import type { SubQuestion } from '../question/question.types.ts';
import { keyOf } from '../words/lemma.ts';
import { wordsOfSentence } from './measure.ts';
import type { RankedSentence } from './rank.ts';
import { sentencesOf } from './source-sentences.ts';

/**
 * A logistic regression of "the library answers this" on the best sentence, fitted on one half of the questions of
 * docs/decisions/055-ask.md; `search` counts the logarithm of what the best passage has of its query.
 */
const WEIGHTS = {
  ...{ beside: 0.92, pairs: 2.43, exact: 1.87, rarestAbsent: -1.11, rarestOutside: -0.96 },
  ...{ namesAbsent: -0.65, numbersAbsent: -0.25, amount: 0.63, name: 0.76, search: 3.45, one: -0.5 },
};
/** Where none of the best sentences has what is asked for (no amount for "how many", no name for "who"), it is not more. */
const WITHOUT = -1;
/** What was not searched for but loaded has no score of a search: the least that a search gives. */
const LEAST = 0.02;
/** Sentences among which it must be. */
const BEST = 3;
/** What it loses where words of the question, verbs apart, are nowhere in what was found: all of them. */
const NOWHERE = -0.5;
/** What the sentence, its heading and its neighbours have of the question's weight: enough is `from`. */
const COVERED = { heading: 0.8, beside: 0.5, by: 8, from: 0.65 };
/**
 * A second regression over the first, fitted on libraries of 3, 6 and 26 documents, two thirds of these; its threshold is
 * where one answerable question in twelve is left when its own document has no part in the fit. `together`: the share of
 * the question's weight that stands in the passage of the best sentence; `words`: of the logarithm of how many words tell
 * something, for few of them are soon together by chance.
 */
const SECOND = { first: 0.81, together: 3.46, words: 2.22, one: -4.61 };
const DAY =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day|noon|midnight)$/i;
/** It speaks of somebody else. */
const OTHER_NAME = -2;

/** `nowhere`: the share of the question's words that nothing that was found has. */
export function sureness({ wants, terms }: SubQuestion, ranked: readonly RankedSentence[], nowhere = 0): number {
  // The one that has what is asked for, where the best has not.
  const best = ranked.slice(0, BEST).find(({ fit: { wanted } }) => wanted >= 0.3) ?? ranked[0];
  if (best === undefined) return 0;
  const { fit } = best;
  const top = Math.max(...ranked.map(({ sentence }) => sentence.evidence.score), 1e-9);
  const isAmount = wants === 'number' || wants === 'time';
  const wanted = fit.wanted - 0.5;
  let sum =
    WEIGHTS.one +
    WEIGHTS.beside * fit.beside +
    WEIGHTS.pairs * fit.pairs +
    WEIGHTS.exact * fit.exact +
    WEIGHTS.rarestAbsent * fit.rarestAbsent +
    WEIGHTS.rarestOutside * fit.rarestOutside +
    WEIGHTS.namesAbsent * Math.min(2, fit.namesAbsent) +
    WEIGHTS.numbersAbsent * Math.min(1, fit.numbersAbsent) +
    (isAmount ? WEIGHTS.amount * wanted : wants === 'person' ? WEIGHTS.name * wanted : 0) +
    WEIGHTS.search * Math.log(Math.max(top, LEAST));
  const covered = fit.own + COVERED.heading * fit.heading + COVERED.beside * fit.beside;
  sum = (sum + COVERED.by * (covered - COVERED.from)) / 2;
  if (fit.otherName) sum += OTHER_NAME;
  sum += NOWHERE * nowhere;
  sum =
    SECOND.first * sum +
    SECOND.together * togetherIn(best, terms) +
    SECOND.words * Math.log(Math.max(1, terms.length)) +
    SECOND.one;
  const isBare = ranked.slice(0, BEST).every((one) => one.fit.wanted < 0.3);
  if ((isAmount || wants === 'person') && isBare) sum = Math.min(sum, WITHOUT);
  // A day, a month, a year that is asked about is there, or this is about another one.
  const isOtherDay = terms.some(({ kind, word }) => fit.absent.includes(word) && (kind === 'number' || DAY.test(word)));
  if (isOtherDay) sum = Math.min(sum, WITHOUT);
  return 1 / (1 + Math.exp(-sum));
}

/** The share of the question's weight that the passage of a sentence has, somewhere. */
function togetherIn({ sentence: { evidence, span } }: RankedSentence, terms: SubQuestion['terms']): number {
  const sets = sentencesOf(evidence)
    .filter((one) => one.span === span)
    .map((one) => wordsOfSentence(one).set);
  let total = 0;
  let found = 0;
  for (const { term, word, weight } of terms) {
    const key = keyOf(word.toLowerCase());
    total += weight;
    if (sets.some((set) => set.has(term) || set.has(key))) found += weight;
  }
  return total === 0 ? 0 : found / total;
}
