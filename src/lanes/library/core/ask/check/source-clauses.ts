/** The clauses of a quote in its source, each with what it has from those before it. */
import { sentencesOf } from '../evidence/source-sentences.ts';
import { sectionAt } from '../evidence/ledger.ts';
import { keyOf } from '../words/lemma.ts';
import { tokensOf } from '../words/tokens.ts';
import type { Clause, ContentWord, ReadText } from './clause.types.ts';
import { readText } from './clauses.ts';
import type { FoundQuote } from './find-quote.ts';

/** Of its content and amounts only what the quote has; its other words count whole, so that no quote cuts a `not` away. */
export interface SourceClause extends Clause {
  /** From clauses before it: the subject that it shares, what its pronoun stands for. */
  shared: ContentWord[];
  /** Amounts of the subject that it shares: "two wells". */
  sharedQuantities: Clause['quantities'];
  /** Its own subject: words before its verb; empty where it has none. */
  subject: ContentWord[];
  /** Keys of the headings. */
  heading: ReadonlySet<string>;
  /** It says who or what only by its heading: a pronoun, a line of a table, a comment of code. */
  isOpen: boolean;
  /** Groups of the conditions in its sentence. */
  conditions: ReadonlySet<string>;
  /** Several clauses of one sentence that are said together. */
  isUnion: boolean;
}

/** Every clause that a quote has a word of. */
export function sourceClauses(quote: FoundQuote): SourceClause[] {
  const { span } = quote;
  const around = sentencesOf(quote.evidence).filter(
    ({ span: other, start, end }) => other === span && start < quote.end && end > quote.start,
  );
  const start = Math.min(quote.start, ...around.map((one) => one.start));
  const end = Math.max(quote.end, ...around.map((one) => one.end));
  const raw = span.text.slice(start - span.start, end - span.start);
  const read = readText(seen(raw));
  const heading = headingKeys(`${quote.evidence.title} ${sectionAt(span, quote.start)?.heading ?? ''}`, span.text);
  const isQuoted = (at: number): boolean => {
    const token = read.tokens[at];
    return token !== undefined && start + token.start >= quote.start && start + token.end <= quote.end;
  };
  const shares = new Map<number, ContentWord[]>();
  const clauses: SourceClause[] = read.clauses.map((clause, at) => {
    const shared = sharedWith(read, at, shares);
    shares.set(at, shared);
    const own = clause.content.filter((word) => isQuoted(word.at));
    const subject = subjectOf(clause).filter((word) => isQuoted(word.at));
    const conditions = conditionsOf(read.clauses, clause);
    return {
      ...clause,
      content: own,
      quantities: clause.quantities.filter(({ first, last }) => isQuoted(first) && isQuoted(last)),
      shared: shared.filter((word) => isQuoted(word.at)),
      sharedQuantities: subjectQuantities(read, at).filter(({ first, last }) => isQuoted(first) && isQuoted(last)),
      subject: clause.pointsBack !== null || clause.subjectless || clause.gapped ? [] : subject,
      heading,
      isOpen: clause.pointsBack !== null || subject.length === 0 || clause.verbAt < 0,
      conditions,
      isUnion: false,
    };
  });
  const quoted = clauses.filter((clause) => {
    for (let at = clause.first; at <= clause.last; at++)
      if (isQuoted(at) && read.tokens[at]?.kind !== 'mark') return true;
    return false;
  });
  return [...quoted, ...unionsOf(quoted)];
}

/** Conditions and exceptions of its sentence; not the exception that a `which` speaks of. */
function conditionsOf(clauses: readonly Clause[], clause: Clause): Set<string> {
  const found = new Set<string>();
  for (const { sentence, cues } of clauses) {
    if (sentence !== clause.sentence) continue;
    for (const { kind, group, at } of cues) {
      const isOfIt = /^(?:which|who)$/.test(clause.pointsBack ?? '') && group === 'unless' && at < clause.first;
      if (kind === 'condition' && !isOfIt) found.add(group);
    }
  }
  return found;
}

/** What a reader does not see is room, so that places stay. */
const seen = (text: string): string =>
  text
    .replaceAll(/[*`]/g, ' ')
    .replaceAll(/(?<=\s)\|(?=\s)/g, ' ')
    .replaceAll(/\p{Cf}/gu, ' ');

const keysOf = new Map<string, Set<string>>();
function headingKeys(heading: string, text: string): Set<string> {
  // The first line of a text without sections heads it: a table in crowns.
  const first = /^\s*(.{1,100})$/m.exec(text.slice(0, 200))?.[1] ?? '';
  const all = `${heading} ${heading.trim() === '' || first.toUpperCase() === first ? first : ''}`;
  let known = keysOf.get(all);
  if (known === undefined) {
    if (keysOf.size > 2_000) keysOf.clear();
    known = new Set();
    for (const { kind, key, text: word } of tokensOf(all)) {
      if (kind !== 'word') continue;
      known.add(key);
      for (const part of word.split(/(?<=\p{Ll})(?=\p{Lu})|_/u)) known.add(keyOf(part.toLowerCase()));
    }
    keysOf.set(all, known);
  }
  return known;
}

export function subjectOf(clause: Clause): ContentWord[] {
  if (clause.verbAt < 0) return [];
  return clause.content.filter(({ at, role, isVerb }) => at < clause.verbAt && role === null && !isVerb);
}

function sharedWith({ clauses }: ReadText, at: number, known: ReadonlyMap<number, ContentWord[]>): ContentWord[] {
  const clause = clauses[at];
  const before = clauses[at - 1];
  if (clause === undefined || before === undefined) return [];
  const isSame = before.sentence === clause.sentence;
  if (clause.pointsBack !== null) {
    return [...(known.get(at - 1) ?? []), ...before.content];
  }
  if (!isSame) return [];
  if (clause.subjectless) {
    let first = at - 1;
    while (first > 0 && clauses[first]?.subjectless === true) first -= 1;
    const from = clauses[first];
    if (from === undefined) return [];
    return [...(known.get(first) ?? []), ...(from.verbAt < 0 ? from.content : subjectOf(from))];
  }
  if (clause.gapped) return gapShared(clauses, at);
  return [];
}

/** Amounts before the verb of the clause whose subject this one has. */
function subjectQuantities({ clauses }: ReadText, at: number): Clause['quantities'] {
  const clause = clauses[at];
  if (clause === undefined || at === 0 || !(clause.subjectless || clause.pointsBack !== null)) return [];
  let first = at - 1;
  while (first > 0 && (clauses[first]?.subjectless === true || clauses[first]?.pointsBack !== null)) first -= 1;
  const from = clauses[first];
  return from === undefined || from.verbAt < 0 ? [] : from.quantities.filter((one) => one.last < from.verbAt);
}

/** What stands before the amount that this one takes the place of, without what has the same preposition or is a name as well. */
function gapShared(clauses: readonly Clause[], at: number): ContentWord[] {
  const clause = clauses[at];
  let first = at - 1;
  while (first > 0 && clauses[first]?.gapped === true) first -= 1;
  const from = clauses[first];
  if (clause === undefined || from === undefined) return [];
  const [amount] = clause.quantities;
  const rival = from.quantities.find(({ kind }) => kind === amount?.kind);
  const hasName = clause.content.some(({ isName }) => isName);
  const ownRoles = new Set(clause.content.map(({ role }) => role));
  const hasSubject = clause.content.some(({ at: place, role }) => role === null && place < (amount?.first ?? 0));
  return from.content.filter(
    (word) =>
      word.at < (rival?.first ?? Infinity) &&
      !(hasName && word.isName) &&
      !(word.role !== null && ownRoles.has(word.role)) &&
      !(hasSubject && word.at < from.verbAt && word.role === null),
  );
}

/** Clauses of one sentence with one subject, said together: "the plots were lost and were not replaced". */
function unionsOf(clauses: readonly SourceClause[]): SourceClause[] {
  const unions: SourceClause[] = [];
  for (const [at, clause] of clauses.entries()) {
    const before = clauses[at - 1];
    if (before === undefined || before.sentence !== clause.sentence) continue;
    if (!(clause.subjectless || (clause.pointsBack !== null && /^(?:which|who|that|where)$/.test(clause.pointsBack))))
      continue;
    if (before.quantities.length > 0 && clause.quantities.length > 0) continue;
    unions.push({
      ...before,
      last: clause.last,
      content: [...before.content, ...clause.content],
      quantities: [...before.quantities, ...clause.quantities],
      cues: [...before.cues, ...clause.cues],
      negated: before.negated || clause.negated,
      passive: before.passive || clause.passive,
      isUnion: true,
    });
  }
  return unions;
}
