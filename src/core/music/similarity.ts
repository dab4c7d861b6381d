import { distance } from 'fastest-levenshtein';
import { compactKey, foldText, leetKey, skeletonKey } from './fold.ts';

/** A text in all the forms it is compared in; made once, compared often. */
export interface TextKey {
  /** Folded, with blanks. */
  folded: string;
  compact: string;
  leet: string;
  skeleton: string;
  /** Compact form without what stands in brackets and without featured artists. */
  base: string;
  tokens: readonly string[];
}

const BRACKETS = /\([^()]*\)|\[[^[\]]*\]|\{[^{}]*\}/g;
const FEATURING = /\s[([]?(?:feat|ft|featuring|with)\.?\s.*$/i;

/** Text without brackets and featured artists; the text itself when nothing would be left. */
export function stripBrackets(text: string): string {
  const bare = text.replace(BRACKETS, ' ').replace(FEATURING, ' ').trim();
  return bare === '' ? text : bare;
}

export function textKey(text: string): TextKey {
  const folded = foldText(text);
  // A title of signs alone (`...`, `???`) is compared sign by sign.
  const compact = compactKey(folded) || text.toLowerCase().replace(/\s+/g, '');
  const bare = stripBrackets(text);
  const base = bare === text ? compact : compactKey(foldText(bare)) || compact;
  return {
    folded,
    compact,
    leet: leetKey(compact),
    skeleton: skeletonKey(compact),
    base,
    tokens: folded === '' ? [] : folded.split(' '),
  };
}

/** 1 minus edits over the longer length; 0 early when the lengths alone rule out more than `floor`. */
export function editSimilarity(a: string, b: string, floor = 0.35): number {
  if (a === b) return a === '' ? 0 : 1;
  const longer = Math.max(a.length, b.length);
  const shorter = Math.min(a.length, b.length);
  if (shorter === 0 || shorter / longer < floor) return 0;
  return 1 - distance(a, b) / longer;
}

function tokenSimilarity(a: readonly string[], b: readonly string[]): number {
  if (a.length < 2 || b.length < 2) return 0;
  let shared = 0;
  let total = 0;
  const rest = [...b];
  for (const token of a) {
    total += token.length;
    const at = rest.indexOf(token);
    if (at < 0) continue;
    rest.splice(at, 1);
    shared += token.length;
  }
  for (const token of b) total += token.length;
  return total === 0 ? 0 : (2 * shared) / total;
}

/**
 * Similarity 0..1 of an observed text to a catalog text: the best of edits, digits read as letters, words in any
 * order, vowels dropped, cut off at the end, brackets left out. Each way that forgives more counts a little less.
 */
export function textSimilarity(seen: TextKey, known: TextKey): number {
  if (seen.compact === known.compact) return seen.compact === '' ? 0 : 1;
  let best = editSimilarity(seen.compact, known.compact);
  if (best > 0.93) return best;
  best = Math.max(best, 0.98 * editSimilarity(seen.leet, known.leet));
  if (seen.base !== seen.compact || known.base !== known.compact) {
    best = Math.max(best, 0.93 * editSimilarity(seen.base, known.base));
  }
  best = Math.max(best, 0.96 * tokenSimilarity(seen.tokens, known.tokens));
  if (seen.compact.length < known.compact.length && seen.skeleton.length >= 3 && best < 0.9) {
    best = Math.max(best, 0.92 * editSimilarity(seen.skeleton, known.skeleton));
  }
  if (
    seen.compact.length >= 6 &&
    known.compact.length > seen.compact.length &&
    known.compact.startsWith(seen.compact)
  ) {
    best = Math.max(best, 0.72 + 0.22 * (seen.compact.length / known.compact.length));
  }
  return best;
}
