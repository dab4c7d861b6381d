/** Whether one clause of a sentence is carried by one clause of its quotes. */
import { sameQuantity, type Quantity } from '../words/quantities.ts';
import { unitOf } from '../words/units.ts';
import type { Clause, ContentWord } from './clause.types.ts';
import { areOpposite, isLight, saySame } from './opposites.ts';
import type { SourceClause } from './source-clauses.ts';
import type { Fault } from './verdict.types.ts';

/** A clause as somebody says it, with the subject that it has from the clause before. */
export interface SaidClause extends Clause {
  subject: readonly ContentWord[];
  /** Groups of all conditions that the sentence has. */
  conditions: ReadonlySet<string>;
}

interface Match {
  said: ContentWord;
  source: ContentWord;
  /** Of the clause itself, not of what it has from others. */
  isOwn: boolean;
}

export function faultsOf(said: SaidClause, source: SourceClause): Fault[] {
  const { matches, faults } = matchWords(said, source);
  faults.push(...quantityFaults(said, source));
  faults.push(...negationFaults(said, source, matches));
  faults.push(...cueFaults(said, source, matches));
  faults.push(...roleFaults(said, source, matches));
  return faults;
}

const sayTheSame = (said: ContentWord, source: ContentWord): boolean =>
  saySame(said.key, source.key) ||
  said.lower === source.lower ||
  source.parts.includes(said.key) ||
  (said.parts.length > 0 && said.parts.every((part) => source.parts.includes(part)));

/** Words of a heading that a sentence may have beside its quotes. */
const MOST_OF_HEADING = 3;

function matchWords(said: SaidClause, source: SourceClause): { matches: Match[]; faults: Fault[] } {
  const matches: Match[] = [];
  const faults: Fault[] = [];
  let ofHeading = 0;
  for (const word of [...said.subject, ...said.content]) {
    const own = bestOf(word, source.content);
    const shared = own === undefined ? bestOf(word, source.shared) : undefined;
    if (own !== undefined) matches.push({ said: word, source: own, isOwn: true });
    else if (shared !== undefined) matches.push({ said: word, source: shared, isOwn: false });
    else if (isInHeading(word, source) && (!word.isName || source.isOpen) && ofHeading < MOST_OF_HEADING)
      ofHeading += 1;
    else if (word.isName) faults.push({ kind: 'name', text: `No quote names ${word.text} there.` });
    else {
      const opposite = source.content.find(
        ({ key, lower }) => areOpposite(word.lower, lower) || areOpposite(word.key, key),
      );
      if (opposite !== undefined)
        faults.push({ kind: 'opposite', text: `It says “${word.text}”, its quote “${opposite.text}”.` });
      else if (!isLight(word.key)) faults.push({ kind: 'words', text: `No quote says “${word.text}” there.` });
    }
  }
  // Somebody else than the quote speaks of.
  if (!said.passive && !source.passive && source.subject.length > 0 && said.content.length > 0) {
    const has = source.subject.some((one) => matches.some((match) => match.source === one));
    if (!has)
      faults.push({
        kind: 'other clause',
        text: `Its quote speaks of ${source.subject.map(({ text }) => text).join(' ')}.`,
      });
  }
  return { matches, faults };
}

function bestOf(word: ContentWord, among: readonly ContentWord[]): ContentWord | undefined {
  const all = among.filter((one) => sayTheSame(word, one));
  return all.find(({ role, negated }) => role === word.role && negated === word.negated) ?? all[0];
}

const isInHeading = (word: ContentWord, { heading }: SourceClause): boolean =>
  heading.has(word.key) ||
  word.parts.some((part) => heading.has(part)) ||
  [...heading].some((key) => saySame(word.key, key));

function quantityFaults(said: SaidClause, source: SourceClause): Fault[] {
  const faults: Fault[] = [];
  const places: number[] = [];
  for (const one of said.quantities) {
    const at = source.quantities.findIndex(
      (other, place) => !places.includes(place) && (sameQuantity(one, other) || sameInUnitsOf(one, other, source)),
    );
    if (at < 0 && source.sharedQuantities.some((other) => sameQuantity(one, other))) {
      places.push(-2);
      continue;
    }
    places.push(at);
    const kind = one.kind === 'date' ? 'date' : 'number';
    if (at < 0) faults.push({ kind, text: `No quote says ${one.text} there.` });
    const role = source.quantities[at]?.role ?? null;
    if (at >= 0 && one.role !== null && role !== null && roleGroup(one.role) !== roleGroup(role))
      faults.push({ kind, text: `It says “${one.role} ${one.text}”, its quote “${role} ${one.text}”.` });
    const counted = at < 0 ? null : countedBy(said, one);
    const countedThere = at < 0 ? null : countedBy(source, source.quantities[at] ?? one);
    if (
      one.kind === 'amount' &&
      one.unit === null &&
      counted !== null &&
      countedThere !== null &&
      !sayTheSame(counted, countedThere) &&
      !source.content.some(
        (other) => sayTheSame(counted, other) && Math.abs(other.at - (source.quantities[at]?.last ?? 0)) <= 4,
      )
    )
      faults.push({ kind, text: `Its quote counts ${countedThere.text}, not ${counted.text}.` });
  }
  if (faults.length === 0 && !areBoundAlike(said.quantities, places, source.quantities))
    faults.push({ kind: 'other clause', text: 'Its numbers belong to something else in its quote.' });
  return faults;
}

/** The word that a number counts: the next one of its clause, at most three words on. */
function countedBy(clause: Pick<Clause, 'content'>, { last }: Quantity): ContentWord | null {
  return clause.content.find(({ at, isVerb }) => at > last && at <= last + 3 && !isVerb) ?? null;
}

/** `RETRY_SECONDS = 30`, a table in crowns: the unit stands in the name or the heading. */
function sameInUnitsOf(said: Quantity, source: Quantity, { content, heading }: SourceClause): boolean {
  if (source.unit !== null || said.unit === null || source.kind !== 'amount' || said.kind !== 'amount') return false;
  const names = [...content.flatMap(({ parts, lower }) => [lower, ...parts]), ...heading];
  return names.some((name) => {
    const unit = unitOf(name, false) ?? unitOf(`${name}s`, false);
    return (
      unit !== null &&
      unit.dimension === said.unit?.dimension &&
      Math.abs(source.value * unit.factor - said.value) < 1e-9 * Math.max(1, said.value)
    );
  });
}

/** Amounts and dates that stand together in the quote stand together here, and amounts keep their order where nothing else says which is which. */
function areBoundAlike(said: Clause['quantities'], places: readonly number[], source: Clause['quantities']): boolean {
  const there = pairsOf(source);
  const here = pairsOf(said).map(([one, other]): [number, number] => [places[one] ?? -1, places[other] ?? -1]);
  if (there.length >= 2)
    for (const [one, other] of here)
      if (!there.some(([a, b]) => (a === one && b === other) || (a === other && b === one))) return false;
  const amounts = said.flatMap((one, at) => (one.kind === 'date' ? [] : [{ one, place: places[at] ?? -1 }]));
  return amounts.every(
    ({ one, place }, at) => at === 0 || one.role !== null || place < 0 || place > (amounts[at - 1]?.place ?? -1),
  );
}

/** Which amount belongs to which date: they take turns, and the first says which comes first. */
function pairsOf(quantities: readonly Quantity[]): [number, number][] {
  const pairs: [number, number][] = [];
  for (let at = 0; at + 1 < quantities.length; at += 2) {
    const [one, other] = [quantities[at], quantities[at + 1]];
    if (one === undefined || other === undefined || (one.kind === 'date') === (other.kind === 'date')) return pairs;
    pairs.push([at, at + 1]);
  }
  return pairs;
}

const ROLE_GROUPS = [
  ['until', 'till', 'to'],
  ['from', 'since'],
  ['above', 'over', 'beyond'],
  ['below', 'under'],
  ['during', 'in', 'within'],
];
const roleGroup = (role: string): string => ROLE_GROUPS.find((group) => group.includes(role))?.[0] ?? role;

function negationFaults(said: SaidClause, source: SourceClause, matches: readonly Match[]): Fault[] {
  if (said.negated !== source.negated)
    return [
      {
        kind: 'negation',
        text: said.negated ? 'It denies what its quote does not.' : 'Its quote denies what it says.',
      },
    ];
  const differs = matches.some(({ said: one, source: other, isOwn }) => {
    const word = (one.negated === 'word') !== (other.negated === 'word');
    const verb =
      one.isVerb && other.isVerb && (one.negated === 'clause') !== (other.negated === 'clause') && source.isUnion;
    return isOwn && (word || verb);
  });
  return differs ? [{ kind: 'negation', text: 'It denies another thing than its quote.' }] : [];
}

/** Quantifiers that say less when they go. */
const KEPT = new Set([
  'some',
  'most',
  'many',
  'few',
  'half',
  'only',
  'about',
  'least',
  'at most',
  'more than',
  'less than',
  'within',
  'exactly',
  'again',
]);

function cueFaults(said: SaidClause, source: SourceClause, matches: readonly Match[]): Fault[] {
  const faults: Fault[] = [];
  const has = (clause: Pick<Clause, 'cues'>, kind: string, group: string): boolean =>
    clause.cues.some((cue) => cue.kind === kind && (cue.group === group || (group === 'any' && cue.group === 'all')));
  for (const { kind, group } of said.cues) {
    if (kind === 'negation') continue;
    if (kind === 'cause') {
      const carried =
        source.cues.some((cue) => cue.kind === 'cause') || (source.side !== null && said.side === source.side);
      if (!carried) faults.push({ kind: 'cause', text: 'No quote gives that cause.' });
    } else if (kind === 'condition') {
      if (!source.conditions.has(group)) faults.push({ kind: 'condition', text: 'No quote has that condition.' });
    } else if (!has(source, kind, group)) faults.push({ kind, text: `No quote says “${group}” there.` });
  }
  for (const group of source.conditions)
    if (!said.conditions.has(group)) faults.push({ kind: 'condition', text: 'Its quote says it under a condition.' });
  if (said.side !== null && source.side !== null && said.side !== source.side)
    faults.push({ kind: 'cause', text: 'Cause and effect are exchanged.' });
  for (const { kind, group, at, length } of source.cues) {
    if (kind === 'hedge' && !has(said, kind, group))
      faults.push({ kind, text: `Its quote says it with reserve (${group}).` });
    if (
      kind === 'quantifier' &&
      KEPT.has(group) &&
      !has(said, kind, group) &&
      isUsed(at, length, source, matches, said)
    )
      faults.push({ kind, text: `Its quote says “${group}” there.` });
  }
  return faults;
}

/** Whether what stands right behind (or before) a quantifier is said. */
function isUsed(
  at: number,
  length: number,
  source: SourceClause,
  matches: readonly Match[],
  said: SaidClause,
): boolean {
  const near = (place: number): boolean => place >= at - 2 && place <= at + length + 3;
  if (matches.some((match) => match.isOwn && near(match.source.at))) return true;
  return source.quantities.some((one) => near(one.first) && said.quantities.some((other) => sameQuantity(other, one)));
}

/** Prepositions that a sentence may not bring. */
const RELATIONS = new Set([
  'before',
  'after',
  'above',
  'below',
  'over',
  'under',
  'until',
  'since',
  'against',
  'without',
  'inside',
  'outside',
  'beyond',
  'except',
]);

function roleFaults(said: SaidClause, source: SourceClause, matches: readonly Match[]): Fault[] {
  const faults: Fault[] = [];
  const rolesThere = new Set(
    [...source.content, ...source.shared, ...source.quantities].flatMap(({ role }) =>
      role === null ? [] : [roleGroup(role)],
    ),
  );
  for (const { role, text } of [...said.content, ...said.quantities])
    if (role !== null && RELATIONS.has(role) && !rolesThere.has(roleGroup(role)))
      faults.push({ kind: 'words', text: `No quote says “${role} ${text}”.` });
  for (const { said: one, source: other, isOwn } of matches) {
    if (!isOwn) continue;
    const [here, there] = [one.role, other.role].map((role) => (role === null ? null : roleGroup(role)));
    if (here === there || here === undefined || there === undefined) continue;
    const swapped = here !== null && there !== null && !(here === 'by' || there === 'by');
    const lost = here !== null && /^(?:than|cause|from|until)$/.test(here) && rolesThere.has(here) && there === null;
    const agent = here === 'by' && there === null && rolesThere.has('by') && said.passive === source.passive;
    if (swapped || lost || agent)
      faults.push({ kind: 'other clause', text: `“${one.text}” has another part in its quote.` });
  }
  if (isTurned(said, source, matches))
    faults.push({ kind: 'other clause', text: 'Who does it and to whom are exchanged.' });
  return faults;
}

/** Words around a verb that have changed sides, in the same voice; or kept them in the other. */
function isTurned(said: SaidClause, source: SourceClause, matches: readonly Match[]): boolean {
  const own = matches.filter(({ isOwn }) => isOwn);
  const verbs = own.filter(({ said: one, source: other }) => one.isVerb || other.isVerb);
  const things = own.filter(({ said: one, source: other }) => !one.isVerb && !other.isVerb && one.role === null);
  const sameVoice = said.passive === source.passive;
  for (const verb of verbs)
    for (const before of things)
      for (const behind of own) {
        if (
          before.said.at >= verb.said.at ||
          behind.said.at <= verb.said.at ||
          behind.said.isVerb ||
          behind.source.isVerb
        )
          continue;
        if (before.source === behind.source) continue;
        const turned = behind.source.at < verb.source.at && before.source.at > verb.source.at;
        if (sameVoice && turned && before.source.role === null && behind.source.role === null) return true;
        const kept = before.source.at < verb.source.at && behind.source.at > verb.source.at;
        if (!sameVoice && kept && (behind.said.role === 'by' || behind.source.role === 'by')) return true;
      }
  return false;
}
