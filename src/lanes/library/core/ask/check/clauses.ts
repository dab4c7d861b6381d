/** A text read as clauses, and what reaches from one to the next: causes, and what is only believed. */
import { quantitiesOf } from '../words/quantities.ts';
import { tokensOf, type Token } from '../words/tokens.ts';
import { boundsOf } from './clause-bounds.ts';
import type { Clause, ReadText } from './clause.types.ts';
import type { CueKind } from './cues.ts';
import { clauseOf } from './read-clause.ts';

export function readText(text: string): ReadText {
  const tokens = tokensOf(text);
  const quantities = quantitiesOf(tokens, text);
  const clauses: Clause[] = [];
  const bounds = boundsOf(tokens, quantities);
  for (let at = 0; at < bounds.length; at++) {
    const bound = bounds[at];
    if (bound === undefined) continue;
    const last = (bounds[at + 1]?.first ?? tokens.length) - 1;
    clauses.push(clauseOf(tokens, quantities, { ...bound, last }));
  }
  markSides(tokens, clauses);
  spreadHedges(clauses);
  return { text, tokens, clauses };
}

/** What a causal word parts: the side of the cause and that of what follows from it. */
function markSides(tokens: readonly Token[], clauses: readonly Clause[]): void {
  const sideHere = (word: string): 'cause' | 'effect' | null =>
    /^(?:because|since|as)$/.test(word)
      ? 'cause'
      : /^(?:so|therefore|thus|hence|consequently)$/.test(word)
        ? 'effect'
        : null;
  for (const [at, clause] of clauses.entries()) {
    const word =
      tokens.slice(clause.first, clause.last + 1).find(({ lower }) => !/^(?:and|but)$/.test(lower))?.lower ?? '';
    const side = sideHere(word);
    if (side === null || !clause.cues.some(({ kind }) => kind === 'cause')) continue;
    clause.side = side;
    const other = clauses[at - 1]?.sentence === clause.sentence ? clauses[at - 1] : clauses[at + 1];
    if (other !== undefined && other.sentence === clause.sentence) other.side ??= side === 'cause' ? 'effect' : 'cause';
  }
}

/** What is believed stays believed to the sentence's end: "we believe that A and that B". */
function spreadHedges(clauses: readonly Clause[]): void {
  for (const [at, clause] of clauses.entries()) {
    const spread = clause.cues.filter(
      ({ kind, group }) => kind === 'hedge' && (group === 'belief' || group === 'claim'),
    );
    for (const [place, next] of clauses.entries()) {
      if (next.sentence !== clause.sentence || next === clause) continue;
      // ", Sund claims" is said of what stands before it.
      if (place < at && clause.content.length > 2) continue;
      for (const cue of spread)
        if (!hasCue(next, cue.kind, cue.group)) next.cues.push({ ...cue, at: next.first, length: 0 });
    }
  }
}

const hasCue = (clause: Pick<Clause, 'cues'>, kind: CueKind, group: string): boolean =>
  clause.cues.some((cue) => cue.kind === kind && cue.group === group);
