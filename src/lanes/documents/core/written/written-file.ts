/** Documents that are no PDF: pages of HTML, XML of publishers (JATS, TEI), plain text. They are read, and never written into. */
import { extensionOf } from '#core/plan/plan-path.ts';

export type WrittenForm = 'html' | 'xml' | 'text';

const FORMS: Readonly<Record<string, WrittenForm>> = {
  '.html': 'html',
  '.htm': 'html',
  '.xhtml': 'html',
  '.xml': 'xml',
  '.nxml': 'xml',
  '.tei': 'xml',
  '.txt': 'text',
};
export const WRITTEN_ENDINGS: readonly string[] = Object.keys(FORMS);
/** Bytes: what is larger is no paper. */
export const LARGEST_WRITTEN = 20_000_000;
export const NOT_WRITTEN = 'only PDFs are written into';

export const isPdfPath = (path: string): boolean => /\.pdf$/i.test(path);

/** Null for other files. */
export const formOf = (path: string): WrittenForm | null => FORMS[extensionOf(path).toLowerCase()] ?? null;

/** Those of a folder's or drop's files that may be documents. A text that goes with a PDF of its name is none. */
export function documentsAmong<T extends { path: string }>(files: readonly T[]): T[] {
  const stemOf = (path: string): string => path.slice(0, path.length - extensionOf(path).length);
  const pdfs = new Set(files.flatMap(({ path }) => (isPdfPath(path) ? [stemOf(path)] : [])));
  return files.filter(({ path }) => isPdfPath(path) || (formOf(path) !== null && !pdfs.has(stemOf(path))));
}
