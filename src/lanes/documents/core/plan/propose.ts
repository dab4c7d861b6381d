/** What is proposed for a document: how sure its record is, and why. */
import { foldText } from '#core/text/fold.ts';
import type { LookupAnswer } from '../lookup/lookup.ts';
import { isProgramsTitle } from '#core/documents/own-record.ts';
import type { DocumentRecord } from '#core/documents/record.ts';
import type { ManifestEntry } from '#core/documents/manifest-form.ts';
import type { Identifier } from '../lookup/source.ts';
import type { IdentifiedPdf } from '../pdf/identify-pdf.ts';

export interface Proposal {
  /** `strong`: its registered title stands on its first pages. `unsure`: a person decides. `unknown`: nothing is known. */
  sure: 'strong' | 'unsure' | 'unknown';
  record: DocumentRecord | null;
  source: string | null;
  /** Sentences for a person. */
  reasons: string[];
}

/** A title of fewer letters stands on many pages. */
const LEAST_TITLE = 8;

/** Whether a registered title stands in the text of the first pages. */
export function titleStands(registered: string, front: string): boolean {
  const title = foldText(registered).replaceAll(' ', '');
  return title.length >= LEAST_TITLE && foldText(front).replaceAll(' ', '').includes(title);
}

/** `answer` null: it was not looked up. */
export function proposalOf(
  { doi, arxiv, isbn, front, hasText, readings }: IdentifiedPdf,
  answer: LookupAnswer | null,
): Proposal {
  const none = { record: null, source: null };
  const own = [doi, arxiv, ...isbn].filter((one) => one !== null).join(', ');
  if (own === '') {
    const open = [...new Set(readings.filter(({ weight }) => weight > 0).map(({ value }) => value))];
    const why =
      open.length > 0 ? `It may be ${open.join(' or ')}: nothing tells which.` : 'It names no identifier of its own.';
    return {
      ...none,
      sure: open.length > 0 ? 'unsure' : 'unknown',
      reasons: [hasText ? why : 'It has no text layer.'],
    };
  }
  if (answer === null) return { ...none, sure: 'unsure', reasons: [`${own} was not looked up.`] };
  if (answer.outcome !== 'found') return { ...none, sure: 'unsure', reasons: [`${own}: ${answer.why}`] };
  const { record, source, notices } = answer;
  const stands = titleStands(record.title, front);
  const reasons = [
    stands
      ? `${own}: its registered title stands on the first pages.`
      : `${own} is registered as "${record.title}", which does not stand on the first pages.`,
    ...notices,
  ];
  return { sure: stands ? 'strong' : 'unsure', record, source, reasons };
}

/** What each of several readings is registered as, said for a person. */
export function withChoices(
  proposal: Proposal,
  choices: readonly { identifier: Identifier; title: string }[],
): Proposal {
  const said = choices.flatMap(({ identifier, title }) =>
    title === '' ? [] : [`${identifier.value} is registered as "${title}".`],
  );
  return said.length === 0 ? proposal : { ...proposal, reasons: [...proposal.reasons, ...said] };
}

/** What is proposed after a model was asked: never surer than `unsure`. */
export const withAdvice = (proposal: Proposal, said: string): Proposal => ({
  ...proposal,
  sure: proposal.sure === 'strong' ? 'unsure' : proposal.sure,
  reasons: [...proposal.reasons, said],
});

/** Where nobody could be asked, the document's own word stands, marked so; what a source denies stays without a record. */
export function withOwnRecord(
  proposal: Proposal,
  own: DocumentRecord,
  { doi, isbn }: Pick<IdentifiedPdf, 'doi' | 'isbn'>,
  answer: LookupAnswer | null,
): Proposal {
  if (
    proposal.record !== null ||
    own.title === '' ||
    isProgramsTitle(own.title) ||
    (answer !== null && answer.outcome !== 'later')
  )
    return proposal;
  const record = { ...own, doi: doi ?? own.doi, isbn: isbn[0] ?? own.isbn };
  const sure = proposal.sure === 'unknown' ? 'unknown' : 'unsure';
  return { ...proposal, sure, record, source: OWN_WORD };
}

/** The source of a record that nobody but the document says. */
export const OWN_WORD = 'the document itself';

/** As the manifest keeps it. */
export function entryOf(
  record: DocumentRecord,
  { id, filename, retrievedAt, notes }: { id: string; filename: string; retrievedAt: string; notes: string },
): ManifestEntry {
  return { id, filename, ...record, processed: true, retrieved_at: retrievedAt, notes, tags: [] };
}
