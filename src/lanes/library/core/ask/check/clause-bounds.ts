/** Where the clauses of a text begin. */
import type { Quantity } from '../words/quantities.ts';
import type { Token } from '../words/tokens.ts';
import { CONJUNCTIONS } from './conjunctions.ts';
import { isVerbLike } from './verbs.ts';

export interface Bound {
  first: number;
  sentence: number;
  /** A sentence or a semicolon begins it: nothing before it is its subject. */
  hard: boolean;
}

export function boundsOf(tokens: readonly Token[], quantities: readonly Quantity[]): Bound[] {
  const bounds: Bound[] = [{ first: 0, sentence: 0, hard: true }];
  let sentence = 0;
  const inQuantity = (at: number): boolean => quantities.some(({ first, last }) => first <= at && at <= last);
  for (let at = 1; at < tokens.length; at++) {
    const token = tokens[at];
    const before = tokens[at - 1];
    const from = bounds.at(-1)?.first ?? 0;
    if (token === undefined || before === undefined || at <= from) continue;
    if (/^[.!?]$/.test(before.text) && !inQuantity(at - 1) && endsSentence(tokens, at - 1)) {
      sentence += 1;
      bounds.push({ first: at, sentence, hard: true });
    } else if (/^[;:—–]$/.test(before.text) && !inQuantity(at - 1))
      bounds.push({ first: at, sentence, hard: before.text === ';' });
    else if (beginsClause(tokens, quantities, from, at)) bounds.push({ first: at, sentence, hard: false });
  }
  return bounds;
}

/** A full stop before a capital or at the end; not in `e.g.` or `Dr. Vell`. */
function endsSentence(tokens: readonly Token[], at: number): boolean {
  const [stop, next, before] = [tokens[at], tokens[at + 1], tokens[at - 1]];
  if (next === undefined || stop === undefined) return true;
  if (next.start === stop.end) return false;
  if (stop.text !== '.') return true;
  if (
    before !== undefined &&
    (before.text.length === 1 || /^(?:Mr|Mrs|Ms|Dr|Prof|St|vs|etc|No|al|ca|approx)$/.test(before.text)) &&
    before.kind === 'word'
  )
    return false;
  return !/^\p{Ll}/u.test(next.text);
}

function beginsClause(tokens: readonly Token[], quantities: readonly Quantity[], from: number, at: number): boolean {
  const token = tokens[at];
  const before = tokens[at - 1];
  if (token === undefined || before === undefined) return false;
  const comma = before.text === ',';
  const bracket = before.text === '(' || before.text === ')';
  if (!comma && !bracket && !CONJUNCTIONS.has(token.lower)) return false;
  if (
    comma &&
    CONJUNCTIONS.has(tokens[at]?.lower ?? '') === false &&
    !startsWithVerb(tokens, at) &&
    !hasSubjectAndVerb(tokens, at)
  )
    return false;
  const to = nextBreak(tokens, at + 1);
  const verbHere = hasVerb(tokens, at, to);
  if (
    token.lower === 'and' ||
    token.lower === 'or' ||
    token.lower === 'but' ||
    comma ||
    bracket ||
    token.lower === 'than'
  ) {
    if (verbHere && hasVerb(tokens, from, at)) return true;
    return token.lower !== 'than' && isGap(tokens, quantities, from, at, to);
  }
  return verbHere && (hasVerb(tokens, from, at) || comma);
}

/** Up to the next mark or conjunction. */
function nextBreak(tokens: readonly Token[], from: number): number {
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at];
    if (token === undefined) break;
    if (/^[,;:.!?()—–]$/.test(token.text)) return at;
    if (at > from && CONJUNCTIONS.has(token.lower) && token.lower !== 'as' && token.lower !== 'than') return at;
  }
  return tokens.length;
}

function hasVerb(tokens: readonly Token[], from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const token = tokens[at];
    // `in May`
    if (token?.text === 'May' && at > 0) continue;
    if (token?.kind === 'word' && isVerbLike(token.lower, tokens[at - 1]?.lower ?? '')) return true;
  }
  return false;
}

const startsWithVerb = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]?.kind === 'word' && isVerbLike(tokens[at]?.lower ?? '', '') && !/ed$/.test(tokens[at]?.lower ?? '');

/** `, the others stay` */
function hasSubjectAndVerb(tokens: readonly Token[], at: number): boolean {
  return hasVerb(tokens, at + 1, Math.min(nextBreak(tokens, at), at + 6));
}

/** An amount on both sides and no verb here: `and 1.6 metres at neaps`, `, in 2030 38 %`; `2, 10 and 25` is a list. */
function isGap(
  tokens: readonly Token[],
  quantities: readonly Quantity[],
  from: number,
  at: number,
  to: number,
): boolean {
  const here = quantities.find(({ first, last, kind }) => first >= at && last < to && kind !== 'date');
  if (here === undefined) return false;
  const left = quantities.filter(({ first, last }) => first >= from && last < at && first >= 0);
  const same = left.find((one) => one.kind === here.kind);
  if (same === undefined) return false;
  const words = (a: number, b: number): boolean =>
    tokens.slice(a, b).some(({ kind, lower }) => kind === 'word' && !CONJUNCTIONS.has(lower));
  // In a list nothing stands between its numbers.
  return words(same.last + 1, at) || words(at, here.first);
}
