/** The writer without a model: the best sentences of the sources, in the order of the question's parts. */
import { plainText } from './plain-text.ts';
import type { Assessment } from '../evidence/assess.ts';
import type { Sentence } from './answer.types.ts';

export function quotesAsSentences({ parts }: Assessment): Sentence[] {
  return parts.flatMap(({ question, chosen }) =>
    chosen.map(({ sentence: { text, evidence } }) => ({
      text: quoted(text),
      quotes: [{ source_id: evidence.source_id, text }],
      answers: [question.id],
    })),
  );
}

/** A quote as it is said: between quotation marks, without marks that nobody sees. */
export const quoted = (text: string): string => `“${plainText(text)}”`;
