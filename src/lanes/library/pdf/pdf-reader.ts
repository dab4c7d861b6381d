/** The pages of PDFs, one file after the other. */
import { failed } from '#core/errors.ts';
import type { PdfPage, PdfText } from '#core/ingest/pdf.ts';
import type { PdfReader } from '#lanes/library/core/pdf/pdf.ts';

export function pdfReader(text: PdfText): PdfReader {
  return {
    async read(bytes, cancel) {
      const pdf = await text.open(bytes);
      try {
        const pages: PdfPage[] = [];
        for (let number = 1; number <= pdf.pages; number++) {
          if (cancel.aborted) throw failed('file_unreadable', 'reading it took too long');
          pages.push(await pdf.page(number));
        }
        // The pages are worth reading without what the file says of itself.
        return { pages, facts: await pdf.facts().catch(() => null) };
      } finally {
        await pdf.close();
      }
    },
  };
}
