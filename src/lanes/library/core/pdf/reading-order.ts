/**
 * Lines of a page in the order in which they are read: the page is cut where nothing stands (X-Y cut, Nagy and Seth
 * 1984), columns before rows:
 *
 *   region -> a gutter from top to bottom? left, then right
 *          -> else the widest gap between its lines: above, then below
 *          -> else its lines, from top to bottom
 */
import type { PdfPage, PdfPiece } from '#core/ingest/pdf.ts';

export interface PdfLine {
  text: string;
  /** Of the baseline, from the page's lower edge, points. */
  y: number;
  size: number;
  /** A blank line stands before it. */
  apart: boolean;
}

/** Lines on both sides of a gutter, at least; share of the region's width that a column has, at least. */
const MIN_COLUMN_LINES = 4;
const MIN_COLUMN_SHARE = 0.2;
/** Gutter and gap between lines, at least, in sizes of letters. */
const GUTTER = 0.8;
const GAP = 0.6;
/** Cuts within cuts: no page needs more. */
const MAX_DEPTH = 24;

/** The lines of a page; what is turned (a stamp in the margin) comes last. */
export function readingOrder({ pieces }: PdfPage): PdfLine[] {
  const shown = pieces.filter(({ text }) => text.trim() !== '');
  const upright = shown.filter(({ turned }) => !turned);
  const turned = shown.filter((piece) => piece.turned);
  const lines = regionLines(upright, 0);
  const last = turned.map((piece) => piece.text).join('');
  return last.trim() === '' ? lines : [...lines, { text: last.trim(), y: 0, size: turned[0]?.size ?? 1, apart: true }];
}

function regionLines(pieces: readonly PdfPiece[], depth: number): PdfLine[] {
  if (pieces.length === 0) return [];
  const size = median(pieces.map((piece) => piece.size)) || 1;
  if (depth < MAX_DEPTH) {
    const gutter = gutterOf(pieces, size);
    if (gutter !== null) {
      const left = pieces.filter(({ x, width }) => x + width / 2 < gutter);
      const right = pieces.filter(({ x, width }) => x + width / 2 >= gutter);
      return [...regionLines(left, depth + 1), ...startApart(regionLines(right, depth + 1))];
    }
    const gap = hasColumns(pieces, size) ? gapOf(pieces, size) : null;
    if (gap !== null) {
      const above = pieces.filter(({ y }) => y > gap);
      const below = pieces.filter(({ y }) => y <= gap);
      return [...regionLines(above, depth + 1), ...startApart(regionLines(below, depth + 1))];
    }
  }
  return linesOf(pieces, size);
}

const startApart = (lines: PdfLine[]): PdfLine[] => lines.map((line, i) => (i === 0 ? { ...line, apart: true } : line));

/** The middle of the widest strip that no piece crosses and that has a column on both sides; null where there is none. */
function gutterOf(pieces: readonly PdfPiece[], size: number): number | null {
  const spans = pieces.map(({ x, width }) => [x, x + width] as const).toSorted((a, b) => a[0] - b[0]);
  const [first, right] = [spans[0]?.[0] ?? 0, Math.max(...spans.map(([, end]) => end))];
  let end = spans[0]?.[1] ?? 0;
  let best: number | null = null;
  let widest = GUTTER * size;
  for (const [start, stop] of spans) {
    const middle = (start + end) / 2;
    if (start - end >= widest && areColumns(pieces, middle, first, right)) [best, widest] = [middle, start - end];
    end = Math.max(end, stop);
  }
  return best;
}

function areColumns(pieces: readonly PdfPiece[], at: number, left: number, right: number): boolean {
  const share = Math.min(at - left, right - at) / Math.max(1, right - left);
  if (share < MIN_COLUMN_SHARE) return false;
  const lines = (side: (x: number) => boolean): number =>
    new Set(pieces.filter(({ x }) => side(x)).map(({ y }) => Math.round(y))).size;
  return lines((x) => x < at) >= MIN_COLUMN_LINES && lines((x) => x >= at) >= MIN_COLUMN_LINES;
}

/** Whether some lines have a hole in the middle: only then cutting between lines can change the order. */
function hasColumns(pieces: readonly PdfPiece[], size: number): boolean {
  const rows = rowsOf(pieces, size);
  const holes = rows.filter((row) => row.some((piece, i) => i > 0 && piece.x - endOf(row[i - 1]) > GUTTER * size));
  return holes.length >= MIN_COLUMN_LINES;
}

/** Height at the middle of the widest gap between lines. */
function gapOf(pieces: readonly PdfPiece[], size: number): number | null {
  const spans = pieces.map((piece) => [piece.y, piece.y + piece.size] as const).toSorted((a, b) => a[0] - b[0]);
  let top = spans[0]?.[1] ?? 0;
  let best: number | null = null;
  let widest = GAP * size;
  for (const [low, high] of spans) {
    if (low - top > widest) [best, widest] = [(low + top) / 2, low - top];
    top = Math.max(top, high);
  }
  return best;
}

const endOf = (piece: PdfPiece | undefined): number => (piece ? piece.x + piece.width : 0);

/** Pieces of one baseline, from left to right; rows from top to bottom. */
function rowsOf(pieces: readonly PdfPiece[], size: number): PdfPiece[][] {
  const rows: { y: number; pieces: PdfPiece[] }[] = [];
  for (const piece of pieces.toSorted((a, b) => b.y - a.y)) {
    const row = rows.at(-1);
    if (row && row.y - piece.y < Math.max(size, piece.size) * 0.5) row.pieces.push(piece);
    else rows.push({ y: piece.y, pieces: [piece] });
  }
  return rows.map((row) => row.pieces.toSorted((a, b) => a.x - b.x));
}

function linesOf(pieces: readonly PdfPiece[], size: number): PdfLine[] {
  const lines = rowsOf(pieces, size).map((row): PdfLine => {
    let text = '';
    for (const [i, piece] of row.entries()) {
      const gap = i === 0 ? 0 : piece.x - endOf(row[i - 1]);
      text += gap > piece.size * 0.15 && !/\s$/.test(text) && !/^\s/.test(piece.text) ? ` ${piece.text}` : piece.text;
    }
    return {
      text: text.replaceAll(/\s+/g, ' ').trim(),
      y: row[0]?.y ?? 0,
      size: Math.max(...row.map((one) => one.size)),
      apart: false,
    };
  });
  const steps = lines.slice(1).map((line, i) => (lines[i]?.y ?? 0) - line.y);
  const usual = median(steps);
  return lines.map((line, i) => ({
    ...line,
    apart: i > 0 && (steps[i - 1] ?? 0) > usual * 1.35 && (steps[i - 1] ?? 0) > size,
  }));
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}
