import * as v from 'valibot';
import { isbn10, isbn13 } from '../../identify/isbn.ts';
import { datedText, plainText, titleOf, webAddress } from '../plain.ts';
import type { MetadataSource } from '../source.ts';

const Text = v.fallback(v.optional(v.string(), ''), '');
const VolumeSchema = v.looseObject({
  title: Text,
  subtitle: Text,
  authors: v.fallback(v.optional(v.array(v.string()), []), []),
  publisher: Text,
  publishedDate: Text,
  industryIdentifiers: v.fallback(v.array(v.looseObject({ identifier: Text })), []),
  infoLink: Text,
});
const AnswerSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({
    totalItems: v.number(),
    items: v.optional(v.array(v.looseObject({ volumeInfo: VolumeSchema })), []),
  }),
);

/** Books by their ISBN (www.googleapis.com, `books/v1/volumes`). */
export const googleBooks: MetadataSource = {
  id: 'googlebooks',
  host: 'www.googleapis.com',
  gapMs: 1_000,
  accept: 'application/json',
  question: (identifier) =>
    identifier.kind === 'isbn'
      ? { identifier, url: `https://www.googleapis.com/books/v1/volumes?q=isbn:${identifier.value}` }
      : null,
  read({ body }, asked) {
    const { success, output } = v.safeParse(AnswerSchema, body);
    if (!success) return { is: 'garbled' };
    const volumes = output.items.map(({ volumeInfo }) => volumeInfo);
    const isbnsOf = (volume: v.InferOutput<typeof VolumeSchema>): (string | null)[] =>
      volume.industryIdentifiers.map(({ identifier }) => isbn13(identifier) ?? isbn10(identifier));
    const [first] = volumes;
    if (first === undefined) return { is: 'missing' };
    const volume = volumes.find((one) => isbnsOf(one).includes(asked.value));
    if (volume === undefined) return { is: 'another', of: isbnsOf(first)[0] ?? plainText(first.title) };
    return {
      is: 'record',
      record: {
        title: titleOf(volume.title, volume.subtitle),
        authors: volume.authors.map(plainText),
        publication: plainText(volume.publisher),
        ...datedText(volume.publishedDate),
        doi: '',
        isbn: asked.value,
        pdf_url: '',
        source_url: webAddress(volume.infoLink),
      },
      notices: [],
    };
  },
};
