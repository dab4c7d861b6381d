import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PdfReader } from '#lanes/library/core/pdf/pdf.ts';
import { pdfjsReader } from '#lanes/library/pdf/pdfjs-reader.ts';

const folder = dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')));

/** A reader of PDFs of this thread. */
export const nodePdfReader = (): PdfReader =>
  pdfjsReader({
    load: () => import('pdfjs-dist/legacy/build/pdf.mjs'),
    cMapUrl: `${folder}/cmaps/`,
    standardFontDataUrl: `${folder}/standard_fonts/`,
  });
