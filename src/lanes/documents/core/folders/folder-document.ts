/** A document of a folder of the server, as it was scanned: what `documents scan --json` prints and the server answers. */
import * as v from 'valibot';
import { DocumentRecordSchema } from '#core/documents/record.ts';
import { ProblemSchema } from '#core/sync/plan-protocol.ts';
import { Count, IdSchema, listOf, Sha256, Time } from '#core/sync/fields.ts';
import type { ScannedFile } from '../plan/scan-folder.ts';

/** Of one plan. */
const MOST_DECIDED = 2000;

const Place = v.nullable(v.pipe(v.number(), v.finite()));
const FolderEvidenceSchema = v.object({
  field: v.picklist(['doi', 'arxiv', 'isbn', 'title']),
  value: v.string(),
  kind: v.picklist(['xmp', 'info', 'link', 'text', 'margin', 'footer', 'meta', 'file-name']),
  page: Place,
  box: v.nullable(v.pipe(v.tuple([v.number(), v.number(), v.number(), v.number()]), v.readonly())),
  words: v.string(),
});

/** `title`: as it is registered; '' where that is not known. */
const ChoiceSchema = v.object({
  identifier: v.object({ kind: v.picklist(['doi', 'arxiv', 'isbn']), value: v.string() }),
  title: v.string(),
});

export const FolderDocumentSchema = v.object({
  /** Below the folder. */
  path: v.string(),
  /** Bytes. */
  size: Count,
  /** Milliseconds since the epoch; 0 where unknown. */
  modified: v.optional(v.number(), 0),
  /** SHA-256 of the file as it first came. */
  id: Sha256,
  sure: v.picklist(['strong', 'unsure', 'unknown']),
  record: v.nullable(DocumentRecordSchema),
  source: v.nullable(v.string()),
  /** Sentences. */
  reasons: v.array(v.string()),
  evidence: v.array(FolderEvidenceSchema),
  /** What it may be, where nothing tells which: a person chooses. Rows of before there was this do not say it. */
  choices: v.optional(v.array(ChoiceSchema), []),
  /** Why nothing is written into it, as a part of a sentence; null: it may be. */
  why_not: v.nullable(v.string()),
  /** The path of another file with the same content. */
  double_of: v.nullable(v.string()),
  /** It stands in the folder's manifest as processed. Rows of before there was this do not say it. */
  done: v.optional(v.boolean(), false),
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

/** What is decided about documents of a folder of the server; what is not named is left as it is. */
export const DecideFolderSchema = v.object({
  decided: v.pipe(
    v.array(
      v.object({
        path: v.pipe(v.string(), v.maxLength(4096)),
        action: v.picklist(['write', 'skip', 'remove']),
        /** The person's, where it is another one than the scan proposed. */
        record: v.optional(DocumentRecordSchema),
        /** Of that record; absent: nobody's. */
        source: v.optional(v.nullable(v.pipe(v.string(), v.maxLength(200)))),
      }),
    ),
    v.maxLength(MOST_DECIDED),
  ),
  /** Files get names that say title and year. */
  rename: v.optional(v.boolean(), true),
  /** What of it other workstations get: records, and their PDFs where that is wished. */
  share: v.optional(v.picklist(['nothing', 'records', 'pdfs']), 'records'),
});
export type DecideFolder = v.InferInput<typeof DecideFolderSchema>;

/** The plan of it: confirmed by `POST /api/updatePlan` with this hash. */
export const DecidedFolderSchema = v.object({
  planId: v.string(),
  hash: Sha256,
  /** What is in its way, in sentences: it cannot be confirmed then. */
  problems: v.array(ProblemSchema),
  /** Names below the folder; `to` in the trash where it is removed. */
  files: v.array(
    v.object({ path: v.string(), to: v.string(), action: v.picklist(['write', 'remove']), skipped: v.boolean() }),
  ),
});
export type DecidedFolder = v.InferOutput<typeof DecidedFolderSchema>;

export const DocumentFoldersSchema = v.object({ items: v.array(DocumentFolderSchema) });
export const FolderDocumentsSchema = listOf(FolderDocumentSchema);

/** So much of the evidence is shown. */
const SHOWN = 20;

export function folderDocument(
  { path, size, modified, id, proposal: { sure, record, source, reasons }, identified, choices, whyNot }: ScannedFile,
  { double, done }: { double: string | null; done: boolean },
): FolderDocument {
  const evidence = (identified?.evidence ?? []).slice(0, SHOWN);
  return {
    path,
    size,
    modified,
    id,
    sure,
    record,
    source,
    reasons,
    evidence,
    choices: [...choices],
    why_not: whyNot,
    double_of: double,
    done,
  };
}
