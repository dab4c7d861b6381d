import { distance } from 'fastest-levenshtein';
import { compactKey, foldText, leetKey, skeletonKey } from './fold.ts';

/** A text in all the forms it is compared in; made once, compared often. */
export interface TextKey {
  /** Folded, with blanks. */
  folded: string;
  compact: string;
  leet: string;
  skeleton: string;
  /** Compact form without what is in brackets and without featured artists. */
  base: string;
  tokens: readonly string[];
  /** Words but `the` and `and`, in order of the alphabet, in one piece. */
  sorted: string;
  /** Numbers that are written as words (`part 2`, `vol ii`), in order; parts and volumes are told apart by them. */
  numbers: string;
}

const BRACKETS = /\([^()]*\)|\[[^[\]]*\]|\{[^{}]*\}/g;
const FEATURING = /\s[([]?(?:feat|ft|featuring|with)\.?\s.*$/i;

/** Text without brackets and featured artists; the text itself when nothing would be left. */
export function stripBrackets(text: string): string {
  const bare = text.replace(BRACKETS, ' ').replace(FEATURING, ' ').trim();
  return bare === '' ? text : bare;
}

const ROMAN: Record<string, number> = { ii: 2, iii: 3, iv: 4, vi: 6, vii: 7, viii: 8, ix: 9 };

/** A word as a number, when it is one; years are none. */
function numberOf(token: string): number[] {
  const value = ROMAN[token] ?? (/^\d{1,3}$/.test(token) ? Number(token) : null);
  return value === null ? [] : [value];
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
    numbers: '',
  };
}

const signsOf = (text: string): string => text.toLowerCase().replace(/\s+/g, '');

export function textKey(text: string): TextKey {
  const folded = foldText(text);
  // A title of signs alone (`...`, `???`) is compared sign by sign.
  const compact = compactKey(folded) || signsOf(text);
  const bare = stripBrackets(text);
  const base = bare === text ? compact : compactKey(foldText(bare)) || signsOf(bare) || compact;
  const tokens = folded === '' ? [] : folded.split(' ');
  const leet = leetKey(compact);
  const numbers = tokens.flatMap(numberOf).join(' ');
  const sorted = tokens
    .filter((token) => token !== 'the' && token !== 'and')
    .sort()
    .join('');
  return {
    folded,
    compact,
    leet,
    skeleton: skeletonKey(compact),
    base,
    tokens,
    sorted,
    numbers,
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
  const best = damagedSimilarity(seen, known);
  // `Part 1` is not `Part 2`, however near the letters are.
  return seen.numbers !== '' && known.numbers !== '' && seen.numbers !== known.numbers ? Math.min(best, 0.8) : best;
}

/**
 * The same, but texts that a cheap look finds unlike are not compared any further: most pairs are. What a cheap look
 * would miss begins alike (brackets left out, cut off) or has the same words in another order.
 */
export function gatedSimilarity(seen: TextKey, known: TextKey): number {
  const quick = quickSimilarity(seen, known);
  if (quick === 1) return 1;
  const unlike = quick < 0.33 && seen.leet.slice(0, 3) !== known.leet.slice(0, 3) && seen.sorted !== known.sorted;
  return unlike ? quick : textSimilarity(seen, known);
}

function damagedSimilarity(seen: TextKey, known: TextKey): number {
  let best = editSimilarity(seen.compact, known.compact);
  if (best > 0.93) return best;
  best = Math.max(best, 0.98 * editSimilarity(seen.leet, known.leet));
  if (seen.base !== seen.compact || known.base !== known.compact)
    best = Math.max(best, 0.93 * editSimilarity(seen.base, known.base));
  best = Math.max(best, 0.96 * tokenSimilarity(seen.tokens, known.tokens));
  if (seen.compact.length < known.compact.length && seen.skeleton.length >= 3 && best < 0.9)
    best = Math.max(best, 0.92 * editSimilarity(seen.skeleton, known.skeleton));
  if (seen.compact.length >= 6 && known.compact.length > seen.compact.length && known.compact.startsWith(seen.compact))
    best = Math.max(best, 0.72 + 0.22 * (seen.compact.length / known.compact.length));
  return best;
}
