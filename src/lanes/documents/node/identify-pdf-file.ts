import { readFile } from 'node:fs/promises';
import { nodePdfText } from '#adapters/node/pdf-text.ts';
import { failed } from '#core/errors.ts';
import type { Cancel } from '#core/ports.ts';
import { identifyPdf, type IdentifiedPdf } from '#lanes/documents/core/pdf/identify-pdf.ts';

const reader = nodePdfText();

/** A PDF on the disk. Throws what the file system throws, and AccessionError `file_damaged` or `file_unreadable`. */
export async function identifyPdfFile(path: string, cancel: Cancel): Promise<IdentifiedPdf> {
  const bytes = await readFile(path);
  if (bytes.length === 0) throw failed('file_damaged', 'it is empty');
  const pdf = await reader.open(bytes);
  try {
    return await identifyPdf(pdf, cancel);
  } finally {
    await pdf.close();
  }
}
