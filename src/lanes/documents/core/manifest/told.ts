/** What stood behind a record when it was decided: where it came from, and the evidence. */
import * as v from 'valibot';

const EvidenceSchema = v.object({
  field: v.picklist(['doi', 'arxiv', 'isbn', 'title']),
  value: v.string(),
  kind: v.picklist(['xmp', 'info', 'link', 'text', 'margin', 'footer', 'meta', 'file-name']),
  page: v.nullable(v.number()),
  box: v.nullable(v.tuple([v.number(), v.number(), v.number(), v.number()])),
  words: v.string(),
});

/** By the document's id. */
export const ToldSchema = v.record(
  v.string(),
  v.object({
    /** The metadata source, or `the document itself`; null: nobody. */
    source: v.nullable(v.string()),
    evidence: v.array(EvidenceSchema),
  }),
);
export type Told = v.InferOutput<typeof ToldSchema>;
