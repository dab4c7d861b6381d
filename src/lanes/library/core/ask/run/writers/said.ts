/** What is said, whoever writes: a part of the question that the evidence answers keeps its best quote. */
import { quoted } from '../../answer/quotes-writer.ts';
import type { SaidSentence, Sentence } from '../../answer/answer.types.ts';
import type { Assessment } from '../../evidence/assess.ts';
import type { RankedSentence } from '../../evidence/rank.ts';

export type ToSay = Sentence & Pick<SaidSentence, 'replaced'>;

export interface Written {
  sentences: ToSay[];
  /** 0 to 1; null: the model did not say. */
  said: number | null;
  /** Sentences for a person. */
  limitations: string[];
}

/**
 * What the evidence alone would say, the best of each source: a model adds to it and cannot take it away, so that sources
 * which differ are all quoted whatever one of them orders.
 */
export function bestOfSources({ chosen }: Assessment['parts'][number]): RankedSentence[] {
  const seen = new Set<string>();
  return chosen.filter(({ sentence: { evidence } }) => !seen.has(evidence.source_id) && seen.add(evidence.source_id));
}

export function quoteOf({ sentence: { text, evidence } }: RankedSentence, part: string): ToSay {
  return { text: quoted(text), quotes: [{ source_id: evidence.source_id, text }], answers: [part] };
}

export function withoutTwins(sentences: readonly ToSay[]): ToSay[] {
  const said = new Set<string>();
  return sentences.filter(({ text }) => !said.has(text) && said.add(text));
}
