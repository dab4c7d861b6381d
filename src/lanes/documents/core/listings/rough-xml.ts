/**
 * Listings in rough markup, as people write it by hand:
 *
 *   <article><author/><title/><isbn/><doi/><publisher/><date/><pdf_link/><scholar_url/></article>, <book>...</book>
 *
 * What was not closed ends where the next field or the record does. No entity is expanded but those of characters.
 */
import { Parser } from 'htmlparser2';
import { listingOf, type Listing, type RoughListing } from './listing.ts';

type Field = Exclude<keyof RoughListing, 'kind'>;

const FIELDS: ReadonlyMap<string, Field> = new Map([
  ['title', 'title'],
  ['author', 'authors'],
  ['authors', 'authors'],
  ['publisher', 'publication'],
  ['publication', 'publication'],
  ['journal', 'publication'],
  ['date', 'date'],
  ['year', 'date'],
  ['doi', 'doi'],
  ['isbn', 'isbn'],
  ['pdf_link', 'pdf_url'],
  ['pdf_url', 'pdf_url'],
  ['scholar_url', 'source_url'],
  ['source_url', 'source_url'],
]);
/** Their text is no text of a record. */
const UNREAD: ReadonlySet<string> = new Set(['script', 'style']);

const isKind = (name: string): name is Listing['kind'] => name === 'article' || name === 'book';

/** In the order of the text. A record that says nothing is left out. */
export function parseRoughXml(text: string): Listing[] {
  const listings: Listing[] = [];
  let record: { kind: Listing['kind']; said: { field: Field; text: string }[] } | null = null;
  let field: { field: Field; text: string } | null = null;
  let unread = 0;
  const end = (): void => {
    const said = record?.said ?? [];
    const first = (of: Field): string =>
      said.find(({ field: one, text: value }) => one === of && value.trim() !== '')?.text ?? '';
    if (record !== null && said.some(({ text: value }) => value.trim() !== ''))
      listings.push(
        listingOf({
          kind: record.kind,
          authors: said.flatMap(({ field: one, text: value }) => (one === 'authors' ? [value] : [])),
          ...Object.fromEntries([...FIELDS.values()].flatMap((one) => (one === 'authors' ? [] : [[one, first(one)]]))),
        }),
      );
    record = field = null;
    unread = 0;
  };
  const parser = new Parser(
    {
      onopentag(name) {
        if (isKind(name)) {
          end();
          record = { kind: name, said: [] };
        } else if (UNREAD.has(name)) unread += 1;
        else if (record !== null && FIELDS.has(name)) {
          field = { field: FIELDS.get(name) ?? 'title', text: '' };
          record.said.push(field);
        }
      },
      ontext(part) {
        if (field !== null && unread === 0) field.text += part;
      },
      onclosetag(name) {
        if (UNREAD.has(name)) unread = Math.max(0, unread - 1);
        else if (FIELDS.has(name)) field = null;
        else if (isKind(name)) end();
      },
    },
    // As XML: HTML would read a title as text alone.
    { xmlMode: true, lowerCaseTags: true, decodeEntities: true },
  );
  parser.end(text);
  end();
  return listings;
}
