import * as v from 'valibot';
import { isbn10, isbn13 } from '../../identify/isbn.ts';
import { datedText, plainText, titleOf, webAddress } from '../plain.ts';
import type { MetadataSource } from '../source.ts';

const Text = v.fallback(v.optional(v.string(), ''), '');
const Names = v.fallback(v.array(v.looseObject({ name: Text })), []);
const Numbers = v.fallback(v.optional(v.array(v.string()), []), []);
const BookSchema = v.looseObject({
  title: v.string(),
  subtitle: Text,
  authors: Names,
  publish_date: Text,
  publishers: Names,
  identifiers: v.fallback(v.looseObject({ isbn_13: Numbers, isbn_10: Numbers }), { isbn_13: [], isbn_10: [] }),
  url: Text,
});
const AnswerSchema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), BookSchema));

/** Books by their ISBN (openlibrary.org, `api/books` with `jscmd=data`). */
export const openlibrary: MetadataSource = {
  id: 'openlibrary',
  host: 'openlibrary.org',
  gapMs: 1_000,
  accept: 'application/json',
  question: (identifier) =>
    identifier.kind === 'isbn'
      ? {
          identifier,
          url: `https://openlibrary.org/api/books?bibkeys=ISBN:${identifier.value}&format=json&jscmd=data`,
        }
      : null,
  read({ body }, asked) {
    const { success, output } = v.safeParse(AnswerSchema, body);
    if (!success) return { is: 'garbled' };
    const [entry] = Object.entries(output);
    if (entry === undefined) return { is: 'missing' };
    const [key, book] = entry;
    const numbers = [...book.identifiers.isbn_13, ...book.identifiers.isbn_10];
    const isbns = (numbers.length > 0 ? numbers : [key]).map(
      (text) => isbn13(text) ?? isbn10(text.replace('ISBN:', '')),
    );
    if (!isbns.includes(asked.value)) return { is: 'another', of: isbns[0] ?? key };
    return {
      is: 'record',
      record: {
        title: titleOf(book.title, book.subtitle),
        authors: book.authors.map(({ name }) => plainText(name)).filter((name) => name !== ''),
        publication: plainText(book.publishers[0]?.name ?? ''),
        ...datedText(book.publish_date),
        doi: '',
        isbn: asked.value,
        pdf_url: '',
        source_url: webAddress(book.url),
      },
      notices: [],
    };
  },
};
