/** The text of a PDF as chunks, page by page. */
import type { Chunk } from '#core/ingest/chunk.ts';
import { SourceText } from '#core/ingest/source-text.ts';
import { textChunks } from '#core/ingest/text-chunks.ts';
import { isProgramsTitle, ownRecord } from '#core/documents/own-record.ts';
import type { PdfFacts, PdfPage } from '#core/ingest/pdf.ts';
import { metadataOf } from '../documents/document-facts.ts';
import { readingOrder, type PdfLine } from './reading-order.ts';

/** Lines at the top and at the bottom of a page that may be a running head, or the number of the page. */
const EDGE = 2;
/** A head is on so many pages, at least, and on such a share of them. */
const MIN_HEADS = 2;
const HEAD_SHARE = 0.2;

/** Lines are counted through all pages, an empty one between two. `page` counts from 1. `said`: metadata of every chunk. */
export function pdfChunks(
  pages: readonly PdfPage[],
  filePath: string,
  language: string,
  said: Readonly<Record<string, string>> = {},
): Chunk[] {
  const texts = withoutHeads(pages.map(readingOrder)).map(paragraphText);
  const source = new SourceText(texts.join('\n\n'), filePath, language);
  let line = 1;
  return texts.flatMap((text, i) => {
    const last = line + text.split('\n').length - 1;
    const chunks = text === '' ? [] : textChunks(source, line, last);
    line = last + 2;
    return chunks.map((chunk) => ({ ...chunk, metadata: { ...chunk.metadata, ...said, page: String(i + 1) } }));
  });
}

/** The document that the file says it is, as metadata of its chunks; nothing where it says nothing. */
export function saidOfItself(facts: PdfFacts): Record<string, string> {
  const own = ownRecord(facts, identifierIn);
  return metadataOf({ ...own, title: isProgramsTitle(own.title) ? '' : own.title });
}

/** Fields of their own hold identifiers alone, or behind a label or an address. */
function identifierIn(kind: 'doi' | 'isbn', text: string): string {
  if (kind === 'doi') return /\b10\.\d{4,9}\/[^\s"<>]+/.exec(text)?.[0].toLowerCase() ?? '';
  const digits = text.replaceAll(/[^\dXx]/g, '');
  return digits.length === 10 || digits.length === 13 ? digits : '';
}

/** Without what stands at the edge of page after page, numbers left aside, and without numbers of pages. */
function withoutHeads(pages: readonly PdfLine[][]): PdfLine[][] {
  const counts = new Map<string, number>();
  for (const page of pages)
    for (const key of new Set(edgesOf(page).map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
  const least = Math.max(MIN_HEADS, pages.length * HEAD_SHARE);
  return pages.map((page) => {
    const edges = new Set(edgesOf(page));
    return page.filter((line) => {
      if (!edges.has(line)) return true;
      const isNumber =
        pages.length > 1 &&
        /^[\s\-–—|[(]*(page\s+)?(\d{1,4}|[ivxl]{1,6})(\s*(\/|of)\s*\d{1,4})?[\s\-–—|\])]*$/i.test(line.text);
      return !isNumber && (counts.get(keyOf(line)) ?? 0) < least;
    });
  });
}

/** By height, not by order: a foot may be read before the second column. */
function edgesOf(page: readonly PdfLine[]): PdfLine[] {
  const heights = [...new Set(page.map(({ y }) => Math.round(y)))].toSorted((a, b) => b - a);
  const edge = new Set([...heights.slice(0, EDGE), ...heights.slice(-EDGE)]);
  // A page of few lines is no page of heads alone.
  return heights.length <= EDGE * 2
    ? page.filter(({ y }) => Math.round(y) === heights[0] || Math.round(y) === heights.at(-1))
    : page.filter(({ y }) => edge.has(Math.round(y)));
}

const keyOf = ({ text }: PdfLine): string => text.toLowerCase().replaceAll(/\d+/g, '#').replaceAll(/\s+/g, ' ');

/** Lines with an empty one between paragraphs; a word that is parted at the end of a line is one word. */
function paragraphText(lines: readonly PdfLine[]): string {
  let text = '';
  for (const line of lines) {
    if (text === '') text = line.text;
    else if (/\p{Ll}[-\u00AD]$/u.test(text) && /^\p{Ll}/u.test(line.text)) text = text.slice(0, -1) + line.text;
    else text += (line.apart ? '\n\n' : '\n') + line.text;
  }
  return text;
}
