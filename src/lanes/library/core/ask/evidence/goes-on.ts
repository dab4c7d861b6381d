/**
 * What a source says in its next sentence of the very thing that it has just named: "They report 38 %. I find 44 %."
 *
 *   ASK-80 somebody, a verb of saying or finding, and an amount with its unit: nothing in the clause is measured, so it is
 *          what the sentence before it measures
 */
import { quantitiesOf, sameQuantity, type Quantity } from '../words/quantities.ts';
import { tokensOf } from '../words/tokens.ts';
import type { SourceSentence } from './source-sentences.ts';

const HOW = '(?:(?:now|still|instead|however|also|later|even|only|have|has|had) )?';
const SAYS =
  '(?:finds?|found|counted|reports?|reported|estimates?|estimated|says?|said|calculates?|calculated|reckons?|reckoned|puts? (?:it|this|that|the figure) at|makes? it|made it|speaks? of|spoke of)';
/** Of what a thing may do, too: its length is what it measures. */
const MEASURES =
  '(?:counts?|measures?|measured|gets?|got|obtains?|obtained|gives?|gave|sees?|saw|observes?|observed|records?|recorded|notes?|noted|comes? to|came to|arrives? at|arrived at)';
const ABOUT =
  '(?:only |about |nearly |almost |around |roughly |some |over |just |(?:more|less) than |at (?:least|most) |up to )?';
const PEOPLE = '(?:I|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|[Oo]thers)';
const NAME = String.raw`\p{Lu}[\p{L}'’-]+(?: (?:and|&) \p{Lu}[\p{L}'’-]+| et al\.?)?(?: \(\d{4}\))?`;
const THING = String.raw`(?:[Tt]he|[Aa]n?|[Ii]ts|[Hh]is|[Hh]er|[Tt]heir)(?: [\p{L}\p{N}'’-]+){1,5}`;
const BEGINS = String.raw`(?:^|[,;:–—] ?|\b(?:[Bb]ut|and|[Yy]et|while|whereas|although|though) )`;
/** Up to where the amount begins. A pronoun that does something begins a clause wherever it stands, but behind `that`. */
const LEFT_OUT = new RegExp(
  String.raw`(?:(?:^|(?<!\b(?:that|which|whom|what|where|when|if|because)) |[,;:–—])${PEOPLE} ${HOW}(?:${SAYS}|${MEASURES})|(?:${BEGINS}|\p{Ll} )${NAME} ${HOW}${SAYS}|${BEGINS}${THING} ${HOW}${SAYS}) ${ABOUT}$`,
  'u',
);
const CLAUSE_ENDS = /^\s*(?:$|[.;!,)])/;

/** The amount of a clause that leaves out what it measures; null: there is none. "We counted 12 seals" names its thing. */
export function amountLeftBare(text: string): Quantity | null {
  const tokens = tokensOf(text);
  const bare = quantitiesOf(tokens, text).find(({ kind, unit, first, last }) => {
    if (kind !== 'amount' || unit === null) return false;
    const before = text.slice(0, tokens[first]?.start).replaceAll(/\s+/g, ' ');
    return LEFT_OUT.test(before) && CLAUSE_ENDS.test(text.slice(tokens[last]?.end));
  });
  return bare ?? null;
}

/** The next sentence of the paragraph, where it goes on with another amount of the same thing; null where it does not. */
export function whatGoesOn(sentence: SourceSentence, all: readonly SourceSentence[]): SourceSentence | null {
  const next = all[all.indexOf(sentence) + 1];
  if (next?.span !== sentence.span || next.heading !== sentence.heading || !next.prose || next.isHeading) return null;
  const { text, start } = sentence.span;
  if (/\n[ \t]*\r?\n/.test(text.slice(sentence.end - start, next.start - start))) return null;
  const amount = amountLeftBare(next.text);
  if (amount === null) return null;
  const said = quantitiesOf(tokensOf(sentence.text), sentence.text).filter(
    ({ kind, unit }) => kind === 'amount' && unit?.dimension === amount.unit?.dimension,
  );
  return said.length === 0 || said.some((one) => sameQuantity(amount, one)) ? null : next;
}

/** Both as one quote, so that it says what it is about. */
export function joined(first: SourceSentence, { end, endLine }: SourceSentence): SourceSentence {
  const { text, start } = first.span;
  return { ...first, end, endLine, text: text.slice(first.start - start, end - start) };
}
