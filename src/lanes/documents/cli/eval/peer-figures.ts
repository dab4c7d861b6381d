/**
 * What others find in the same texts: an expression for DOIs, punctuation at the end cut off; the first that it finds is
 * taken for the document's own, as tools do that are made of it.
 *
 *   crossref     the expression that Crossref recommends (crossref.org/blog/dois-and-matching-regular-expressions)
 *   pdftotext    the same over what pdftotext (Poppler) reads of a PDF's first two pages
 *   doi-regex    the npm package of that name, where `--peers DIR` names a folder that has it in its node_modules
 */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { readJson, readJsonLines } from '#cli/json-lines.ts';
import { low, sameSet, Tally } from './tally.ts';

/** Every DOI of a text, in its order. */
type Reader = (text: string) => string[];

const CROSSREF = /10\.\d{4,9}\/[-._;()/:a-z0-9]+/gi;
/** As everybody who uses them cuts what they find. */
const cut = (found: readonly string[] | null): string[] => (found ?? []).map((one) => one.replace(/[.,;:)\]'"]+$/, ''));
const crossref: Reader = (text) => cut(text.match(CROSSREF));
/** Pages of a PDF that are read. */
const PAGES = '2';

const WindowSchema = v.object({
  text: v.string(),
  kind: v.optional(v.string(), 'isbn'),
  expect: v.array(v.string()),
  mode: v.optional(v.picklist(['all', 'first']), 'all'),
  contested: v.optional(v.boolean(), false),
});
const DocumentSchema = v.object({ text: v.string(), own_doi: v.nullable(v.string()) });
const ReferenceSchema = v.object({ text: v.string(), doi: v.array(v.string()) });
const PdfSchema = v.object({ file: v.string(), own_doi: v.nullable(v.string()) });

function readersOf(peers: string | null): Map<string, Reader> {
  const readers = new Map<string, Reader>([['crossref', crossref]]);
  if (peers === null) return readers;
  const expression = (createRequire(join(peers, 'index.js'))('doi-regex') as () => RegExp)();
  return readers.set('doi-regex', (text) => cut(text.match(expression)));
}

/** Under `peer.<reader>.`: as sharedTextFigures. Throws as readJsonLines, and where `peers` has no such package. */
export async function peerTextFigures(folder: string, peers: string | null): Promise<Record<string, number>> {
  const tally = new Tally();
  const strings = await readJsonLines(join(folder, 'strings.jsonl'), WindowSchema);
  const documents = await readJsonLines(join(folder, 'documents.jsonl'), DocumentSchema);
  const references = await readJsonLines(join(folder, 'references.jsonl'), ReferenceSchema);
  for (const [name, read] of readersOf(peers)) {
    const found = (text: string): string[] => [...new Set(read(text).map(low))];
    for (const { text, kind, expect, mode, contested } of strings) {
      if (kind !== 'doi' || contested) continue;
      const [got, wanted] = [found(text), expect.map(low)];
      const isFirst = wanted.length === 0 ? got.length === 0 : got[0] === wanted[0];
      tally.count(`peer.${name}.strings.doi`, mode === 'all' ? sameSet(got, wanted) : isFirst);
    }
    for (const { text, own_doi } of documents) {
      const [first = ''] = found(text);
      if (own_doi === null) tally.count(`peer.${name}.documents.no_false_claim`, first === '');
      else tally.count(`peer.${name}.documents.own`, first === low(own_doi));
    }
    for (const { text, doi } of references) {
      const [first] = found(text);
      if (doi.length === 0) tally.count(`peer.${name}.references.no_false`, first === undefined);
      else tally.count(`peer.${name}.references.doi`, first !== undefined && doi.map(low).includes(first));
    }
  }
  return tally.figures();
}

/** `peer.pdftotext.<name>.doi`: of PDFs that have a DOI of their own or none. Nothing where there is no pdftotext. */
export async function peerPdfFigures(folder: string, name: string): Promise<Record<string, number>> {
  const tally = new Tally();
  for (const { file, own_doi } of v.parse(v.array(PdfSchema), await readJson(join(folder, 'manifest.json')))) {
    const text = await pdftotext(join(folder, file));
    if (text === 'missing') return {};
    tally.count(`peer.pdftotext.${name}.doi`, low(crossref(text)[0]) === low(own_doi));
  }
  return tally.figures();
}

/** '' for what it cannot read. */
async function pdftotext(file: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('pdftotext', ['-l', PAGES, file, '-'], { maxBuffer: 64_000_000 });
    return stdout;
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isMissing ? 'missing' : '';
  }
}
