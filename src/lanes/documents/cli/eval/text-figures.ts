/** Figures of texts: the shared rows of `ident`, and the project's own documents (tests/fixtures/documents). */
import { join } from 'node:path';
import * as v from 'valibot';
import { readJsonLines } from '#cli/json-lines.ts';
import { findIdentifiers } from '#lanes/documents/core/identify/identifiers.ts';
import { ownIdentifiers } from '#lanes/documents/core/identify/own.ts';
import { low, sameSet, Tally, work } from './tally.ts';

const WindowSchema = v.object({
  text: v.string(),
  kind: v.optional(v.picklist(['doi', 'arxiv', 'isbn']), 'isbn'),
  expect: v.array(v.string()),
  /** `first`: what is found first must be right; more may follow. */
  mode: v.optional(v.picklist(['all', 'first']), 'all'),
  /** Readers of good will differ. */
  contested: v.optional(v.boolean(), false),
});
const DocumentSchema = v.object({
  text: v.string(),
  own_doi: v.nullable(v.string()),
  own_arxiv: v.nullable(v.string()),
});
const ReferenceSchema = v.object({ text: v.string(), doi: v.array(v.string()) });
const OwnSchema = v.object({
  text: v.string(),
  doi: v.nullable(v.string()),
  arxiv: v.nullable(v.string()),
  isbn: v.array(v.string()),
});

/** Values of a kind in the order of the text, each once, in small letters. */
const valuesOf = (text: string, kind: string): string[] => [
  ...new Set(findIdentifiers(text).flatMap((one) => (one.kind === kind ? [low(one.value)] : []))),
];

const ownOf = (text: string): ReturnType<typeof ownIdentifiers> => ownIdentifiers(text, findIdentifiers(text));

/** `strings.*`, `isbn_windows`, `documents.*`, `references.*` of a folder with the shared rows. Throws as readJsonLines. */
export async function sharedTextFigures(folder: string): Promise<Record<string, number>> {
  const tally = new Tally();
  for (const [file, nameOf] of [
    ['strings.jsonl', (kind: string) => `strings.${kind}`],
    ['isbn_windows.jsonl', () => 'isbn_windows'],
  ] as const)
    for (const { text, kind, expect, mode, contested } of await readJsonLines(join(folder, file), WindowSchema)) {
      const [found, wanted] = [valuesOf(text, kind), expect.map(low)];
      const isFirst = wanted.length === 0 ? found.length === 0 : found[0] === wanted[0];
      tally.count(nameOf(kind) + (contested ? '.contested' : ''), mode === 'all' ? sameSet(found, wanted) : isFirst);
    }
  for (const { text, own_doi, own_arxiv } of await readJsonLines(join(folder, 'documents.jsonl'), DocumentSchema)) {
    const { doi, arxiv } = ownOf(text);
    if (own_doi === null) tally.count('documents.no_false_claim', doi === null);
    else tally.count('documents.own', low(doi) === low(own_doi));
    if (own_arxiv !== null) tally.count('documents.arxiv', work(arxiv) === work(own_arxiv));
  }
  for (const { text, doi } of await readJsonLines(join(folder, 'references.jsonl'), ReferenceSchema)) {
    const [first] = valuesOf(text, 'doi');
    if (doi.length === 0) tally.count('references.no_false', first === undefined);
    else tally.count('references.doi', first !== undefined && doi.map(low).includes(first));
  }
  return tally.figures();
}

/**
 * Of own documents, under `<name>.`: `doi`, `arxiv`, `isbn` (those that have one: it is found), `no_false` (a claimed DOI
 * or arXiv number is the document's).
 */
export async function ownTextFigures(file: string, name: string): Promise<Record<string, number>> {
  const tally = new Tally();
  for (const row of await readJsonLines(file, OwnSchema)) {
    const { doi, arxiv, isbn } = ownOf(row.text);
    if (row.doi !== null) tally.count(`${name}.doi`, low(doi) === low(row.doi));
    if (row.arxiv !== null) tally.count(`${name}.arxiv`, work(arxiv) === work(row.arxiv));
    if (row.isbn.length > 0) tally.count(`${name}.isbn`, sameSet(isbn, row.isbn));
    else tally.count(`${name}.no_false_isbn`, isbn.length === 0);
    const isFalse = (doi !== null && low(doi) !== low(row.doi)) || (arxiv !== null && work(arxiv) !== work(row.arxiv));
    tally.count(`${name}.no_false`, !isFalse);
  }
  return tally.figures();
}
