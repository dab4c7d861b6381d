/** A place that knows records of documents by their identifier, as the look-up asks it. */
import type { LookupHost } from './hosts.ts';
import type { DocumentRecord } from '#core/documents/record.ts';

export type SourceId =
  'crossref' | 'datacite' | 'doi.org' | 'openlibrary' | 'googlebooks' | 'arxiv' | 'openalex' | 'pubmed';

/** What is asked: a DOI in small letters, an ISBN of thirteen digits, a number of arXiv without its version. */
export interface Identifier {
  kind: 'doi' | 'isbn' | 'arxiv';
  value: string;
}

/** What a source is asked about. A title is in the form under which texts are compared. */
export type Asked = Identifier | { kind: 'title'; value: string };

/** A document that a source found by its title. */
export interface TitleHit {
  identifier: Identifier;
  record: DocumentRecord;
}

/** What came back over the wire. */
export interface RawAnswer {
  status: number;
  /** By names in small letters. */
  headers: Readonly<Record<string, string>>;
  body: string;
}

export type Reading =
  | {
      is: 'record';
      record: DocumentRecord;
      /** What a person must hear of it: it is retracted, corrected, withdrawn. */
      notices: string[];
    }
  /** What it has under a title. */
  | { is: 'hits'; hits: TitleHit[] }
  /** The source has no such document. */
  | { is: 'missing' }
  /** A record of another document. */
  | { is: 'another'; of: string }
  /** No answer of this source: a portal's page, half a text. */
  | { is: 'garbled' };

export interface MetadataSource {
  readonly id: SourceId;
  readonly host: LookupHost;
  /** Milliseconds between two requests, until the host itself says otherwise. */
  readonly gapMs: number;
  readonly accept: string;
  /** Its own page says that it has none: a 404 with a page of HTML is an answer. */
  readonly saysByPage?: boolean;
  /** Null: it does not know such identifiers. `contact`: a person's address, where one is given. */
  question(identifier: Identifier, contact: string | null): { identifier: Identifier; url: string } | null;
  /** Of a successful answer that only says where the record is: that address; null: it is the record. Pure. */
  leadsTo?(answer: RawAnswer): string | null;
  /** Of a successful answer. Pure. */
  read(answer: RawAnswer, asked: Asked): Reading;
  /** How it is asked for documents by their title; absent: it is not. `hits` null: no answer of this source. */
  readonly byTitle?: {
    url(title: string, contact: string | null): string;
    hits(answer: RawAnswer): TitleHit[] | null;
  };
}

/** In addresses a DOI's slashes are escaped, too. */
export const escaped = (value: string): string => encodeURIComponent(value);

export function withContact(url: string, contact: string | null): string {
  return contact === null ? url : `${url}${url.includes('?') ? '&' : '?'}mailto=${encodeURIComponent(contact)}`;
}

/** What a source says, and when it said so; or why it says nothing now. */
export type Told = { reading: Reading; at: number } | { later: string; again?: true };
