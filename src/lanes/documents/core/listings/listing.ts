/** A listing: a document that a page of results or somebody's notes name, of which there need be no file yet. */
import { findIdentifiers } from '../identify/identifiers.ts';
import { isbn10, isbn13 } from '../identify/isbn.ts';
import { datedText, plainText, webAddress } from '../lookup/plain.ts';
import type { DocumentRecord } from '#core/documents/record.ts';

export interface Listing extends DocumentRecord {
  kind: 'article' | 'book';
}

/** Texts as they stand in the markup; what is missing is empty. */
export interface RoughListing {
  kind: Listing['kind'];
  title?: string;
  authors?: readonly string[];
  publication?: string;
  date?: string;
  doi?: string;
  isbn?: string;
  pdf_url?: string;
  source_url?: string;
}

/** What counts of it: a DOI and an ISBN that are one, addresses of the web, a date of the calendar. */
export function listingOf(rough: RoughListing): Listing {
  const text = (field: Exclude<keyof RoughListing, 'kind' | 'authors'>): string => plainText(rough[field] ?? '');
  const source = webAddress(text('source_url'));
  return {
    kind: rough.kind,
    title: text('title'),
    authors: (rough.authors ?? []).flatMap(namesOf),
    publication: text('publication'),
    ...datedText(text('date')),
    doi: doiOf(text('doi')) || doiOf(source),
    isbn: isbn13(text('isbn')) ?? isbn10(text('isbn')) ?? '',
    pdf_url: webAddress(text('pdf_url')),
    source_url: source,
  };
}

const doiOf = (text: string): string => findIdentifiers(text).find(({ kind }) => kind === 'doi')?.value ?? '';

/** `A Garcia; B Novak`, `A Garcia and B Novak`, `A Garcia, B Novak`, and `Garcia, Ana`, which is one. */
export function namesOf(text: string): string[] {
  const plain = plainText(text).replaceAll(/\s*(?:…|\.\.\.)\s*/g, ', ');
  const groups = plain.split(/\s*;\s*|\s+(?:and|&)\s+/i);
  const names =
    groups.length > 1
      ? groups
      : plain.split(/\s*,\s*/).every((part) => !/^\S+$/.test(part))
        ? plain.split(/\s*,\s*/)
        : [plain];
  return names.map((name) => name.replace(/^[\s,;]+|[\s,;]+$/g, '')).filter((name) => name !== '');
}
