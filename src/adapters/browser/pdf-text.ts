import PdfWorker from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?worker';
import type { PdfText } from '#core/ingest/pdf.ts';
import { keptWorkers } from '../pdf/kept-workers.ts';
import { pdfjsText } from '../pdf/pdfjs-text.ts';

/**
 * A reader of PDFs for a worker: pdf.js parses each file in a worker of its own, which goes on with the next one for a
 * while (kept-workers.ts). Tables for scripts of many characters are not shipped: most PDFs bring their own.
 */
export const browserPdfText = (): PdfText =>
  pdfjsText({
    load: () => import('pdfjs-dist/legacy/build/pdf.mjs'),
    workers: keptWorkers(
      () => new PdfWorker(),
      (work, ms) => {
        const timer = setTimeout(work, ms);
        return () => clearTimeout(timer);
      },
    ),
  });
