/** Works as Crossref and CSL-JSON say them: the same names of fields, one text or a list of texts. */
import * as v from 'valibot';
import { isbn10, isbn13 } from '../../identify/isbn.ts';
import { datedOf, plainText, titleOf, webAddress } from '../plain.ts';
import type { DocumentRecord } from '#core/documents/record.ts';

const Texts = v.fallback(
  v.union([
    v.array(v.string()),
    v.pipe(
      v.string(),
      v.transform((text) => [text]),
    ),
  ]),
  [],
);
const Text = v.fallback(v.optional(v.string(), ''), '');
const NameSchema = v.looseObject({ given: Text, family: Text, suffix: Text, name: Text, literal: Text });
const DateSchema = v.looseObject({ 'date-parts': v.array(v.array(v.nullable(v.union([v.number(), v.string()])))) });

export const WorkSchema = v.looseObject({
  DOI: v.string(),
  type: Text,
  title: Texts,
  subtitle: Texts,
  author: v.fallback(v.array(NameSchema), []),
  'container-title': Texts,
  publisher: Text,
  institution: v.fallback(v.array(v.looseObject({ name: Text })), []),
  issued: v.fallback(v.nullable(DateSchema), null),
  ISBN: Texts,
  link: v.fallback(v.array(v.looseObject({ URL: Text, 'content-type': Text })), []),
  'update-to': v.fallback(v.array(v.looseObject({ type: Text, DOI: Text })), []),
  'updated-by': v.fallback(v.array(v.looseObject({ type: Text, DOI: Text })), []),
});
export type Work = v.InferOutput<typeof WorkSchema>;

/** Types whose own ISBN the work has; a chapter has its book's. */
const BOOKS = /^(?:book|monograph|edited-book|reference-book|book-set|proceedings|report|standard|dissertation)$/;
/** Types that stand in nothing: who published them says where. */
const ALONE = /^(?:posted-content|dataset|thesis|article|report-component|peer-review|webpage|software)$/;

export function recordOf(work: Work): DocumentRecord {
  const parts = work.issued?.['date-parts'][0] ?? [];
  const isBook = BOOKS.test(work.type);
  const around = plainText(work['container-title'][0] ?? '');
  const publisher = plainText(work.institution[0]?.name ?? '') || plainText(work.publisher);
  const doi = work.DOI.toLowerCase();
  const isbn = isBook ? (work.ISBN.map((text) => isbn13(text) ?? isbn10(text)).find((one) => one !== null) ?? '') : '';
  return {
    title: titleOf(work.title[0], work.subtitle[0]),
    authors: work.author.map(nameOf).filter((name) => name !== ''),
    publication: around === '' && (isBook || ALONE.test(work.type)) ? publisher : around,
    ...datedOf(parts.map((part) => (part === null ? null : Number(part)))),
    doi,
    isbn,
    pdf_url: webAddress(work.link.find((link) => link['content-type'] === 'application/pdf')?.URL),
    source_url: `https://doi.org/${doi}`,
  };
}

const nameOf = ({ given, family, suffix, name, literal }: v.InferOutput<typeof NameSchema>): string =>
  plainText(family === '' ? name || literal || given : `${given} ${family} ${suffix}`);

/** Retractions, corrections and the like: `retraction: 10.5555/x`, and what this one itself is about. */
export function noticesOf(work: Work): string[] {
  return [
    ...work['updated-by'].map(({ type, DOI }) => `${type || 'update'}: ${DOI.toLowerCase()}`),
    ...work['update-to'].map(({ type, DOI }) => `is the ${type || 'update'} of ${DOI.toLowerCase()}`),
  ];
}
