/** What is known of the document that a file is: what its manifest says, before what the file says of itself. */
import type { DocumentRecord } from '#core/documents/record.ts';

export type DocumentFacts = Pick<DocumentRecord, 'doi' | 'isbn' | 'title' | 'authors' | 'publication' | 'year'>;

/** Between authors in the metadata of a chunk: names have commas. */
const APART = '; ';
const TEXTS = ['doi', 'isbn', 'title', 'publication'] as const;

/** As chunks and passages carry them; what is not known is left out. */
export function metadataOf(facts: DocumentFacts): Record<string, string> {
  const { doi, isbn, title, authors, publication, year } = facts;
  const all = { doi, isbn, title, authors: authors.join(APART), publication, year: year === null ? '' : String(year) };
  return Object.fromEntries(Object.entries(all).filter(([, text]) => text !== ''));
}

const FIELDS: ReadonlySet<string> = new Set<keyof DocumentFacts>([...TEXTS, 'authors', 'year']);

/** What every page of a document says is kept with the first one: of a thousand pages it would be a third of the index. */
export function saidOnce<Chunk extends { metadata: Readonly<Record<string, string>> }>(
  chunks: readonly Chunk[],
): Chunk[] {
  return chunks.map((chunk, at) =>
    at === 0 || chunk.metadata['page'] === undefined
      ? chunk
      : {
          ...chunk,
          metadata: Object.fromEntries(Object.entries(chunk.metadata).filter(([name]) => !FIELDS.has(name))),
        },
  );
}

/** Null where a chunk's metadata say nothing of a document. */
export function factsIn(metadata: Readonly<Record<string, string>>): DocumentFacts | null {
  const [doi = '', isbn = '', title = '', publication = ''] = TEXTS.map((name) => metadata[name] ?? '');
  const authors = (metadata['authors'] ?? '').split(APART).filter((name) => name !== '');
  const year = /^\d{1,4}$/.test(metadata['year'] ?? '') ? Number(metadata['year']) : null;
  const none = doi + isbn + title + publication === '' && authors.length === 0 && year === null;
  return none ? null : { doi, isbn, title, authors, publication, year };
}

/** Field by field: what the manifest leaves open the file may say. */
export function merged(manifest: DocumentFacts | null, own: DocumentFacts | null): DocumentFacts | null {
  if (manifest === null || own === null) return manifest ?? own;
  return {
    doi: manifest.doi || own.doi,
    isbn: manifest.isbn || own.isbn,
    title: manifest.title || own.title,
    authors: manifest.authors.length > 0 ? manifest.authors : own.authors,
    publication: manifest.publication || own.publication,
    year: manifest.year ?? own.year,
  };
}

/** The newest first, then by title. */
export const byYear = (a: DocumentFacts, b: DocumentFacts): number =>
  (b.year ?? 0) - (a.year ?? 0) || (a.title < b.title ? -1 : a.title > b.title ? 1 : 0);
