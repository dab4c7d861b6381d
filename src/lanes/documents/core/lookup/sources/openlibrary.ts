import * as v from 'valibot';
import { isbn10, isbn13 } from '../../identify/isbn.ts';
import { datedText, plainText, titleOf, webAddress } from '../plain.ts';
import { EMPTY_RECORD } from '#core/documents/record.ts';
import { escaped, type MetadataSource } from '../source.ts';

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

const FoundSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({
    docs: v.array(
      v.looseObject({
        title: Text,
        subtitle: Text,
        author_name: Numbers,
        publisher: Numbers,
        isbn: Numbers,
      }),
    ),
  }),
);
const FOUND = 'title,subtitle,author_name,publisher,isbn';

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
  byTitle: {
    url: (title) => `https://openlibrary.org/search.json?title=${escaped(title)}&limit=5&fields=${FOUND}`,
    hits({ body }) {
      const { success, output } = v.safeParse(FoundSchema, body);
      if (!success) return null;
      return output.docs.flatMap((book) => {
        const isbn = book.isbn.map((text) => isbn13(text) ?? isbn10(text)).find((one) => one !== null);
        if (isbn === undefined) return [];
        // The year is that of the first edition, of which this ISBN need not be: the book's own record says its own.
        const record = {
          ...EMPTY_RECORD,
          ...{ title: titleOf(book.title, book.subtitle), authors: book.author_name.map(plainText), isbn },
          publication: book.publisher.length === 1 ? plainText(book.publisher[0] ?? '') : '',
        };
        return [{ identifier: { kind: 'isbn' as const, value: isbn }, record }];
      });
    },
  },
};
