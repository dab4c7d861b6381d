/** A document without an identifier of its own, looked for by its title. What is found is shown, and claims nothing. */
import { isProgramsTitle } from '#core/documents/own-record.ts';
import type { DocumentRecord } from '#core/documents/record.ts';
import type { TitleAnswer, TitleCandidate } from '../lookup/by-title.ts';
import type { IdentifiedPdf } from '../pdf/identify-pdf.ts';
import { titleStands } from './propose.ts';

/** One of those that a person may choose. */
export interface ShownCandidate extends TitleCandidate {
  /** Its registered title stands on the first pages. */
  stands: boolean;
}

/** The title to look for, as far as the document says it: its own word, else what stands largest; '' for none. */
export const titleToFind = (own: DocumentRecord, identified: IdentifiedPdf | null): string =>
  own.title !== '' && !isProgramsTitle(own.title) ? own.title : (identified?.headline ?? '');

/** Those whose title stands on the first pages come first. */
export function shownOf({ candidates }: TitleAnswer, identified: IdentifiedPdf | null): ShownCandidate[] {
  return candidates
    .map((one) => ({ ...one, stands: titleStands(one.record.title, identified?.front ?? '') }))
    .toSorted((a, b) => Number(b.stands) - Number(a.stands));
}

/** Why nobody has it, a sentence; null where somebody does. */
export const whyNone = ({ candidates, later }: TitleAnswer): string | null =>
  candidates.length > 0 ? null : (later ?? 'Nobody has a document of this title.');
