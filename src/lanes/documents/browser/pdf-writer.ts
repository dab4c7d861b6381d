import type { PdfWriter } from '#lanes/documents/core/write/prepare-pdf.ts';
import { pdfLibWriter } from '#lanes/documents/pdf/pdf-lib-writer.ts';

export const browserPdfWriter = (): PdfWriter => pdfLibWriter();
