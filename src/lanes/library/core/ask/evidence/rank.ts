/** The sentences of the ledger that answer a question best. */
import type { SubQuestion } from '../question/question.types.ts';
import type { Evidence } from './evidence.types.ts';
import { fitOf, type Fit } from './measure.ts';
import { sentencesOf, type SourceSentence } from './source-sentences.ts';

export interface RankedSentence {
  sentence: SourceSentence;
  fit: Fit;
  /** Of the best passage that has it, beside the best of all: 0 to 1. */
  passage: number;
  /** Higher is better; comparable between questions, about 0 to 1. */
  score: number;
}

/**
 * What each number counts: a conditional logit over the sentences of a question, fitted on one half of the questions of
 * docs/decisions/055-ask.md. `full` is what a sentence has that answers in every respect.
 */
const SHARES = {
  ...{ own: 2.6, ownSquare: 1.5, exact: 2.7, rare: 0.3, heading: 2.8, beside: 1.5, around: -1, outside: -0.8 },
  ...{ pairs: 1, amount: 2, name: 1.1, passage: 4.4, source: 2, length: -0.14, full: 13 },
};

/** Best first, at most `most`. Sentences that say the same word for word are there once. */
export function rankSentences(question: SubQuestion, evidence: readonly Evidence[], most = 12): RankedSentence[] {
  const top = Math.max(...evidence.map(({ score }) => score), 1e-9);
  const ranked: RankedSentence[] = [];
  for (const one of evidence) {
    const all = sentencesOf(one);
    for (const [at, sentence] of all.entries()) {
      const fit = fitOf(question, sentence, all[at - 1], all[at + 1], all.slice(Math.max(0, at - 4), at + 5));
      if (fit.own === 0) continue;
      const passage = passageScore(sentence) / top;
      ranked.push({ sentence, fit, passage, score: scoreOf(question, fit, passage, one.score / top) });
    }
  }
  ranked.sort((a, b) => b.score - a.score || a.sentence.start - b.sentence.start);
  const said = new Set<string>();
  return ranked
    .filter(({ sentence: { text } }) => {
      const key = text.replaceAll(/\s+/g, ' ');
      return said.has(key) ? false : said.add(key);
    })
    .slice(0, most);
}

const passageScore = ({ span, evidence, start, end }: SourceSentence): number =>
  span.hits === undefined
    ? evidence.score
    : Math.max(0, ...span.hits.filter((hit) => hit.start < end && start < hit.end).map(({ score }) => score));

function scoreOf({ wants }: SubQuestion, fit: Fit, passage: number, source: number): number {
  const wanted =
    wants === 'number' || wants === 'time' ? SHARES.amount : wants === 'person' || wants === 'place' ? SHARES.name : 0;
  const sum =
    SHARES.own * fit.own +
    SHARES.ownSquare * fit.own * fit.own +
    SHARES.exact * fit.exact +
    SHARES.rare * fit.rare +
    SHARES.heading * fit.heading +
    SHARES.beside * fit.beside +
    SHARES.around * fit.around +
    SHARES.outside * fit.rarestOutside +
    SHARES.pairs * fit.pairs +
    wanted * fit.wanted +
    SHARES.passage * passage +
    SHARES.source * source +
    SHARES.length * Math.log(Math.max(1, fit.words));
  const short = fit.words < 4 && fit.isProse && fit.wanted <= 0.5 ? 0.6 : 1;
  return ((fit.isHeading ? 0.3 : short) * Math.max(0, sum)) / SHARES.full;
}
