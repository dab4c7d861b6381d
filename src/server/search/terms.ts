/** How text becomes terms of the search index. The same on both sides: what is indexed and what is asked. */
import { foldText } from '#core/text/fold.ts';

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

/** Every distinct term under which the texts are to be found. */
export function terms(...texts: string[]): string[] {
  return [...new Set(texts.flatMap(words))];
}

/** By what names are compared and put in order. A name of signs alone stands for itself. */
export function orderKey(...texts: string[]): string {
  return texts
    .map((text) => foldText(text) || text.toLowerCase())
    .join(' ')
    .slice(0, 400);
}

/** Three neighbouring characters each, the edges marked: terms that differ by a typo share some of them. */
export function grams(term: string): string[] {
  const padded = `^${term}$`;
  const all = new Set<string>();
  for (let at = 0; at + 3 <= padded.length; at += 1) all.add(padded.slice(at, at + 3));
  return [...all];
}

/** Edits within which a term counts as the asked word mistyped; 0 for words too short to tell. */
export function allowedEdits(term: string): number {
  if (term.length < 4) return 0;
  return term.length < 7 ? 1 : 2;
}
