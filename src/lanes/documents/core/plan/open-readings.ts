/** A document of which nothing tells which of several identifiers is its own: each is looked up, and its title decides. */
import type { Lookup } from '../lookup/lookup.ts';
import type { Identifier } from '../lookup/source.ts';
import type { IdentifiedPdf } from '../pdf/identify-pdf.ts';
import { proposalOf } from './propose.ts';

/** One of them, as a person is shown it. */
export interface Choice {
  identifier: Identifier;
  /** As it is registered; '' where that is not known (yet). */
  title: string;
}

/** More are a list of somebody else's papers. */
const MOST = 4;

/** What may be its own, the likeliest first; none where one is claimed. */
export function choicesOf({ doi, arxiv, isbn, readings }: IdentifiedPdf): Choice[] {
  if (doi !== null || arxiv !== null || isbn.length > 0) return [];
  const open = readings.filter(({ weight }) => weight > 0).map(({ kind, value }) => ({ kind, value }));
  const once = new Map(open.map((identifier) => [`${identifier.kind} ${identifier.value}`, identifier]));
  return [...once.values()].slice(0, MOST).map((identifier) => ({ identifier, title: '' }));
}

/** The document as this identifier says. */
export function identifiedAs(identified: IdentifiedPdf, { kind, value }: Identifier): IdentifiedPdf {
  return { ...identified, doi: null, arxiv: null, isbn: [], [kind]: kind === 'isbn' ? [value] : value };
}

/**
 * Looks each of them up. `own`: the only one whose registered title stands on the first pages; null: none, or several.
 * Throws AccessionError `cancelled`.
 */
export async function askedOfAll(
  identified: IdentifiedPdf,
  choices: readonly Choice[],
  lookup: Lookup,
): Promise<{ own: Identifier | null; choices: Choice[] }> {
  const standing: Identifier[] = [];
  const titled: Choice[] = [];
  for (const { identifier } of choices) {
    const answer = await lookup.find(identifier);
    titled.push({ identifier, title: answer.outcome === 'found' ? answer.record.title : '' });
    if (proposalOf(identifiedAs(identified, identifier), answer).sure === 'strong') standing.push(identifier);
  }
  const [own = null] = standing;
  return { own: standing.length === 1 ? own : null, choices: titled };
}
