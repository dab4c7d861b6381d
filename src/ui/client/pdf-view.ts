/** A PDF to be read on a page; pdf.js and its worker are loaded with the first one. */
import PdfWorker from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?worker';
import { openPdfView, type PdfView } from '#adapters/pdf/pdfjs-view.ts';

export type { DrawnPage, PdfSheet, PdfView } from '#adapters/pdf/pdfjs-view.ts';

/** Has pdf.js loaded before it is wanted, so that it is there without a network, too. */
export async function fetchView(): Promise<void> {
  await import('pdfjs-dist/legacy/build/pdf.mjs');
}

/** `bytes` are taken away from the caller. Throws AccessionError where it cannot be read. */
export const openView = async (bytes: ArrayBuffer, password: string | null): Promise<PdfView> =>
  openPdfView(await import('pdfjs-dist/legacy/build/pdf.mjs'), { bytes, password }, new PdfWorker());
