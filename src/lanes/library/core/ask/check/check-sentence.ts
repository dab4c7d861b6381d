/**
 * Whether a sentence may be said: its quotes stand in their sources, and each of its clauses is carried by one clause of
 * them: its amounts, dates and names, its words, and no word that changes the sense comes or goes.
 */
import type { Sentence } from '../answer/answer.types.ts';
import type { Evidence } from '../evidence/evidence.types.ts';
import { faultsOf, type SaidClause } from './carry.ts';
import type { Clause } from './clause.types.ts';
import { readText } from './clauses.ts';
import { findQuote } from './find-quote.ts';
import { sourceClauses, subjectOf, type SourceClause } from './source-clauses.ts';
import type { Fault, Verdict } from './verdict.types.ts';

/** `evidence`: the sources that may be quoted. */
export function checkSentence({ text, quotes }: Sentence, evidence: readonly Evidence[]): Verdict {
  if (quotes.length === 0) return verdict([{ kind: 'no quote', text: 'It has no quote.' }]);
  const missing: Fault[] = [];
  const clauses: SourceClause[] = [];
  for (const quote of quotes) {
    const source = evidence.find(({ source_id }) => source_id === quote.source_id);
    const found = source === undefined ? null : findQuote(source, quote.text);
    if (found === null)
      missing.push({ kind: 'quote not in its source', text: `Its source does not say “${quote.text}”.` });
    else clauses.push(...sourceClauses(found));
  }
  if (missing.length > 0) return verdict(missing);
  return verdict(saidClauses(text).flatMap((clause) => leastFaults(clause, clauses)));
}

const verdict = (faults: Fault[]): Verdict => ({ supported: faults.length === 0, faults });

/** What is wrong with a clause beside the clause of the quotes that carries it best. */
function leastFaults(said: SaidClause, clauses: readonly SourceClause[]): Fault[] {
  let least: Fault[] | null = null;
  for (const clause of clauses) {
    const faults = faultsOf(said, clause);
    if (faults.length === 0) return [];
    if (least === null || faults.length < least.length) least = faults;
  }
  return least ?? [];
}

/** The clauses of what is said that say something, each with the subject that it shares. */
function saidClauses(text: string): SaidClause[] {
  const { clauses } = readText(text.replaceAll(/[*`]/g, ' '));
  const conditions = new Set(
    clauses.flatMap(({ cues }) => cues.filter(({ kind }) => kind === 'condition').map(({ group }) => group)),
  );
  return clauses.flatMap((clause, at) => {
    if (clause.content.length === 0 && clause.quantities.length === 0 && clause.cues.length === 0) return [];
    return [{ ...clause, subject: sharedSubject(clauses, at), conditions }];
  });
}

function sharedSubject(clauses: readonly Clause[], at: number): SaidClause['subject'] {
  const clause = clauses[at];
  if (clause === undefined || at === 0) return [];
  if (clause.pointsBack !== null) return (clauses[at - 1]?.content ?? []).filter(({ isName }) => isName);
  if (!clause.subjectless && !clause.gapped) return [];
  let first = at - 1;
  while (first > 0 && (clauses[first]?.subjectless === true || clauses[first]?.gapped === true)) first -= 1;
  const from = clauses[first];
  if (from === undefined) return [];
  const subject = subjectOf(from);
  return clause.gapped && clause.content.length > 0 ? [] : subject;
}
