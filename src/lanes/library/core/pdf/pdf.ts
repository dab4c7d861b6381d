import type { PdfFacts, PdfPage } from '#core/ingest/pdf.ts';
import type { Cancel } from '#core/ports.ts';

export interface ReadPdf {
  pages: PdfPage[];
  /** Null where they are damaged. */
  facts: PdfFacts | null;
}

/** What the PDF ingester needs of a reader of PDFs. */
export interface PdfReader {
  /** The pages in their order. Throws AccessionError: `file_damaged`, or `file_unreadable` for a password. */
  read(bytes: Uint8Array, cancel: Cancel): Promise<ReadPdf>;
}
