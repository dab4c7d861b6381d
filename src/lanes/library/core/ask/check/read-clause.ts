/** One clause, word by word. */
import type { Quantity } from '../words/quantities.ts';
import { isEmptyTerm, partsOfName, termsOf } from '../../text/words.ts';
import type { Token } from '../words/tokens.ts';
import { keyOf } from '../words/lemma.ts';
import type { Bound } from './clause-bounds.ts';
import type { Clause, ClauseCue, ContentWord } from './clause.types.ts';
import { CONJUNCTIONS } from './conjunctions.ts';
import { cuesAt } from './cues.ts';
import { isAuxiliary, isParticiple, isVerbLike } from './verbs.ts';

const ROLES = new Set(
  'from to before after above below over under until till since between without against inside outside than by into during beyond within except'.split(
    ' ',
  ),
);
const PREPOSITIONS = new Set([
  ...ROLES,
  ...'of in on at for with near through across along around behind beside towards toward onto upon per via among'.split(
    ' ',
  ),
]);
const DETERMINERS = new Set(
  'a an the this that these those its their his her our my your some any no every each all both'.split(' '),
);
const PRONOUNS = new Set('it they he she them him its their his her this these those which who that whom'.split(' '));

/** @param last its last token */
export function clauseOf(
  tokens: readonly Token[],
  quantities: readonly Quantity[],
  { first, last, sentence, hard }: Bound & { last: number },
): Clause {
  const own = quantities.filter((one) => one.first >= first && one.last <= last);
  const reader = new ClauseReader(tokens, own, first, hard);
  for (let at = first; at <= last; at++) reader.take(at);
  const here = tokens.slice(first, last + 1);
  const start = here.find(({ kind, lower }) => kind !== 'mark' && !OPENING.has(lower));
  const pronoun = here.find((token, index) => PRONOUNS.has(token.lower) && isPronounHere(tokens, first + index));
  const { content, counted, cues, verbAt, passive, clauseNegated } = reader;
  const gapped = verbAt < 0 && !hard && own.length > 0;
  const verbFirst =
    start !== undefined &&
    (isAuxiliary(start.lower) || /^(?:not|never)$/.test(start.lower) || isVerbLike(start.lower, ''));
  return {
    ...{ first, last, content, cues, sentence, gapped, passive, verbAt },
    quantities: counted,
    negated: clauseNegated,
    pointsBack: pronoun?.lower ?? null,
    subjectless: !hard && !gapped && verbFirst,
    side: null,
  };
}

const OPENING = new Set(['and', 'but', 'or', 'so', 'then', 'also', 'that', 'now', 'from', 'in', 'on']);

/** Reads the words of one clause, one after the other. */
class ClauseReader {
  readonly content: ContentWord[] = [];
  readonly counted: Clause['quantities'] = [];
  readonly cues: ClauseCue[] = [];
  verbAt = -1;
  passive = false;
  clauseNegated = false;
  readonly #tokens: readonly Token[];
  readonly #words: readonly string[];
  readonly #own: readonly Quantity[];
  readonly #first: number;
  readonly #hard: boolean;
  #negation: 'clause' | 'word' | null = null;
  #role: string | null = null;
  /** Tokens of a cue that is not read as content. */
  #until = -1;

  constructor(tokens: readonly Token[], own: readonly Quantity[], first: number, hard: boolean) {
    this.#tokens = tokens;
    this.#words = tokens.map(({ lower }) => lower);
    this.#own = own;
    this.#first = first;
    this.#hard = hard;
  }

  take(at: number): void {
    const token = this.#tokens[at];
    if (token === undefined) return;
    const quantity = this.#own.find((one) => one.first <= at && at <= one.last);
    if (quantity === undefined || quantity.first === at) this.#takeCues(token, at, quantity);
    if (quantity !== undefined) {
      if (quantity.first === at) this.counted.push({ ...quantity, role: this.#role });
      if (quantity.last === at) this.#role = null;
      return;
    }
    if (token.kind === 'mark') {
      if (/^[,()]$/.test(token.text)) this.#endGroup();
      return;
    }
    if (PREPOSITIONS.has(token.lower)) {
      this.#endGroup();
      this.#role = ROLES.has(token.lower) ? token.lower : null;
    } else if (isAuxiliary(token.lower)) this.#takeAuxiliary(token, at);
    else if (at > this.#until) this.#takeWord(token, at);
  }

  #takeCues(token: Token, at: number, quantity: Quantity | undefined): void {
    if (quantity !== undefined && token.lower === 'may') return;
    const { cues, length } = cuesAt(this.#words, at);
    for (const one of cues) this.cues.push({ ...one, at, length });
    if (cues.some(({ kind, group }) => kind !== 'cause' && !(kind === 'quantifier' && /than|within/.test(group))))
      this.#until = at + length - 1;
    if (cues.some(({ kind }) => kind === 'negation')) {
      // `, not warming,` and `without an entry` negate what stands next to them alone.
      const before = this.#tokens[at - 1]?.text;
      const isNext = before === ',' || before === '(' || /^(?:without|instead|rather)$/.test(token.lower);
      this.#negation = isNext ? 'word' : 'clause';
      if (!isNext) this.clauseNegated = true;
    }
    if (
      cues.some(({ kind }) => kind === 'cause') &&
      /^(?:due|because|owing|thanks|caused|result|results|resulted|attributed|attributable|account|stems?|stemmed)$/.test(
        token.lower,
      )
    )
      if (length > 1) this.#role = 'cause';
  }

  #takeAuxiliary(token: Token, at: number): void {
    this.#endGroup();
    if (this.verbAt < 0) this.verbAt = at;
    const next = this.#tokens
      .slice(at + 1, at + 5)
      .find(({ lower }) => !/ly$|^(?:not|been|being|be|also|only|all|both|never)$/.test(lower));
    if (/^(?:is|are|was|were|be|been|being)$/.test(token.lower) && next !== undefined && isParticiple(next.lower))
      this.passive = true;
  }

  #takeWord(token: Token, at: number): void {
    const isVerb = isVerbLike(token.lower, this.#tokens[at - 1]?.lower ?? '');
    if (isVerb) {
      if (this.verbAt < 0) this.verbAt = at;
      if (this.#role !== 'cause') this.#role = null;
    }
    if (DETERMINERS.has(token.lower) || PRONOUNS.has(token.lower) || CONJUNCTIONS.has(token.lower)) return;
    const [term = token.key] = termsOf(token.text);
    if (isEmptyTerm(term)) return;
    const begins = at === 0 || (at === this.#first && this.#hard);
    const parts = partsOfName(token.text);
    this.content.push({
      ...{
        key: token.key,
        lower: token.lower,
        text: token.text,
        at,
        role: this.#role,
        isVerb,
        negated: this.#negation,
      },
      isName: /\p{Lu}/u.test(token.text) && (!begins || /\p{Lu}.*\p{Lu}|_/u.test(token.text)),
      parts: parts.length > 1 ? parts.map((part) => keyOf(part.toLowerCase())) : [],
    });
  }

  /** A comma, a preposition or a verb ends a group of words. */
  #endGroup(): void {
    this.#role = null;
    if (this.#negation === 'word' && this.content.at(-1)?.negated === 'word')
      this.#negation = this.clauseNegated ? 'clause' : null;
  }
}

/** `this survey` has its noun; `it` and `which` have none. `that` after a verb opens a clause. */
function isPronounHere(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (token === undefined) return false;
  if (/^(?:it|they|he|she|them|him|which|who|whom|its|their|his|her)$/.test(token.lower)) return true;
  const next = tokens[at + 1];
  return /^(?:this|these|those)$/.test(token.lower) && (next === undefined || isAuxiliary(next.lower));
}
