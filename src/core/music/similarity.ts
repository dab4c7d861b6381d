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
  /** Words but `the` and `and`, in order of the alphabet, in one piece. */
  sorted: string;
  /** Which letters occur in `leet`, a bit each: tells cheaply that two texts cannot be near. */
  letters: number;
}

const BRACKETS = /\([^()]*\)|\[[^[\]]*\]|\{[^{}]*\}/g;
const FEATURING = /\s[([]?(?:feat|ft|featuring|with)\.?\s.*$/i;

/** Text without brackets and featured artists; the text itself when nothing would be left. */
export function stripBrackets(text: string): string {
  const bare = text.replace(BRACKETS, ' ').replace(FEATURING, ' ').trim();
  return bare === '' ? text : bare;
}

/** Bits of the letters `a` to `z` that occur. */
function lettersOf(leet: string): number {
  let bits = 0;
  for (let i = 0; i < leet.length; i++) {
    const code = leet.charCodeAt(i) - 97;
    if (code >= 0 && code < 26) bits |= 1 << code;
  }
  return bits;
}

function popCount(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** A key of a text that is already folded and in one piece. */
export function compactTextKey(compact: string): TextKey {
  const leet = leetKey(compact);
  return {
    folded: compact,
    compact,
    leet,
    skeleton: skeletonKey(compact),
    base: compact,
    tokens: [compact],
    sorted: compact,
    letters: lettersOf(leet),
  };
}

export function textKey(text: string): TextKey {
  const folded = foldText(text);
  // A title of signs alone (`...`, `???`) is compared sign by sign.
  const compact = compactKey(folded) || text.toLowerCase().replace(/\s+/g, '');
  const bare = stripBrackets(text);
  const base = bare === text ? compact : compactKey(foldText(bare)) || compact;
  const tokens = folded === '' ? [] : folded.split(' ');
  const leet = leetKey(compact);
  const sorted = tokens
    .filter((token) => token !== 'the' && token !== 'and')
    .sort()
    .join('');
  return { folded, compact, leet, skeleton: skeletonKey(compact), base, tokens, sorted, letters: lettersOf(leet) };
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

/** A cheap first look: edits over letters alone. Never more than `textSimilarity` by much. */
export function quickSimilarity(seen: TextKey, known: TextKey): number {
  if (seen.compact === known.compact) return seen.compact === '' ? 0 : 1;
  return editSimilarity(seen.leet, known.leet, 0.4);
}

/**
 * Similarity 0..1 of an observed text to a catalog text: the best of edits, digits read as letters, words in any
 * order, vowels dropped, cut off at the end, brackets left out. Each way that forgives more counts a little less.
 */
export function textSimilarity(seen: TextKey, known: TextKey): number {
  if (seen.compact === known.compact) return seen.compact === '' ? 0 : 1;
  // Each letter that only one side has costs an edit. Parts of names stand apart from this bound: `base` and prefixes.
  const missing = Math.max(popCount(seen.letters & ~known.letters), popCount(known.letters & ~seen.letters));
  const whole = seen.base === seen.compact && known.base === known.compact;
  if (whole && missing > 0.6 * Math.max(seen.leet.length, known.leet.length) && known.compact.length <= 14) return 0.2;
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
