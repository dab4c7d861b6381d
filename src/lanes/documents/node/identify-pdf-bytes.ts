import { nodePdfText } from '#adapters/node/pdf-text.ts';
import { failed } from '#core/errors.ts';
import type { Cancel } from '#core/ports.ts';
import type { DocumentRecord } from '#core/documents/record.ts';
import { ownRecord } from '#core/documents/own-record.ts';
import { readIdentifier } from '#lanes/documents/core/identify/identifiers.ts';
import { identifyPdf, type IdentifiedPdf } from '#lanes/documents/core/pdf/identify-pdf.ts';

const reader = nodePdfText();

/** The whole of a PDF. Throws AccessionError `file_damaged`, `file_unreadable` or `cancelled`. */
export async function identifyPdfBytes(bytes: Uint8Array, cancel: Cancel): Promise<IdentifiedPdf> {
  return (await readPdfBytes(bytes, cancel)).identified;
}

/** The same, with what it says of itself. Throws as identifyPdfBytes. */
export async function readPdfBytes(
  bytes: Uint8Array,
  cancel: Cancel,
  password?: string,
): Promise<{ identified: IdentifiedPdf; own: DocumentRecord }> {
  if (bytes.length === 0) throw failed('file_damaged', 'it is empty');
  const pdf = await reader.open(bytes, password);
  try {
    return { own: ownRecord(await pdf.facts(), readIdentifier), identified: await identifyPdf(pdf, cancel) };
  } finally {
    await pdf.close();
  }
}
