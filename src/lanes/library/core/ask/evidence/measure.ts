/** How a sentence of a source fits a question, in numbers. */
import { eachWord, isEmptyTerm, termsOf } from '../../text/words.ts';
import type { SubQuestion } from '../question/question.types.ts';
import { keyOf } from '../words/lemma.ts';
import type { SourceSentence } from './source-sentences.ts';
import { holdsWanted } from './wanted.ts';

export interface Fit {
  /** Shares of the question's weight, 0 to 1: in the sentence; beside it in its heading; else in the sentences next to it. */
  own: number;
  heading: number;
  beside: number;
  /** Of the question's words that stand together, those that stand together here. */
  pairs: number;
  /** 1: it has what is asked for (a name, an amount, a date); 0: it has not; 0.5: nobody can say. */
  wanted: number;
  /** Words of the sentence. */
  words: number;
  isHeading: boolean;
  /** Terms of the question that are neither in the sentence nor in its heading nor beside it. */
  absent: string[];
  /** Those that are not in the sentence or its heading. */
  outside: string[];
}

/** The words of a text, under which terms of a question are found. */
export function wordsOf(text: string): { set: ReadonlySet<string>; order: readonly string[]; count: number } {
  const set = new Set<string>();
  const order: string[] = [];
  let count = 0;
  eachWord(text, 0, text.length, (word) => {
    count += 1;
    const terms = termsOf(word);
    for (const term of terms) set.add(term);
    const key = keyOf(word.toLowerCase());
    set.add(key);
    if (terms[0] !== undefined && !isEmptyTerm(terms[0])) order.push(key);
  });
  return { set, order, count };
}

const cache = new WeakMap<SourceSentence, ReturnType<typeof wordsOf>>();
const headings = new Map<string, ReturnType<typeof wordsOf>>();

export function wordsOfSentence(sentence: SourceSentence): ReturnType<typeof wordsOf> {
  let known = cache.get(sentence);
  if (known === undefined) cache.set(sentence, (known = wordsOf(sentence.text)));
  return known;
}

function wordsOfHeading(heading: string): ReturnType<typeof wordsOf> {
  let known = headings.get(heading);
  if (known === undefined) {
    if (headings.size > 5_000) headings.clear();
    headings.set(heading, (known = wordsOf(heading)));
  }
  return known;
}

/** `before` and `behind`: the sentences next to it in the same source. */
export function fitOf(
  question: SubQuestion,
  sentence: SourceSentence,
  before: SourceSentence | undefined,
  behind: SourceSentence | undefined,
): Fit {
  const own = wordsOfSentence(sentence);
  const title = wordsOfHeading(`${sentence.evidence.title} > ${sentence.heading}`);
  const beside = [before, behind].flatMap((one) => (one === undefined ? [] : [wordsOfSentence(one).set]));
  const fit = { own: 0, heading: 0, beside: 0 };
  const absent: string[] = [];
  const outside: string[] = [];
  let total = 0;
  for (const { term, word, weight } of question.terms) {
    total += weight;
    const key = keyOf(word.toLowerCase());
    const has = (set: ReadonlySet<string>): boolean => set.has(term) || set.has(key);
    if (has(own.set)) fit.own += weight;
    else {
      const inHeading = has(title.set);
      if (inHeading) fit.heading += weight;
      else outside.push(word);
      if (!inHeading && beside.some(has)) fit.beside += weight;
      else if (!inHeading) absent.push(word);
    }
  }
  const share = (weight: number): number => (total === 0 ? 0 : weight / total);
  return {
    own: share(fit.own),
    heading: share(fit.heading),
    beside: share(fit.beside),
    pairs: pairsIn(question, own.order),
    wanted: holdsWanted(question, sentence.text),
    words: own.count,
    isHeading: sentence.isHeading,
    absent,
    outside,
  };
}

/** Which share of the question's neighbours are neighbours here, with at most one other word between. */
function pairsIn(question: SubQuestion, order: readonly string[]): number {
  const keys = question.terms.map(({ word }) => keyOf(word.toLowerCase()));
  if (keys.length < 2) return 0;
  let found = 0;
  for (let at = 1; at < keys.length; at++) {
    const [first, second] = [keys[at - 1], keys[at]];
    const near = order.some(
      (key, place) =>
        key === first && (order[place + 1] === second || order[place + 2] === second || order[place - 1] === second),
    );
    if (near) found += 1;
  }
  return found / (keys.length - 1);
}
