/** What a PDF says of itself as a record: Dublin Core and PRISM before the Info dictionary. */
import type { PdfFacts } from '#core/ingest/pdf.ts';
import { EMPTY_RECORD, type DocumentRecord } from './record.ts';
import { xmpProperties } from './xmp-properties.ts';

/** The identifier that a text says; '' for none. */
export type ReadIdentifier = (kind: 'doi' | 'isbn', text: string) => string;

/** Nothing is made up: what it does not say is empty. The day of the file is not that of the document. */
export function ownRecord({ info, xmp }: PdfFacts, read: ReadIdentifier): DocumentRecord {
  const properties = xmp === null ? [] : xmpProperties(xmp);
  const all = (name: string): string[] =>
    properties.flatMap(([property, text]) => (property.toLowerCase() === name ? [text] : []));
  const entry = (name: string): string => info.get(name)?.replaceAll(/\s+/g, ' ').trim() ?? '';
  const creators = all('dc:creator');
  const date = /^\d{4}(?:-\d\d(?:-\d\d)?)?/.exec(all('prism:publicationdate')[0] ?? all('prism:coverdate')[0] ?? '');
  const identifier = (kind: 'doi' | 'isbn', texts: readonly string[]): string =>
    texts.map((text) => read(kind, text)).find((one) => one !== '') ?? '';
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

/** Whether programs put this where a title should be. */
export const isProgramsTitle = (title: string): boolean => FILE_NAME.test(title);

const FILE_NAME = /^(?:microsoft word -|untitled\b)|\.(?:docx?|odt|rtf|tex|dvi|ps|pdf|indd|qxd|pptx?|xlsx?)$/i;
