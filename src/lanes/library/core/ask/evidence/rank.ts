/** The sentences of the ledger that answer a question best. */
import type { SubQuestion } from '../question/question.types.ts';
import type { Evidence } from './evidence.types.ts';
import { fitOf, type Fit } from './measure.ts';
import { sentencesOf, type SourceSentence } from './source-sentences.ts';

export interface RankedSentence {
  sentence: SourceSentence;
  fit: Fit;
  /** Higher is better; comparable between questions, about 0 to 1. */
  score: number;
}

/** What each number counts; fitted on one half of the questions of docs/decisions/055-ask.md. */
const SHARES = { own: 1, heading: 0.4, beside: 0.25, pairs: 0.2, wanted: 0.2, source: 0.15 };

/** Best first, at most `most`. Sentences that say the same word for word are there once. */
export function rankSentences(question: SubQuestion, evidence: readonly Evidence[], most = 12): RankedSentence[] {
  const top = Math.max(...evidence.map(({ score }) => score), 1e-9);
  const ranked: RankedSentence[] = [];
  for (const one of evidence) {
    const all = sentencesOf(one);
    for (const [at, sentence] of all.entries()) {
      const fit = fitOf(question, sentence, all[at - 1], all[at + 1]);
      if (fit.own === 0) continue;
      ranked.push({ sentence, fit, score: scoreOf(fit, one.score / top) });
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

function scoreOf(fit: Fit, source: number): number {
  const sum =
    SHARES.own * fit.own +
    SHARES.heading * fit.heading +
    SHARES.beside * fit.beside +
    SHARES.pairs * fit.pairs +
    SHARES.wanted * fit.wanted +
    SHARES.source * source;
  const short = fit.words < 4 ? 0.6 : 1;
  return (fit.isHeading ? 0.3 : short) * sum;
}
