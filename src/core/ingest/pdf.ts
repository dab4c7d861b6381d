/** A PDF as whoever reads its text needs it: the pieces of each page and where they stand, links, what it says of itself. */
import { AccessionError, failure } from '../errors.ts';

/** Points (1/72 inch), from the page's lower left corner: left, lower, right, upper edge. */
export type PdfBox = readonly [number, number, number, number];

/** A piece of text as the page draws it. Points, from the page's lower left corner. */
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

export interface PdfLink {
  address: string;
  box: PdfBox;
}

/** What a PDF says of itself, outside its pages. */
export interface PdfFacts {
  /** Texts of the Info dictionary by their name (`Title`, `doi`), those that it was given beside the usual ones included. */
  info: ReadonlyMap<string, string>;
  /** The XMP packet as XML; null without one. */
  xmp: string | null;
}

/** A PDF that is open; every number of a page counts from 1. */
export interface OpenPdf {
  readonly pages: number;
  /** Throws AccessionError `file_damaged`. */
  page(number: number): Promise<PdfPage>;
  links(number: number): Promise<PdfLink[]>;
  facts(): Promise<PdfFacts>;
  close(): Promise<void>;
}

export interface PdfText {
  /** Throws AccessionError: `file_damaged`, or LockedPdf for a password. `bytes` stay the caller's. */
  open(bytes: Uint8Array, password?: string): Promise<OpenPdf>;
}

/** A PDF that opens with a password alone, or with another one than was given (`isWrong`). */
export class LockedPdf extends AccessionError {
  readonly isWrong: boolean;
  constructor(isWrong: boolean) {
    super(failure('file_unreadable', isWrong ? 'that is not its password' : 'it is protected by a password'));
    this.isWrong = isWrong;
  }
}
