/** What a PDF says of itself as a record: Dublin Core and PRISM before the Info dictionary. */
import type { PdfFacts } from '#core/ingest/pdf.ts';
import { findIdentifiers } from '../identify/identifiers.ts';
import type { DocumentRecord } from '../lookup/record.ts';
import { xmpProperties } from './says-of-itself.ts';

export const EMPTY_RECORD: DocumentRecord = {
  title: '',
  authors: [],
  publication: '',
  date: '',
  year: null,
  doi: '',
  isbn: '',
  pdf_url: '',
  source_url: '',
};

/** Nothing is made up: what it does not say is empty. The day of the file is not that of the document. */
export function ownRecord({ info, xmp }: PdfFacts): DocumentRecord {
  const properties = xmp === null ? [] : xmpProperties(xmp);
  const all = (name: string): string[] =>
    properties.flatMap(([property, text]) => (property.toLowerCase() === name ? [text] : []));
  const entry = (name: string): string => info.get(name)?.replaceAll(/\s+/g, ' ').trim() ?? '';
  const creators = all('dc:creator');
  const date = /^\d{4}(?:-\d\d(?:-\d\d)?)?/.exec(all('prism:publicationdate')[0] ?? all('prism:coverdate')[0] ?? '');
  const identifier = (kind: 'doi' | 'isbn', texts: readonly string[]): string =>
    texts.flatMap((text) => findIdentifiers(kind === 'isbn' ? `ISBN ${text}` : text)).find((one) => one.kind === kind)
      ?.value ?? '';
  return {
    ...EMPTY_RECORD,
    title: all('dc:title')[0] ?? entry('Title'),
    authors: creators.length > 0 ? creators : authorsOf(entry('Author')),
    publication: all('prism:publicationname')[0] ?? entry('Subject'),
    date: date?.[0] ?? '',
    year: date === null ? null : Number(date[0].slice(0, 4)),
    doi: identifier('doi', [...all('prism:doi'), entry('doi')]),
    isbn: identifier('isbn', [...all('prism:isbn'), entry('isbn')]),
  };
}

const authorsOf = (text: string): string[] =>
  text
    .split(/\s*(?:;|,|\band\b|&)\s*/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
