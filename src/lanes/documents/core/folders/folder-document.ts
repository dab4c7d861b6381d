/** A document of a folder of the server, as it was scanned: what `documents scan --json` prints and the server answers. */
import * as v from 'valibot';
import { DocumentRecordSchema } from '#core/documents/record.ts';
import { Count, IdSchema, listOf, Sha256, Time } from '#core/sync/fields.ts';
import type { ScannedFile } from '../plan/scan-folder.ts';

const Place = v.nullable(v.pipe(v.number(), v.finite()));
const FolderEvidenceSchema = v.object({
  field: v.picklist(['doi', 'arxiv', 'isbn', 'title']),
  value: v.string(),
  kind: v.picklist(['xmp', 'info', 'link', 'text', 'margin', 'footer', 'meta', 'file-name']),
  page: Place,
  box: v.nullable(v.pipe(v.tuple([v.number(), v.number(), v.number(), v.number()]), v.readonly())),
  words: v.string(),
});

export const FolderDocumentSchema = v.object({
  /** Below the folder. */
  path: v.string(),
  /** Bytes. */
  size: Count,
  /** SHA-256 of the file as it first came. */
  id: Sha256,
  sure: v.picklist(['strong', 'unsure', 'unknown']),
  record: v.nullable(DocumentRecordSchema),
  source: v.nullable(v.string()),
  /** Sentences. */
  reasons: v.array(v.string()),
  evidence: v.array(FolderEvidenceSchema),
  /** Why nothing is written into it, as a part of a sentence; null: it may be. */
  why_not: v.nullable(v.string()),
  /** The path of another file with the same content. */
  double_of: v.nullable(v.string()),
});
export type FolderDocument = v.InferOutput<typeof FolderDocumentSchema>;

export const DocumentFolderSchema = v.object({
  id: IdSchema,
  /** The last part of its path. */
  name: v.string(),
  state: v.picklist(['waiting', 'scanning', 'scanned', 'failed']),
  /** Why it failed, a sentence. */
  why: v.nullable(v.string()),
  documents: Count,
  scanned_at: v.nullable(Time),
});
export type DocumentFolder = v.InferOutput<typeof DocumentFolderSchema>;

export const DocumentFoldersSchema = v.object({ items: v.array(DocumentFolderSchema) });
export const FolderDocumentsSchema = listOf(FolderDocumentSchema);

/** So much of the evidence is shown. */
const SHOWN = 20;

export function folderDocument(
  { path, size, id, proposal: { sure, record, source, reasons }, identified, whyNot }: ScannedFile,
  double: string | null,
): FolderDocument {
  const evidence = (identified?.evidence ?? []).slice(0, SHOWN);
  return { path, size, id, sure, record, source, reasons, evidence, why_not: whyNot, double_of: double };
}
