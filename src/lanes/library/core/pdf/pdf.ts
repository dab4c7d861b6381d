/** What the PDF ingester needs of a reader of PDFs: the pieces of text of each page, and where they stand. */
import type { Cancel } from '#core/ports.ts';

/** A piece of text as the page draws it. Points (1/72 inch), from the page's lower left corner. */
export interface PdfPiece {
  text: string;
  x: number;
  /** Of the baseline. */
  y: number;
  width: number;
  /** Of the letters. */
  size: number;
  /** It does not run from left to right. */
  turned: boolean;
}

export interface PdfPage {
  width: number;
  height: number;
  pieces: PdfPiece[];
}

export interface PdfReader {
  /** The pages in their order. Throws AccessionError: `file_damaged`, or `file_unreadable` for a password. */
  pages(bytes: Uint8Array, cancel: Cancel): Promise<PdfPage[]>;
}
