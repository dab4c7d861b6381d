/** A source asked through the catalog server, for those that answer no page of another origin: what crosses the wire. */
import * as v from 'valibot';

export const SOURCE_IDS = [
  'crossref',
  'datacite',
  'doi.org',
  'openlibrary',
  'googlebooks',
  'arxiv',
  'openalex',
  'pubmed',
] as const;

/** Those that are asked where nobody says which. */
export const USUAL_SOURCES: readonly string[] = SOURCE_IDS.slice(0, 6);

export const RelayAskSchema = v.object({
  source: v.picklist(SOURCE_IDS),
  kind: v.picklist(['doi', 'isbn', 'arxiv']),
  value: v.pipe(v.string(), v.minLength(1), v.maxLength(1_000)),
});

export const RelayAnswerSchema = v.variant('outcome', [
  v.object({
    outcome: v.literal('answered'),
    status: v.number(),
    headers: v.record(v.string(), v.string()),
    body: v.string(),
    /** When the source said so (milliseconds). */
    at: v.number(),
  }),
  v.object({ outcome: v.literal('later'), why: v.string() }),
]);
export type RelayAnswer = v.InferOutput<typeof RelayAnswerSchema>;
