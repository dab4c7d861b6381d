import type { PdfPage } from '#core/ingest/pdf.ts';
import type { Cancel } from '#core/ports.ts';

/** What the PDF ingester needs of a reader of PDFs. */
export interface PdfReader {
  /** The pages in their order. Throws AccessionError: `file_damaged`, or `file_unreadable` for a password. */
  pages(bytes: Uint8Array, cancel: Cancel): Promise<PdfPage[]>;
}
