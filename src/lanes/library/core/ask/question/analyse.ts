/** What a question asks for, and its words. */
import { eachWord, isAskingTerm, isEmptyTerm, termsOf } from '../../text/words.ts';
import { isVerbLike } from '../check/verbs.ts';
import type { QuestionTerm, Wanted } from './question.types.ts';

/** Nouns whose answer is an amount, whatever else the question says. */
const AMOUNTS =
  'amount number count total sum percentage percent share proportion price cost fee wage salary budget length height depth width size weight mass age distance speed temperature range draught capacity volume rate limit area population score duration ratio level value'.split(
    ' ',
  );
const TIMES = 'year date day month time century decade hour week season'.split(' ');
const PLACES = 'place country city town state location county region room building street continent'.split(' ');
const REASONS = 'reason reasons cause causes'.split(' ');
const AUXILIARIES =
  /^(?:is|are|was|were|am|do|does|did|has|have|had|can|could|may|might|must|shall|should|will|would)\b/i;

export function wantedBy(question: string): Wanted {
  const said = ` ${question.toLowerCase().replaceAll(/[^\p{L}\p{N}'-]+/gu, ' ')} `;
  const has = (pattern: RegExp): boolean => pattern.test(said);
  const of = (nouns: readonly string[]): RegExp =>
    new RegExp(
      ` (?:what|which)(?: (?:is|was|are|were|the|kind|type|of|a|an|'s))* (?:\\S+ ){0,2}(?:${nouns.join('|')})s? `,
    );
  // "..., warming or grazing?"
  if (has(/ (?:what|which|who) /) && /,\s*(?:the\s+)?[\p{L}\p{N} -]{2,40}\s+or\s+[^,]{2,40}\??$/u.test(question))
    return 'choice';
  if (has(/ why | how come | what (?:explains|caused|causes|led|made|makes) /) || has(of(REASONS))) return 'reason';
  if (has(/ who | whom | whose /)) return 'person';
  if (
    has(
      / how (?:many|much|long|high|deep|wide|tall|far|old|big|large|heavy|fast|hot|cold|often|late|early|soon|thick|strong) /,
    )
  )
    return 'number';
  if (has(/ when | since when | how long ago /) || has(of(TIMES))) return 'time';
  if (has(/ where /) || has(of(PLACES))) return 'place';
  if (has(of(AMOUNTS)) || has(/ what (?:does|do|did) .{1,60} (?:cost|weigh|measure) /)) return 'number';
  if (AUXILIARIES.test(question.trim())) return has(/ or /) ? 'choice' : 'yes or no';
  if (has(/ how /)) return 'manner';
  return has(/ or /) && has(/ which | what /) ? 'choice' : 'thing';
}

/** Words of grammar that the index keeps and no answer needs. */
const GRAMMAR = new Set(
  'may might must shall ought need much many there both together each every either neither same also only just ever still yet please tell know current currently now let lot use used exactly approximately'.split(
    ' ',
  ),
);

/** How much of its weight a word has that only names the kind of the answer: `colour` in "which colour". */
const KIND_SHARE = 0.4;
/** The same for verbs: what is done is said in many words, of whom in few. */
const VERB_SHARE = 0.7;
/** The same for words with which people ask. */
const ASKING_SHARE = 0.3;

/** @param weigh how much a term tells; 1 where it is not known */
export function termsIn(question: string, weigh: (term: string) => number): QuestionTerm[] {
  const found = new Map<string, QuestionTerm>();
  let before = '';
  let isFirst = true;
  eachWord(question, 0, question.length, (word) => {
    const [term] = termsOf(word);
    const begins = isFirst;
    isFirst = false;
    // `which colour`, `how long`
    const isKind = /^(?:which|what|how)$/.test(before);
    before = word.toLowerCase();
    if (term === undefined || isEmptyTerm(term)) return;
    const isName = !begins && /^\p{Lu}/u.test(word);
    if (!isName && GRAMMAR.has(before)) return;
    const kind = /^\p{N}/u.test(word) ? 'number' : isName ? 'name' : 'word';
    const isVerb = kind === 'word' && isVerbLike(before, '');
    const share =
      kind !== 'word' ? 1 : isAskingTerm(term) ? ASKING_SHARE : isKind ? KIND_SHARE : isVerb ? VERB_SHARE : 1;
    const weight = share * weigh(term);
    const known = found.get(term);
    if (known === undefined) found.set(term, { term, word, weight, kind });
    else if (known.weight < weight) found.set(term, { ...known, weight, kind });
  });
  return [...found.values()];
}
