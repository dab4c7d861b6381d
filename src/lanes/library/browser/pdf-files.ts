import PdfWorker from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?worker';
import { pdfjsText } from '#adapters/pdf/pdfjs-text.ts';
import type { PdfReader } from '#lanes/library/core/pdf/pdf.ts';
import { pdfReader } from '#lanes/library/pdf/pdf-reader.ts';

/**
 * A reader of PDFs for a worker: pdf.js parses each file in a worker of its own, which ends with the file, so that its
 * memory is given back. Tables for scripts of many characters are not shipped: most PDFs bring their own.
 */
export const browserPdfReader = (): PdfReader =>
  pdfReader(
    pdfjsText({
      load: () => import('pdfjs-dist/legacy/build/pdf.mjs'),
      openWorker: () => new PdfWorker(),
    }),
  );
