/**
 * A doubt about a document: what its reading and the look-ups leave open, put to a model.
 *
 *   DOCUMENT-95 the model is asked only where two or more readings are open, or where the registered title does not stand on
 *               the first pages; it may choose among these readings and name no other
 */
import * as v from 'valibot';
import type { IdentifiedPdf } from '../pdf/identify-pdf.ts';
import type { Choice } from '../plan/open-readings.ts';
import type { Proposal } from '../plan/propose.ts';
import type { Identifier } from '../lookup/source.ts';

const OptionSchema = v.object({
  /** `doi 10.5555/x`. */
  id: v.string(),
  kind: v.picklist(['doi', 'isbn', 'arxiv']),
  value: v.string(),
  /** As it is registered; '' where that is not known. */
  title: v.string(),
  /** What speaks for and against it where it stands. */
  signs: v.string(),
});
export type DocumentOption = v.InferOutput<typeof OptionSchema>;

/** The input of the workflow: JSON, complete. */
export const DocumentDoubtSchema = v.object({
  /** The document, below its folder. */
  path: v.string(),
  question: v.string(),
  /** What stands largest on the first page; '' where nothing does. */
  headline: v.string(),
  options: v.pipe(v.array(OptionSchema), v.minLength(1)),
});
export type DocumentDoubt = v.InferOutput<typeof DocumentDoubtSchema>;

export const DocumentActionSchema = v.strictObject({
  type: v.literal('ChooseIdentifier'),
  option_id: v.string(),
  confidence: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
});
export type DocumentAction = v.InferOutput<typeof DocumentActionSchema>;

/** What is known of a document that a model may be asked about. */
export interface Doubtful {
  path: string;
  identified: IdentifiedPdf | null;
  proposal: Proposal;
  /** Readings that were looked up, where none is claimed. */
  choices: readonly Choice[];
  /** What it was looked up by. */
  asked: Identifier | null;
}

/** More are a list of somebody else's papers. */
const MOST = 4;

/** Null: nothing is in doubt that a model could be asked about. */
export function doubtOf({ path, identified, proposal, choices, asked }: Doubtful): DocumentDoubt | null {
  if (identified === null || !identified.hasText || proposal.sure !== 'unsure') return null;
  const { readings, headline = '' } = identified;
  const signsOf = ({ kind, value }: Identifier): string =>
    (readings.find((one) => one.kind === kind && one.value === value)?.signs ?? []).map(({ text }) => text).join(', ');
  const option = (identifier: Identifier, title: string): DocumentOption => ({
    ...{ id: optionId(identifier), kind: identifier.kind, value: identifier.value, title },
    signs: signsOf(identifier),
  });
  if (asked === null) {
    if (choices.length < 2) return null;
    const options = choices.map(({ identifier, title }) => option(identifier, title));
    return { path, headline, options, question: 'Which of these identifiers is the document’s own?' };
  }
  // Its source has no record, or could not be asked: there is nothing to compare.
  if (proposal.record === null || proposal.record.title === '') return null;
  const others = readings
    .filter(({ kind, value, weight }) => weight > 0 && !(kind === asked.kind && value === asked.value))
    .map(({ kind, value }) => option({ kind, value }, ''));
  const all = [option(asked, proposal.record.title), ...others];
  const options = [...new Map(all.map((one) => [one.id, one])).values()].slice(0, MOST);
  return { path, headline, options, question: 'Is the document what its identifier is registered as?' };
}

export const optionId = ({ kind, value }: Identifier): string => `${kind} ${value}`;
