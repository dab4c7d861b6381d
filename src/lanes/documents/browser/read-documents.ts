/** The documents of a folder or a drop: identified one after the other, looked up beside that. Nothing is written. */
import { AccessionError, failed, messageOf } from '#core/errors.ts';
import { LockedPdf, type PdfText } from '#core/ingest/pdf.ts';
import type { FileTree, TreeEntry } from '#core/plan/file-tree.ts';
import { contentOf, sha256Of } from '#core/plan/replace-content.ts';
import type { Cancel } from '#core/ports.ts';
import type { Lookup, LookupAnswer } from '#lanes/documents/core/lookup/lookup.ts';
import type { Identifier } from '#lanes/documents/core/lookup/source.ts';
import { identifyPdf, type IdentifiedPdf } from '#lanes/documents/core/pdf/identify-pdf.ts';
import { ownRecord } from '#core/documents/own-record.ts';
import { EMPTY_RECORD } from '#core/documents/record.ts';
import { readIdentifier } from '#lanes/documents/core/identify/identifiers.ts';
import { isTrash } from '#lanes/documents/core/plan/document-plan.ts';
import { askedOfAll, choicesOf, identifiedAs } from '#lanes/documents/core/plan/open-readings.ts';
import { withDouble } from '#lanes/documents/core/plan/doubles.ts';
import { titleToFind } from '#lanes/documents/core/plan/find-by-title.ts';
import { proposalOf, withOwnRecord } from '#lanes/documents/core/plan/propose.ts';
import { askedFor, LARGEST } from '#lanes/documents/core/plan/scan-folder.ts';
import { decodeTextFile } from '#adapters/media/legacy-text.ts';
import { identifyWritten } from '#lanes/documents/core/written/identify-written.ts';
import {
  documentsAmong,
  formOf,
  isPdfPath,
  LARGEST_WRITTEN,
  NOT_WRITTEN,
} from '#lanes/documents/core/written/written-file.ts';
import { whyNotWritable } from '#lanes/documents/core/write/writable.ts';
import type { DocumentRow } from './documents-api.types.ts';

/** A document as it was read; `identified` null: it could not be. */
export interface ReadDocument {
  row: DocumentRow;
  identified: IdentifiedPdf | null;
}

export interface Reading {
  tree: FileTree;
  reader: PdfText;
  /** The id of a content. */
  idOf: (sha256: string) => string;
  /** Ids that the manifest has as processed. */
  done: ReadonlySet<string>;
  cancel: Cancel;
  /** Of a document that opens with one alone. */
  password?: string;
}

/** Files that may be documents. */
export const documentsIn = (entries: readonly TreeEntry[]): TreeEntry[] =>
  documentsAmong(entries.filter(({ kind, path }) => kind === 'file' && !isTrash(path)));

/** Of a folder, what is no PDF and names no identifier is some other file. */
export const isOther = ({ row: { path, asked, choices } }: ReadDocument): boolean =>
  !isPdfPath(path) && asked === null && choices.length === 0;

/** What is known of a document before it is read. */
export function unread({ path, size, modified }: TreeEntry): DocumentRow {
  return {
    ...{ path, size, modified, id: '', phase: 'reading', asked: null, choices: [], own: EMPTY_RECORD, evidence: [] },
    ...{ candidates: [], title: '' },
    proposal: { sure: 'unknown', record: null, source: null, reasons: [] },
    ...{ whyNot: null, doubleOf: null, maybeTwice: null, done: false, locked: false },
  };
}

/** What cannot be read is a row with the reason. Throws AccessionError `cancelled`. */
export async function readDocument(
  entry: TreeEntry,
  { tree, reader, idOf, done, cancel, password }: Reading,
): Promise<ReadDocument> {
  const row = unread(entry);
  let id = '';
  try {
    if (entry.size === 0) throw failed('file_damaged', 'it is empty');
    if (entry.size > LARGEST) throw failed('file_unreadable', `it is larger than ${LARGEST / 1_000_000} MB`);
    const bytes = await contentOf(tree, entry.path);
    id = idOf(await sha256Of(bytes));
    const form = isPdfPath(entry.path) ? null : formOf(entry.path);
    if (form !== null) {
      if (bytes.length > LARGEST_WRITTEN) throw failed('file_unreadable', 'it is too large to be a paper');
      const { identified, own } = identifyWritten(decodeTextFile(bytes), form);
      const read = readingOf(identified, own);
      return {
        row: answered({ ...row, ...read, id, whyNot: NOT_WRITTEN, done: done.has(id) }, identified, null),
        identified,
      };
    }
    const pdf = await reader.open(bytes, password);
    try {
      const own = ownRecord(await pdf.facts(), readIdentifier);
      const identified = await identifyPdf(pdf, cancel);
      const read = { ...readingOf(identified, own), id, whyNot: whyNotWritable(bytes), done: done.has(id) };
      return { row: answered({ ...row, ...read }, identified, null), identified };
    } finally {
      await pdf.close();
    }
  } catch (error) {
    if (error instanceof AccessionError && error.failure.code === 'cancelled') throw error;
    const reason = error instanceof AccessionError ? error.failure.message : messageOf(error);
    const proposal = { sure: 'unknown', record: null, source: null, reasons: [sentence(reason)] } as const;
    const known = { id, whyNot: reason, locked: error instanceof LockedPdf };
    return {
      row: { ...row, ...known, phase: 'ready', proposal: { ...proposal, reasons: [...proposal.reasons] } },
      identified: null,
    };
  }
}

const readingOf = (identified: IdentifiedPdf, own: DocumentRow['own']) => ({
  ...{ own, evidence: identified.evidence, asked: askedFor(identified) },
  ...{ choices: choicesOf(identified), title: titleToFind(own, identified) },
});

const sentence = (reason: string): string => `${reason.charAt(0).toUpperCase()}${reason.slice(1).replace(/\.$/, '')}.`;

/** The row with what a source said; null: nobody was asked. */
export function answered(row: DocumentRow, identified: IdentifiedPdf, answer: LookupAnswer | null): DocumentRow {
  const proposal = withOwnRecord(proposalOf(identified, answer), row.own, identified, answer);
  return { ...row, phase: 'ready', proposal: withDouble(proposal, row.maybeTwice) };
}

/** Asked by the person's own word, or by the document's. Throws AccessionError `invalid`, and `cancelled`. */
export async function lookedUp({ row, identified }: ReadDocument, lookup: Lookup): Promise<ReadDocument> {
  if (identified === null) return { row: { ...row, phase: 'ready' }, identified };
  if (row.asked === null) return chosenOf({ ...row, phase: 'ready' }, identified, lookup);
  return { row: answered(row, identified, await lookup.find(row.asked)), identified };
}

/** Where nothing in it tells which it is, the registered title on its first pages does; else a person chooses. */
async function chosenOf(row: DocumentRow, identified: IdentifiedPdf, lookup: Lookup): Promise<ReadDocument> {
  if (row.choices.length === 0) return { row, identified };
  const { own, choices } = await askedOfAll(identified, row.choices, lookup);
  if (own === null) return { row: { ...row, choices }, identified };
  const as = identifiedAs(identified, own);
  return { row: answered({ ...row, asked: own, choices: [] }, as, await lookup.find(own)), identified: as };
}

/** The document as what the person says that it is. */
export function renamedTo({ row, identified }: ReadDocument, asked: Identifier): ReadDocument {
  const nothing: IdentifiedPdf = {
    ...{ doi: null, arxiv: null, isbn: [], evidence: [], readings: [], hasText: true, front: '' },
  };
  return {
    row: { ...row, asked, choices: [], candidates: [] },
    identified: identifiedAs(identified ?? nothing, asked),
  };
}
