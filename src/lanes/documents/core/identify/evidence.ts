import type { PdfBox } from '#core/ingest/pdf.ts';

/** Where an identifier was observed. */
export type EvidenceKind = 'xmp' | 'info' | 'link' | 'text' | 'margin' | 'footer' | 'meta' | 'file-name';

/** One observed fact with its source. */
export interface DocumentEvidence {
  field: 'doi' | 'arxiv' | 'isbn' | 'title';
  value: string;
  kind: EvidenceKind;
  /** From 1; null outside the pages. */
  page: number | null;
  /** Points, from the page's lower left corner. */
  box: PdfBox | null;
  /** The words around it. */
  words: string;
}
