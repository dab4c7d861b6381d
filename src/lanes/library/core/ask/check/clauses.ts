/** A text as clauses: what each says of its own, what it has from the clauses before it, and which words change its sense. */
import { quantitiesOf, type Quantity } from '../words/quantities.ts';
import { partsOfName } from '../../text/words.ts';
import { isEmptyTerm, termsOf } from '../../text/words.ts';
import { tokensOf, type Token } from '../words/tokens.ts';
import { keyOf } from '../words/lemma.ts';
import { cuesAt, type Cue, type CueKind } from './cues.ts';
import { isAuxiliary, isParticiple, isVerbLike } from './verbs.ts';

export interface ContentWord {
  key: string;
  lower: string;
  text: string;
  /** Which token of the text. */
  at: number;
  /** Written as a name: with a capital where no sentence begins. */
  isName: boolean;
  /** A word of negation stands before it: `clause` where it negates all that follows, `word` where it negates this alone. */
  negated: 'clause' | 'word' | null;
  /** The preposition right before its noun group, where it says a direction: `from`, `above`. */
  role: string | null;
  isVerb: boolean;
  /** Keys of the parts of a name of code: `RETRY_SECONDS`. */
  parts: readonly string[];
}

export interface ClauseCue extends Cue {
  at: number;
  length: number;
}

export interface Clause {
  /** Tokens, the last one included. */
  first: number;
  last: number;
  content: ContentWord[];
  quantities: (Quantity & { role: string | null })[];
  cues: ClauseCue[];
  /** It speaks of something before it: `it`, `which`. */
  pointsBack: string | null;
  /** It has no subject of its own. */
  subjectless: boolean;
  /** It has an amount and no verb: `and 1.6 metres at neaps`. */
  gapped: boolean;
  /** Token of its first verb; -1: none. */
  verbAt: number;
  /** What it says as a whole is negated. */
  negated: boolean;
  passive: boolean;
  /** Which sentence of the text. */
  sentence: number;
  /** A cause, or what one leads to. */
  side: 'cause' | 'effect' | null;
}

export interface ReadText {
  text: string;
  tokens: Token[];
  clauses: Clause[];
}

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

interface Bound {
  first: number;
  sentence: number;
  /** A sentence or a semicolon begins it: nothing before it is its subject. */
  hard: boolean;
}

/** Where clauses begin. */
function boundsOf(tokens: readonly Token[], quantities: readonly Quantity[]): Bound[] {
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

const CONJUNCTIONS = new Set([
  'and',
  'but',
  'or',
  'nor',
  'yet',
  'so',
  'while',
  'whereas',
  'though',
  'although',
  'because',
  'when',
  'whenever',
  'if',
  'unless',
  'who',
  'which',
  'where',
  'since',
  'until',
  'after',
  'before',
  'then',
  'as',
  'than',
]);

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

function clauseOf(
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

export const hasCue = (clause: Pick<Clause, 'cues'>, kind: CueKind, group: string): boolean =>
  clause.cues.some((cue) => cue.kind === kind && cue.group === group);
