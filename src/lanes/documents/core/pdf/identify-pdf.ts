/**
 * A PDF's own identifiers, with the evidence:
 *
 *   Info and XMP, addresses of links, the text of each page
 *     -> one text of all pages, which knows its pages and their margins
 *     -> what is found, read as own or as another's (own.ts), what the file says of itself beside it
 */
import { throwIfCancelled } from '#core/cancel.ts';
import type { OpenPdf, PdfPage } from '#core/ingest/pdf.ts';
import type { Cancel } from '#core/ports.ts';
import type { DocumentEvidence, EvidenceKind } from '../identify/evidence.ts';
import { findIdentifiers } from '../identify/identifiers.ts';
import type { FoundIdentifier } from '../identify/identifier.ts';
import { ownIdentifiers, wholeOf, type OwnReading } from '../identify/own.ts';
import { boxOf, pageText, type PageText } from '#core/ingest/page-text.ts';
import { headlineOf } from './headline.ts';
import { saysOfItself } from './says-of-itself.ts';

/** Pages that are read from each end: those where documents name themselves, then more where these did not. */
const ENDS = [
  [3, 2],
  [12, 8],
] as const;
/** The share of a page's height at its top and at its foot that is margin. */
const MARGIN = 0.09;
/** Pages of the front and of the back. */
const FRONT_PAGES = 2;
const WORDS = 40;

export interface IdentifiedPdf {
  doi: string | null;
  arxiv: string | null;
  isbn: string[];
  evidence: DocumentEvidence[];
  readings: OwnReading[];
  /** The whole text of the pages that were read is empty: a picture, or nothing. */
  hasText: boolean;
  /** The text of the first pages. */
  front: string;
  /** What stands largest on the first page; '' where nothing does. */
  headline?: string;
}

interface Page {
  number: number;
  page: PdfPage;
  text: PageText;
  /** Where its text begins in the text of all. */
  start: number;
}

/** Throws AccessionError `file_damaged`, and `cancelled` where `cancel` is set in the middle: half a reading says nothing. */
export async function identifyPdf(pdf: OpenPdf, cancel: Cancel): Promise<IdentifiedPdf> {
  const said = [...saysOfItself(await pdf.facts()), ...(await linksOf(pdf))];
  const read = new Map<number, PdfPage>();
  let identified: IdentifiedPdf = {
    doi: null,
    arxiv: null,
    isbn: [],
    evidence: [],
    readings: [],
    hasText: false,
    front: '',
  };
  for (const [first, last] of ENDS) {
    for (const number of numbersOf(pdf.pages, first, last)) {
      throwIfCancelled(cancel);
      if (!read.has(number)) read.set(number, await pdf.page(number));
    }
    identified = identifyPages(read, said);
    if (identified.doi !== null || identified.arxiv !== null || identified.isbn.length > 0) break;
  }
  return identified;
}

function identifyPages(read: ReadonlyMap<number, PdfPage>, said: readonly DocumentEvidence[]): IdentifiedPdf {
  const pages: Page[] = [];
  let text = '';
  for (const [number, page] of [...read].toSorted(([a], [b]) => a - b)) {
    const part = pageText(page);
    pages.push({ number, page, text: part, start: text.length });
    text += `${part.text}\n\n`;
  }
  const found = findIdentifiers(text);
  const { doi, arxiv, isbn, readings } = ownIdentifiers(text, found, {
    front: pages[FRONT_PAGES]?.start ?? text.length,
    back: pages.length > FRONT_PAGES ? (pages.at(-1)?.start ?? text.length) : text.length,
    running: runningOf(found, pages),
    said,
  });
  const own = { doi, arxiv, isbn };
  const evidence = [
    ...said.filter(({ field, value }) => field !== 'title' && isOf({ kind: field, value }, own)),
    ...found.filter((one) => isOf(one, own)).map((one) => evidenceOf(one, pages, text)),
  ];
  const [first] = pages;
  const headline = first === undefined ? '' : headlineOf(first.page);
  const front = text.slice(0, pages[FRONT_PAGES]?.start);
  return { ...own, evidence, readings, hasText: /\S/.test(text), front, headline };
}

const isOf = (
  { kind, value }: Pick<FoundIdentifier, 'kind' | 'value'>,
  own: { doi: string | null; arxiv: string | null; isbn: readonly string[] },
): boolean =>
  kind === 'doi'
    ? value === own.doi
    : kind === 'isbn'
      ? own.isbn.includes(value)
      : wholeOf(kind, value) === wholeOf(kind, own.arxiv ?? '');

function numbersOf(pages: number, first: number, last: number): number[] {
  const all = Array.from({ length: pages }, (_, i) => i + 1);
  return all.length <= first + last ? all : [...all.slice(0, first), ...all.slice(-last)];
}

/** Addresses of links on the first pages. */
async function linksOf(pdf: OpenPdf): Promise<DocumentEvidence[]> {
  const evidence: DocumentEvidence[] = [];
  for (const number of new Set([1, Math.min(FRONT_PAGES, pdf.pages)]))
    for (const { address, box } of await pdf.links(number))
      for (const { kind, value } of findIdentifiers(address))
        evidence.push({ field: kind, value, kind: 'link', page: number, box, words: address.slice(0, 300) });
  return evidence;
}

const pageAt = (pages: readonly Page[], at: number): Page | undefined => pages.findLast(({ start }) => start <= at);

/** Values that stand in the margin of two pages or more. */
function runningOf(found: readonly FoundIdentifier[], pages: readonly Page[]): Set<string> {
  const seen = new Map<string, Set<number>>();
  for (const one of found) {
    const page = pageAt(pages, one.start);
    if (!page || placeOf(one, page) === 'text') continue;
    seen.set(one.value, (seen.get(one.value) ?? new Set()).add(page.number));
  }
  return new Set([...seen].flatMap(([value, numbers]) => (numbers.size >= 2 ? [value] : [])));
}

function evidenceOf(one: FoundIdentifier, pages: readonly Page[], text: string): DocumentEvidence {
  const page = pageAt(pages, one.start);
  const words = text
    .slice(Math.max(0, one.start - WORDS), one.end + WORDS)
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (!page) return { field: one.kind, value: one.value, kind: 'text', page: null, box: null, words };
  const box = boxOf(page.text, one.start - page.start, one.end - page.start);
  return { field: one.kind, value: one.value, kind: placeOf(one, page), page: page.number, box, words };
}

function placeOf(
  one: FoundIdentifier,
  { page, text, start }: Page,
): Extract<EvidenceKind, 'text' | 'margin' | 'footer'> {
  const box = boxOf(text, one.start - start, one.end - start);
  if (!box) return 'text';
  const [left, lower, right, upper] = box;
  if (upper < page.height * MARGIN) return 'footer';
  const side = right < page.width * MARGIN || left > page.width * (1 - MARGIN);
  return lower > page.height * (1 - MARGIN) || side ? 'margin' : 'text';
}
