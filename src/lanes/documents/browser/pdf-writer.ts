import type { PdfWriter } from '#lanes/documents/core/write/prepare-pdf.ts';
import { loadPdfLib, pdfLibWriter } from '#lanes/documents/pdf/pdf-lib-writer.ts';

export const browserPdfWriter = (): PdfWriter => pdfLibWriter();

/** Has what writes loaded before it is wanted; without a network it is loaded another time. */
export const fetchPdfWriter = (): void => void loadPdfLib().catch(() => undefined);
