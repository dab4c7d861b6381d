/** A question as terms with weights. */
import { eachWord, isAskingTerm, isEmptyTerm, mayHaveTerm, termsOf, type MayHave } from '../text/words.ts';
import type { LibraryIndex } from './library-index.ts';

export interface QueryTerm {
  term: string;
  /** Inverse document frequency over pieces, times how the word counts in the question. */
  weight: number;
}

export interface Query {
  terms: QueryTerm[];
  /** The number of each term among `terms`. */
  numbers: ReadonlyMap<string, number>;
  /** Terms that stand beside each other in the question, with what the pair counts: key `first * terms + second`. */
  pairs: ReadonlyMap<number, number>;
  /** A quick look at a word of a text; false: it has none of the terms. */
  mayBeIn: MayHave;
}

/** A part of a name counts less than the name: `Body` in `readBody`. */
const PART = 0.5;
/** The same for words with which people ask: `main`, `mentioned`. */
const ASKING = 0.3;

/** @param idf of a term */
export function parseQuery(words: string, idf: (term: string) => number): Query {
  const said: string[] = [];
  const counts = new Map<string, number>();
  const all: string[] = [];
  eachWord(words, 0, words.length, (word) => {
    const [own, ...parts] = termsOf(word);
    if (own === undefined) return;
    all.push(own);
    if (isEmptyTerm(own)) return;
    said.push(own);
    counts.set(own, Math.max(counts.get(own) ?? 0, isAskingTerm(own) ? ASKING : 1));
    for (const part of parts) if (!counts.has(part)) counts.set(part, PART);
  });
  // "who is who" is looked for all the same.
  if (counts.size === 0) for (const term of all) counts.set(term, 1);
  const terms = [...counts].map(([term, count]) => ({ term, weight: count * idf(term) }));
  const numbers = new Map(terms.map(({ term }, number) => [term, number]));
  const pairs = new Map<number, number>();
  for (let at = 1; at < said.length; at++) {
    const first = numbers.get(said[at - 1] ?? '');
    const second = numbers.get(said[at] ?? '');
    if (first === undefined || second === undefined || first === second) continue;
    const weight = Math.min(terms[first]?.weight ?? 0, terms[second]?.weight ?? 0);
    pairs.set(first * terms.length + second, weight);
  }
  return { terms, numbers, pairs, mayBeIn: mayHaveTerm(numbers.keys()) };
}

/** Inverse document frequency (BM25's, never negative) of a term that `count` of `pieces` have. */
export const inverseFrequency = (pieces: number, count: number): number =>
  Math.log(1 + (pieces - count + 0.5) / (count + 0.5));

/** How many pieces in force have the term. Pieces of files that are gone are counted as well: it is a weight. */
export function frequencyOf(index: LibraryIndex, term: string): number {
  let sum = 0;
  for (const { segment } of index.parts) {
    const found = segment.postings(term);
    if (found !== null) sum += found.to - found.from;
  }
  return sum;
}
