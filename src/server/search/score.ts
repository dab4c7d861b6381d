/** How well a found entity answers the question, 0..1, from its own texts. */
import { prefixNearness, typoNearness } from './expand.ts';
import { words } from './terms.ts';

/** A text of the entity and how much a hit in it counts. The first is its own name. */
export interface Field {
  text: string;
  weight: number;
}

/** Below this an entity is no answer. */
export const LEAST_SCORE = 0.45;

/**
 * @param asked the words of the question
 * @param weights how telling each of them is (rare words more), in the same order
 */
export function score(asked: readonly string[], weights: readonly number[], fields: readonly Field[]): number {
  const fieldWords = fields.map((field) => ({ weight: field.weight, words: words(field.text) }));
  const named = new Set<number>();
  let got = 0;
  let all = 0;
  asked.forEach((word, at) => {
    const weight = weights[at] ?? 1;
    all += weight;
    let best = 0;
    fieldWords.forEach((field, index) => {
      field.words.forEach((candidate, position) => {
        const near = nearness(word, candidate, at === asked.length - 1);
        if (index === 0 && near > 0.6) named.add(position);
        best = Math.max(best, near * field.weight);
      });
    });
    got += weight * best;
  });
  const nameLength = fieldWords[0]?.words.length ?? 0;
  const nameShare = nameLength === 0 ? 0 : named.size / nameLength;
  return all === 0 ? 0 : (got / all) * (0.85 + 0.15 * nameShare);
}

function nearness(asked: string, candidate: string, open: boolean): number {
  return Math.max(typoNearness(asked, candidate), open ? prefixNearness(asked, candidate) : 0);
}
