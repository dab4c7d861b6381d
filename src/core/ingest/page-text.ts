/** The text of a page as identifiers are looked for in it, each piece with its place. */
import type { PdfBox, PdfPage, PdfPiece } from '#core/ingest/pdf.ts';

/** Letters below this are for machines, not for readers (points). */
const LEAST_SIZE = 3;
/** Shares of the letters' size: of a gap that is a blank, and of a step that is another line. */
const BLANK = 0.15;
const STEP = 0.5;

interface Span {
  start: number;
  end: number;
  piece: PdfPiece;
}

export interface PageText {
  text: string;
  spans: readonly Span[];
}

/**
 * Pieces in the order in which the page draws them, which is that of its columns in most programs' files. What is too
 * small to read is left out.
 */
export function pageText({ pieces }: PdfPage): PageText {
  const spans: Span[] = [];
  let text = '';
  let before: PdfPiece | null = null;
  for (const piece of pieces) {
    if (piece.text === '' || piece.size < LEAST_SIZE) continue;
    if (before) text += between(before, piece, text);
    spans.push({ start: text.length, end: text.length + piece.text.length, piece });
    text += piece.text;
    before = piece;
  }
  return { text, spans };
}

function between(before: PdfPiece, piece: PdfPiece, text: string): string {
  const size = Math.max(before.size, piece.size);
  // What is turned runs along y; its baseline is an x.
  const [line, lineBefore] = piece.turned ? [piece.x, before.x] : [piece.y, before.y];
  const [at, atBefore] = piece.turned ? [piece.y, before.y] : [piece.x, before.x];
  if (piece.turned !== before.turned || Math.abs(line - lineBefore) > STEP * size) return '\n';
  const gap = at - (atBefore + before.width);
  if (gap < -size) return '\n';
  return gap > BLANK * size && !/\s$/.test(text) && !/^\s/.test(piece.text) ? ' ' : '';
}

/** The box around a part of the page's text: of all its pieces, each cut by its share of letters; null without any. */
export function boxOf({ spans }: PageText, start: number, end: number): PdfBox | null {
  const boxes = spans.flatMap((span) => (span.start < end && start < span.end ? [partOf(span, start, end)] : []));
  if (boxes.length === 0) return null;
  const [lefts, lowers, rights, uppers] = [0, 1, 2, 3].map((i) => boxes.map((box) => box[i] ?? 0));
  return [
    Math.min(...(lefts ?? [])),
    Math.min(...(lowers ?? [])),
    Math.max(...(rights ?? [])),
    Math.max(...(uppers ?? [])),
  ];
}

/** Letters go 0.2 of their size below the baseline and 0.8 above, near enough for an outline. */
function partOf({ piece, ...span }: Span, start: number, end: number): PdfBox {
  const length = Math.max(1, span.end - span.start);
  const from = (Math.max(start, span.start) - span.start) / length;
  const to = (Math.min(end, span.end) - span.start) / length;
  const [low, high] = [0.2 * piece.size, 0.8 * piece.size];
  return piece.turned
    ? [piece.x - high, piece.y + from * piece.width, piece.x + low, piece.y + to * piece.width]
    : [piece.x + from * piece.width, piece.y - low, piece.x + to * piece.width, piece.y + high];
}
