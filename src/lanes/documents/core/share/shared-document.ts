/**
 * An approved record as it goes to the catalog server and from there to other workstations. What was approved last counts,
 * whichever arrives last.
 */
import * as v from 'valibot';
import type { ManifestEntry } from '#core/documents/manifest-form.ts';
import { changesPageOf, Count, Sha256, Time } from '#core/sync/fields.ts';

const Words = v.pipe(v.string(), v.maxLength(5_000));

export const SharedDocumentSchema = v.object({
  /** SHA-256 of the file as it first came. */
  id: Sha256,
  filename: Words,
  title: Words,
  authors: v.pipe(v.array(v.pipe(v.string(), v.maxLength(500))), v.maxLength(5_000)),
  publication: Words,
  date: v.pipe(v.string(), v.maxLength(40)),
  year: v.nullable(v.pipe(v.number(), v.safeInteger())),
  doi: Words,
  isbn: v.pipe(v.string(), v.maxLength(40)),
  pdf_url: Words,
  source_url: Words,
  notes: v.pipe(v.string(), v.maxLength(20_000)),
  tags: v.pipe(v.array(v.pipe(v.string(), v.maxLength(500))), v.maxLength(500)),
  /** Where the record is from; null where nobody says. */
  source: v.nullable(v.pipe(v.string(), v.maxLength(200))),
  /** The PDF as it is kept there; null: the record alone. */
  content: v.nullable(v.object({ sha256: Sha256, size: Count })),
  /** When it was approved (milliseconds). */
  approved_at: Time,
});
export type SharedDocument = v.InferOutput<typeof SharedDocumentSchema>;

/** What a workstation sends: records, and those that were taken back. */
export const ShareSchema = v.object({
  put: v.pipe(v.array(SharedDocumentSchema), v.maxLength(100)),
  gone: v.pipe(v.array(v.object({ id: Sha256, approved_at: Time })), v.maxLength(100)),
});
export type Share = v.InferOutput<typeof ShareSchema>;

export const SharedSchema = v.object({ put: Count, gone: Count });

export const DOCUMENT_KIND = 'document';
export const DocumentChangesPageSchema = changesPageOf(v.string());
export type DocumentChangesPage = v.InferOutput<typeof DocumentChangesPageSchema>;

/** Bytes: larger ones are not written into either. */
export const LARGEST_CONTENT = 200_000_000;

export function sharedOf(
  { id, filename, title, authors, publication, date, year, doi, isbn, pdf_url, source_url, notes, tags }: ManifestEntry,
  more: Pick<SharedDocument, 'source' | 'content' | 'approved_at'>,
): SharedDocument {
  return {
    ...{ id, filename, title, authors, publication, date, year, doi, isbn, pdf_url, source_url, notes, tags },
    ...more,
  };
}
