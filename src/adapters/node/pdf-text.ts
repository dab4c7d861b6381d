import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pdfjsText } from '#adapters/pdf/pdfjs-text.ts';
import type { PdfText } from '#core/ingest/pdf.ts';

const folder = dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')));

/** Text of PDFs, parsed in this thread. */
export const nodePdfText = (): PdfText =>
  pdfjsText({
    load: () => import('pdfjs-dist/legacy/build/pdf.mjs'),
    cMapUrl: `${folder}/cmaps/`,
    standardFontDataUrl: `${folder}/standard_fonts/`,
  });
