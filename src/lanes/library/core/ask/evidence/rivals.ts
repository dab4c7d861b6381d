/** Sentences of different sources that differ on the same thing. */
import type { SubQuestion } from '../question/question.types.ts';
import { quantitiesOf, sameQuantity, type Quantity } from '../words/quantities.ts';
import { tokensOf } from '../words/tokens.ts';
import { joined, whatGoesOn } from './goes-on.ts';
import type { RankedSentence } from './rank.ts';
import { sentencesOf } from './source-sentences.ts';

/** A rival says so much of the question, and is so good beside the best. */
const OWN_FROM = 0.3;
const BESIDE_BEST = 0.55;
/** Sentences that are looked at. */
const AMONG = 8;

/**
 * The best sentences of other sources that answer a question otherwise than the best one: another amount of the same kind
 * for "how much", another side for "this or that".
 */
export function rivalsOf(question: SubQuestion, ranked: readonly RankedSentence[]): RankedSentence[] {
  const [best] = ranked;
  if (best === undefined) return [];
  const rivals: RankedSentence[] = [];
  const taken = new Set([best.sentence.evidence.source_id]);
  for (const one of ranked.slice(1, AMONG)) {
    const { source_id } = one.sentence.evidence;
    if (taken.has(source_id) || one.fit.own < OWN_FROM || one.score < BESIDE_BEST * best.score) continue;
    if (isOfAnotherYear(question, one)) continue;
    // What repeats another that is quoted is no further side: a source may say something else in its next sentence.
    if (![best, ...rivals].every((said) => isRival(question, said, one))) continue;
    taken.add(source_id);
    rivals.push(one);
  }
  return question.wants === 'number' || question.wants === 'thing'
    ? [...rivals, ...goingOn(question, ranked, taken)]
    : rivals;
}

/** What the next sentence of the best one says otherwise, or that of one of another source, which may repeat the best. */
function goingOn(
  question: SubQuestion,
  ranked: readonly RankedSentence[],
  taken: ReadonlySet<string>,
): RankedSentence[] {
  const sources = new Set(taken);
  const found: RankedSentence[] = [];
  for (const [at, one] of ranked.slice(0, AMONG).entries()) {
    const { source_id } = one.sentence.evidence;
    if (
      isOfAnotherYear(question, one) ||
      one.fit.otherName ||
      one.fit.own < OWN_FROM ||
      one.score < BESIDE_BEST * (ranked[0]?.score ?? 0)
    )
      continue;
    if (at > 0 && sources.has(source_id)) continue;
    const next = whatGoesOn(one.sentence, sentencesOf(one.sentence.evidence));
    if (next === null) continue;
    sources.add(source_id);
    found.push({ ...one, sentence: at === 0 ? next : joined(one.sentence, next) });
  }
  return found;
}

/** It names years, and not the one that is asked about: what it says is no other side of that one. */
function isOfAnotherYear({ text }: SubQuestion, { sentence }: RankedSentence): boolean {
  const asked = yearsIn(text);
  const said = yearsIn(sentence.text);
  return asked.length > 0 && said.length > 0 && !said.some((year) => asked.includes(year));
}

const yearsIn = (text: string): string[] =>
  text.match(/(?<![\p{L}\p{N}.,])(?:1\d|20|21)\d\d(?![\p{N}%]|[.,]\p{N})/gu) ?? [];

function isRival({ wants }: SubQuestion, best: RankedSentence, other: RankedSentence): boolean {
  if (wants === 'choice') return true;
  return differInAmount(best.sentence.text, other.sentence.text);
}

/** Both say an amount of one unit, and no amount of it is the same. */
function differInAmount(one: string, other: string): boolean {
  const [here, there] = [amountsIn(one), amountsIn(other)];
  for (const amount of here) {
    const alike = there.filter(
      (rival) => rival.unit?.dimension === amount.unit?.dimension && rival.kind === amount.kind,
    );
    if (alike.length === 0 || (amount.unit === null && amount.kind === 'amount')) continue;
    if (!alike.some((rival) => here.some((own) => sameQuantity(own, rival)))) return true;
  }
  return false;
}

const amountsIn = (text: string): Quantity[] =>
  quantitiesOf(tokensOf(text), text).filter(({ kind }) => kind === 'amount' || kind === 'time');

/** What a source says where it takes the place of another. */
const REPLACES =
  /\b(?:from now on|no longer|replaces?|replaced|supersedes?|superseded|instead of|(?:is|are|was|were|has been|have been) (?:lowered|raised|changed|amended|corrected|increased|reduced|revised)|new limit|new rule|correction|erratum|withdrawn|retracted)\b/i;

export const saysItReplaces = (text: string): boolean => REPLACES.test(text);
