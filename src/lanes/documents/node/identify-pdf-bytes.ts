import { nodePdfText } from '#adapters/node/pdf-text.ts';
import { failed } from '#core/errors.ts';
import type { Cancel } from '#core/ports.ts';
import { identifyPdf, type IdentifiedPdf } from '#lanes/documents/core/pdf/identify-pdf.ts';

const reader = nodePdfText();

/** The whole of a PDF. Throws AccessionError `file_damaged`, `file_unreadable` or `cancelled`. */
export async function identifyPdfBytes(bytes: Uint8Array, cancel: Cancel): Promise<IdentifiedPdf> {
  if (bytes.length === 0) throw failed('file_damaged', 'it is empty');
  const pdf = await reader.open(bytes);
  try {
    return await identifyPdf(pdf, cancel);
  } finally {
    await pdf.close();
  }
}
