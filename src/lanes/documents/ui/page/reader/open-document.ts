/** A PDF for the reader; pdf.js and its worker are loaded with the first one. */
import PdfWorker from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?worker';
import type { PdfView } from '#adapters/pdf/pdfjs-view.ts';
import type { DocumentRow } from '../../client.ts';
import { documents } from '../../client.ts';

/** Throws AccessionError where it cannot be read. */
export async function openDocument(path: DocumentRow['path']): Promise<PdfView> {
  const [{ openPdfView }, pdfjs, content] = await Promise.all([
    import('#adapters/pdf/pdfjs-view.ts'),
    import('pdfjs-dist/legacy/build/pdf.mjs'),
    documents().content(path),
  ]);
  if (!content.ok) throw Object.assign(new Error(content.failure.message), { failure: content.failure });
  return openPdfView(pdfjs, content.value, new PdfWorker());
}
