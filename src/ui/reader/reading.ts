/** What a reader opens. Types alone, so that a page knows them before the reader is loaded. */
import type { PdfBox } from '#core/ingest/pdf.ts';
import type { Result } from '#core/result.ts';

export interface Reading {
  /** As its head says it. */
  path: string;
  /** Its bytes, which are taken away from whoever has them. */
  content(): Promise<Result<ArrayBuffer>>;
  /** Of a document that opens with one alone. */
  password?: string | null;
  /** Where it opens, from 1. */
  page: number;
  /** What is outlined there; null: nothing. */
  box: PdfBox | null;
  /** What stands above the pages: why it was opened here. */
  about: { label: string; words: string } | null;
  /** Places of a page's text that are marked, on whichever page is shown. */
  marks?(text: string): readonly { start: number; end: number }[];
}
