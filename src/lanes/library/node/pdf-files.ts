import { nodePdfText } from '#adapters/node/pdf-text.ts';
import type { PdfReader } from '#lanes/library/core/pdf/pdf.ts';
import { pdfReader } from '#lanes/library/pdf/pdf-reader.ts';

/** A reader of PDFs of this thread. */
export const nodePdfReader = (): PdfReader => pdfReader(nodePdfText());
