/** What is known of a document, in words. */
import type { DocumentEvidence, DocumentRecord, DocumentRow } from '../client.ts';
import { OWN_WORD } from '#lanes/documents/core/plan/propose.ts';

const PLACES: Readonly<Record<DocumentEvidence['kind'], string>> = {
  xmp: 'in its XMP',
  info: 'in its properties',
  link: 'a link',
  text: 'text',
  margin: 'margin',
  footer: 'foot',
  meta: 'in its head',
  'file-name': 'its name',
};
const FIELDS: Readonly<Record<DocumentEvidence['field'], string>> = {
  doi: 'DOI',
  arxiv: 'arXiv',
  isbn: 'ISBN',
  title: 'title',
};

/** `DOI, margin of page 1`. */
export function evidenceWords({ field, kind, page }: DocumentEvidence): string {
  return `${FIELDS[field]}, ${PLACES[kind]}${page === null ? '' : ` of page ${page}`}`;
}

const SOURCES: Readonly<Record<string, string>> = {
  crossref: 'Crossref',
  datacite: 'DataCite',
  openlibrary: 'Open Library',
  googlebooks: 'Google Books',
  arxiv: 'arXiv',
  openalex: 'OpenAlex',
  pubmed: 'PubMed',
};

/** A source as it calls itself. */
export const sourceWords = (source: string): string => SOURCES[source] ?? source;

export interface Chip {
  label: string;
  tone: 'good' | 'bad' | 'neutral';
  /** What is shown in the reader when it is pressed. */
  evidence: DocumentEvidence | null;
}

/** The title first, then each place once. */
export function chipsOf({ proposal, evidence, doubleOf, done, locked }: DocumentRow): Chip[] {
  const chips: Chip[] = [];
  const { record, source, sure, reasons } = proposal;
  if (locked) chips.push({ label: 'wants its password', tone: 'bad', evidence: null });
  if (doubleOf !== null) chips.push({ label: 'same content as another', tone: 'bad', evidence: null });
  if (record !== null && source !== OWN_WORD)
    chips.push(
      sure === 'strong'
        ? { label: 'title on the first pages', tone: 'good', evidence: null }
        : { label: 'another title', tone: 'bad', evidence: null },
    );
  if (reasons.some((reason) => /retract|withdrawn/i.test(reason)))
    chips.push({ label: 'retracted', tone: 'bad', evidence: null });
  if (done) chips.push({ label: 'in the manifest', tone: 'neutral', evidence: null });
  const seen = new Set<string>();
  for (const one of evidence) {
    const label = evidenceWords(one);
    if (seen.has(label)) continue;
    seen.add(label);
    chips.push({ label, tone: 'neutral', evidence: one.page === null || one.box === null ? null : one });
  }
  return chips;
}

/** `Garcia, Ana; Brook, Lee · Journal of Tests · 2019`. */
export function byLine({
  authors,
  publication,
  year,
}: Pick<DocumentRecord, 'authors' | 'publication' | 'year'>): string {
  const names = authors.length > 3 ? [...authors.slice(0, 3), `${authors.length - 3} more`] : authors;
  return [names.join('; '), publication, year === null ? '' : `${year}`].filter((part) => part !== '').join(' · ');
}

/** Whether all these words stand in the record. */
export function foundIn(
  { title, authors, publication, year, doi, isbn }: Omit<DocumentRecord, 'date' | 'pdf_url' | 'source_url'>,
  words: string,
): boolean {
  const text = [title, ...authors, publication, year ?? '', doi, isbn].join(' ').toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

export interface FieldLine {
  name: string;
  now: string;
  proposed: string;
}

/** Fields that the file or the record says, in the order of the manifest. */
export function fieldLines(own: DocumentRecord, record: DocumentRecord | null): FieldLine[] {
  const line = (name: string, textOf: (of: DocumentRecord) => string): FieldLine => ({
    ...{ name, now: textOf(own), proposed: record === null ? '' : textOf(record) },
  });
  return [
    line('Title', ({ title }) => title),
    line('Authors', ({ authors }) => authors.join('; ')),
    line('Publication', ({ publication }) => publication),
    line('Date', ({ date, year }) => date || (year === null ? '' : `${year}`)),
    line('DOI', ({ doi }) => doi),
    line('ISBN', ({ isbn }) => isbn),
  ].filter(({ now, proposed }) => now !== '' || proposed !== '');
}
