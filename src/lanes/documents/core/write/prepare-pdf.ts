/**
 * What is added to a PDF so that it carries its record, proved before it is offered:
 *
 *   may it be added to? -> fields into Info and XMP, behind the original -> read again: the original is the beginning,
 *   the same pages with the same text, every field back
 */
import { AccessionError, messageOf } from '#core/errors.ts';
import type { OpenPdf, PdfText } from '#core/ingest/pdf.ts';
import type { DocumentRecord } from '#core/documents/record.ts';
import { escapeXml } from '#core/text/xml.ts';
import { fieldsOf, type PdfFields } from './fields.ts';
import { whyNotWritable } from './writable.ts';
import { withProperties } from './xmp.ts';

/** Writes behind a PDF, and changes no byte of it. Adapter: pdf-lib. */
export interface PdfWriter {
  /**
   * @param fields `xmp` null: the packet stays as it is
   * @returns the whole new file; a warning where somebody must hear of it. Throws AccessionError where it cannot be
   * done: `file_damaged`, or `conflict` where the file itself forbids it
   */
  append(bytes: Uint8Array, fields: { info: Readonly<Record<string, string>>; xmp: string | null }): Promise<Appended>;
}

export interface Appended {
  bytes: Uint8Array;
  /** A signature of it says "changed since" afterwards. */
  isSigned: boolean;
}

export type PreparedPdf =
  | {
      write: 'ok';
      /** What comes behind the original's last byte. */
      added: Uint8Array<ArrayBuffer>;
      warning: string | null;
    }
  | { write: 'refused'; reason: string };

/** Pages whose text is compared, spread over the whole; beyond them their number must do. */
const COMPARED = 60;

interface Using {
  writer: PdfWriter;
  reader: PdfText;
}

/** Throws AccessionError `offline` where the writer is not there. */
export function preparePdf(original: Uint8Array, record: DocumentRecord, using: Using): Promise<PreparedPdf> {
  return prepared(original, fieldsOf(record), using);
}

/** Who left it as it was, in a PDF that says nothing of itself; null: it says something. Throws as preparePdf. */
export async function prepareMark(original: Uint8Array, using: Using): Promise<PreparedPdf | null> {
  const before = await using.reader.open(original).catch(() => null);
  if (before === null) return null;
  try {
    const { info, xmp } = await before.facts();
    if (xmp !== null || SAID.some((name) => (info.get(name) ?? '').trim() !== '')) return null;
  } finally {
    await before.close();
  }
  return prepared(original, { info: { ProcessedBy: 'Accession' }, xmp: [] }, using);
}

const SAID = ['Title', 'Author', 'Subject', 'Keywords', 'doi', 'isbn', 'ProcessedBy'];

async function prepared(original: Uint8Array, fields: PdfFields, { writer, reader }: Using): Promise<PreparedPdf> {
  const why = whyNotWritable(original);
  if (why !== null) return { write: 'refused', reason: why };
  if (Object.keys(fields.info).length === 0) return { write: 'refused', reason: 'its record says nothing' };
  try {
    const before = await reader.open(original);
    try {
      const { xmp } = await before.facts();
      const { bytes, isSigned } = await writer.append(original, {
        info: fields.info,
        xmp: fields.xmp.length === 0 ? null : withProperties(xmp, fields.xmp),
      });
      const fault = await faultOf(original, before, bytes, fields, reader);
      if (fault !== null) return { write: 'refused', reason: fault };
      const warning = isSigned ? 'it is signed: readers will say that it was changed since' : null;
      return { write: 'ok', added: bytes.slice(original.length), warning };
    } finally {
      await before.close();
    }
  } catch (error) {
    // That says nothing of this PDF: no plan goes on without it.
    if (error instanceof AccessionError && error.failure.code === 'offline') throw error;
    return { write: 'refused', reason: error instanceof AccessionError ? error.failure.message : messageOf(error) };
  }
}

/** Null where the new file is the old one with its fields. */
async function faultOf(
  original: Uint8Array,
  before: OpenPdf,
  bytes: Uint8Array,
  { info, xmp }: PdfFields,
  reader: PdfText,
): Promise<string | null> {
  if (bytes.length <= original.length || original.some((byte, i) => bytes[i] !== byte))
    return 'what was written does not begin with the original';
  const fault = whyNotWritable(bytes);
  if (fault !== null) return `written to, ${fault}`;
  const after = await reader.open(bytes);
  try {
    if (after.pages !== before.pages) return 'written to, it had another number of pages';
    for (const number of comparedOf(before.pages))
      if (JSON.stringify(await after.page(number)) !== JSON.stringify(await before.page(number)))
        return `written to, its page ${number} read differently`;
    const facts = await after.facts();
    for (const [name, value] of Object.entries(info))
      if (facts.info.get(name)?.trim() !== value) return `written to, its ${name} did not read back`;
    const packet = facts.xmp ?? '';
    for (const { name, values } of xmp)
      for (const value of values)
        // As the packet writes it; a character alone, where its number is as good.
        if (!packet.includes(escapeXml(value))) return `written to, its ${name} did not read back`;
    return null;
  } finally {
    await after.close();
  }
}

function comparedOf(pages: number): number[] {
  const all = Math.min(pages, COMPARED);
  return Array.from({ length: all }, (_, i) => 1 + Math.floor((i * pages) / all));
}
