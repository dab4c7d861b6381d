/** What is known of a document, as the manifest keeps it. Absent texts are empty, an absent year is null. */
import * as v from 'valibot';

export const DocumentRecordSchema = v.object({
  title: v.string(),
  authors: v.array(v.string()),
  /** The journal, the proceedings or the book around it; of a book its publisher. */
  publication: v.string(),
  /** `2019`, `2019-05` or `2019-05-03`: as exact as it is known. */
  date: v.string(),
  year: v.nullable(v.number()),
  doi: v.string(),
  isbn: v.string(),
  pdf_url: v.string(),
  source_url: v.string(),
});
export type DocumentRecord = v.InferOutput<typeof DocumentRecordSchema>;

export const EMPTY_RECORD: DocumentRecord = {
  title: '',
  authors: [],
  publication: '',
  date: '',
  year: null,
  doi: '',
  isbn: '',
  pdf_url: '',
  source_url: '',
};
