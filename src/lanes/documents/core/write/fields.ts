/** A record as a PDF carries it: the Info dictionary for every reader, Dublin Core and PRISM 3 for programs. */
import type { DocumentRecord } from '#core/documents/record.ts';
import { DC, PRISM, type XmpProperty } from './xmp.ts';

export interface PdfFields {
  info: Record<string, string>;
  xmp: XmpProperty[];
}

/** Control characters and what no XML may hold. */
const UNFIT = /[\p{Cc}\uFFFE\uFFFF]+/gu;

const fit = (text: string): string => text.toWellFormed().replaceAll(UNFIT, ' ').replaceAll(/\s+/g, ' ').trim();

/** What the record says; of what it does not know nothing is touched. */
export function fieldsOf(record: DocumentRecord): PdfFields {
  const authors = record.authors.map(fit).filter((name) => name !== '');
  const [title, publication, date, doi, isbn] = [
    record.title,
    record.publication,
    record.date,
    record.doi,
    record.isbn,
  ].map(fit);
  const info = { Title: title, Author: authors.join(', '), Subject: publication, doi, isbn };
  const text = (name: string, value: string | undefined): XmpProperty => ({
    namespace: PRISM,
    name: `prism:${name}`,
    form: 'text',
    values: [value ?? ''],
  });
  const xmp: XmpProperty[] = [
    { namespace: DC, name: 'dc:title', form: 'title', values: [title ?? ''] },
    { namespace: DC, name: 'dc:creator', form: 'list', values: authors },
    text('publicationName', publication),
    text('publicationDate', date),
    text('doi', doi),
    text('isbn', isbn),
  ];
  return {
    info: Object.fromEntries(Object.entries(info).flatMap(([name, value]) => (value ? [[name, value]] : []))),
    xmp: xmp.filter(({ values }) => values.some((value) => value !== '')),
  };
}
