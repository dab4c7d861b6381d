/**
 * How well a text answers a question, word by word: typing errors forgiven, the last word perhaps only begun. The same on
 * the server and offline.
 */
import { distance } from 'fastest-levenshtein';
import { foldText } from './fold.ts';

/** Longest term that is indexed; what is longer is cut. */
const MAX_TERM = 40;
/** Terms taken from one text, so that a title of thousands of words costs no more than a long one. */
const MAX_TERMS = 64;

/** The dot inside an acronym: R.E.M. is one term. */
const ACRONYM_DOT = /(?<![\p{L}\p{N}])(\p{L})\.(?=\p{L}(?![\p{L}\p{N}]))/gu;

/** The words of a text in their order, in plain Latin letters and digits whatever their script was. */
export function words(text: string): string[] {
  const folded = foldText(text.slice(0, 4000).replace(ACRONYM_DOT, '$1'));
  return folded === '' ? [] : folded.split(' ', MAX_TERMS).map((word) => word.slice(0, MAX_TERM));
}

/** Edits within which a term counts as the asked word mistyped; 0 for words too short to tell. */
export function allowedEdits(term: string): number {
  if (term.length < 4) return 0;
  return term.length < 7 ? 1 : 2;
}

/** Nearness of a mistyped word; 0 when it is too far. */
export function typoNearness(asked: string, term: string): number {
  const edits = distance(asked, term);
  if (edits > allowedEdits(asked)) return 0;
  return edits === 0 ? 1 : 1 - (1.3 * edits) / Math.max(asked.length, term.length);
}

/** Nearness of a word of which only the beginning was typed. */
export function prefixNearness(asked: string, term: string): number {
  return term.startsWith(asked) ? 0.75 + (0.25 * asked.length) / term.length : 0;
}

/** A text of the entity and how much a hit in it counts. The first is its own name. */
export interface Field {
  text: string;
  weight: number;
}

/** Below this an entity is no answer. */
export const LEAST_SCORE = 0.45;

/**
 * How well something answers the question, 0..1, from its own texts.
 * @param asked the words of the question
 * @param weights how telling each of them is (rare words more), in the same order
 */
export function wordScore(asked: readonly string[], weights: readonly number[], fields: readonly Field[]): number {
  return scoreWords(
    asked.length,
    weights,
    fields.map(({ text, weight }) => ({ weight, words: words(text) })),
    (at, word) => wordNearness(asked[at] ?? '', word, at === asked.length - 1),
  );
}

/** A field whose text is taken apart already; a word is whatever `near` knows. */
export interface FieldWords<W> {
  words: ArrayLike<W>;
  weight: number;
}

/** The same for texts that are taken apart. @param near of the asked word at a place and a word of a text */
export function scoreWords<W>(
  asked: number,
  weights: readonly number[],
  fields: readonly FieldWords<W>[],
  near: (at: number, word: W) => number,
): number {
  const named = new Set<number>();
  let got = 0;
  let all = 0;
  for (let at = 0; at < asked; at += 1) {
    const weight = weights[at] ?? 1;
    all += weight;
    let best = 0;
    for (const [index, field] of fields.entries())
      for (let position = 0; position < field.words.length; position += 1) {
        const nearness = near(at, field.words[position] as W);
        if (index === 0 && nearness > 0.6) named.add(position);
        best = Math.max(best, nearness * field.weight);
      }
    got += weight * best;
  }
  const nameLength = fields[0]?.words.length ?? 0;
  const nameShare = nameLength === 0 ? 0 : named.size / nameLength;
  return all === 0 ? 0 : (got / all) * (0.85 + 0.15 * nameShare);
}

/** @param open true for the word that may still be being typed */
export function wordNearness(asked: string, candidate: string, open: boolean): number {
  return Math.max(typoNearness(asked, candidate), open ? prefixNearness(asked, candidate) : 0);
}
