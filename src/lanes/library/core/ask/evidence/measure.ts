/** How a sentence of a source fits a question, in numbers. */
import { eachWord, isEmptyTerm, termsOf } from '../../text/words.ts';
import type { SubQuestion } from '../question/question.types.ts';
import { saySame } from '../check/opposites.ts';
import { keyOf } from '../words/lemma.ts';
import type { SourceSentence } from './source-sentences.ts';
import { holdsWanted, isMeasureWord } from './wanted.ts';

export interface Fit {
  /** Shares of the question's weight, 0 to 1: in the sentence; beside it in its heading; else in the sentences next to it. */
  own: number;
  heading: number;
  beside: number;
  /** Not here, and not next to it, but at most four sentences away. */
  around: number;
  /** Of what the sentence has, word for word as the question says it. */
  exact: number;
  /** The rarest words of the question alone: shares of the squares of their weights. */
  rare: number;
  /** Of the rarest word that is neither here nor in the heading; nor beside it (`rarestAbsent`). */
  rarestOutside: number;
  rarestAbsent: number;
  /** Names and numbers of the question among `absent`. */
  namesAbsent: number;
  numbersAbsent: number;
  /** The weight of all its words. */
  total: number;
  /** Of the question's words that stand together, those that stand together here. */
  pairs: number;
  /** 1: it has what is asked for (a name, an amount, a date); 0: it has not; 0.5: nobody can say. */
  wanted: number;
  /** Names of the question that are neither here nor in the heading, while another name is. */
  otherName: boolean;
  /** Words of the sentence. */
  words: number;
  isHeading: boolean;
  isProse: boolean;
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
  near: readonly SourceSentence[] = [],
): Fit {
  const own = wordsOfSentence(sentence);
  const title = wordsOfHeading(`${sentence.evidence.title} > ${sentence.heading}`);
  const beside = [before, behind].flatMap((one) => (one === undefined ? [] : [wordsOfSentence(one).set]));
  const fit = {
    own: 0,
    heading: 0,
    beside: 0,
    around: 0,
    exact: 0,
    rare: 0,
    rarestOutside: 0,
    rarestAbsent: 0,
    namesAbsent: 0,
    numbersAbsent: 0,
  };
  const lower = sentence.text.toLowerCase();
  const wanted = holdsWanted(question, sentence.text);
  const isMeasured = question.wants === 'number' && wanted >= 0.7;
  let squares = 0;
  const absent: string[] = [];
  const outside: string[] = [];
  let total = 0;
  for (const { term, word, weight, kind } of question.terms) {
    total += weight;
    squares += weight * weight;
    const key = keyOf(word.toLowerCase());
    const has = (set: ReadonlySet<string>): boolean => set.has(term) || set.has(key);
    if (has(own.set)) {
      fit.own += weight;
      fit.rare += weight * weight;
      if (lower.includes(word.toLowerCase())) fit.exact += weight;
      continue;
    }
    const inHeading = has(title.set);
    const rest = (isMeasured && isMeasureWord(word)) || isAkin(key, own.order) ? 1 - AKIN : 1;
    fit.own += (1 - rest) * weight;
    fit.rare += (1 - rest) * weight * weight;
    if (inHeading) fit.heading += rest * weight;
    else if (beside.some(has)) fit.beside += rest * weight;
    if (rest < 1 || inHeading) continue;
    outside.push(word);
    fit.rarestOutside = Math.max(fit.rarestOutside, weight);
    if (beside.some(has)) continue;
    absent.push(word);
    fit.rarestAbsent = Math.max(fit.rarestAbsent, weight);
    if (kind === 'name') fit.namesAbsent += 1;
    if (kind === 'number') fit.numbersAbsent += 1;
    if (near.some((one) => has(wordsOfSentence(one).set))) fit.around += weight;
  }
  const share = (weight: number): number => (total === 0 ? 0 : weight / total);
  return {
    own: share(fit.own),
    heading: share(fit.heading),
    beside: share(fit.beside),
    around: share(fit.around),
    rarestOutside: share(fit.rarestOutside),
    rarestAbsent: share(fit.rarestAbsent),
    namesAbsent: fit.namesAbsent,
    numbersAbsent: fit.numbersAbsent,
    total,
    exact: share(fit.exact),
    rare: squares === 0 ? 0 : fit.rare / squares,
    pairs: pairsIn(question, own.order),
    wanted,
    otherName: speaksOfAnother(question, sentence.text, outside) || isOfAnother(question.text, sentence.text, outside),
    words: own.count,
    isHeading: sentence.isHeading,
    isProse: sentence.prose,
    absent,
    outside,
  };
}

/** A question of a Tern is not answered by what a sentence says of a Marrow. "Who" and "where" ask for a name. */
function speaksOfAnother(
  { wants, terms, text: question }: SubQuestion,
  text: string,
  outside: readonly string[],
): boolean {
  if (wants === 'person' || wants === 'place' || wants === 'thing') return false;
  if (!terms.some(({ kind, word }) => kind === 'name' && outside.includes(word))) return false;
  const plain = text.replaceAll(/[*_`]/g, '');
  for (const { 0: name, index } of plain.matchAll(/(?<![\p{L}\p{N}])\p{Lu}\p{L}+/gu))
    if (index > 0 && !/[.!?:]\s*$/.test(plain.slice(0, index)) && !question.includes(name)) return true;
  return false;
}

const OF_WHOM = /(?<![\p{L}\p{N}])(\p{L}+) of (?:(?:the|a|an|its|his|her|their|our) )?(\p{L}+)/giu;

/** The number of the coastguard is not what a sentence says of the number of the harbour master. */
function isOfAnother(question: string, text: string, outside: readonly string[]): boolean {
  for (const [, head = '', whose = ''] of question.matchAll(OF_WHOM)) {
    if (!outside.includes(whose)) continue;
    const key = keyOf(head.toLowerCase());
    for (const [, other = '', ofWhom = ''] of text.matchAll(OF_WHOM))
      if (keyOf(other.toLowerCase()) === key && keyOf(ofWhom.toLowerCase()) !== keyOf(whose.toLowerCase())) return true;
  }
  return false;
}

/** What a word counts that has another ending or means the same. */
const AKIN = 0.5;
/** Letters that words of one root share at the beginning. */
const ROOT = 6;

const isAkin = (key: string, order: readonly string[]): boolean =>
  order.some(
    (other) =>
      (key.length >= ROOT && other.length >= ROOT && key.slice(0, ROOT) === other.slice(0, ROOT)) ||
      saySame(key, other),
  );

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
