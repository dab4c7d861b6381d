/**
 * Pieces: what is indexed. Chunks may enclose each other and be of any length, so each stretch of text belongs to the
 * innermost chunk that holds it, and is cut into pieces of up to PIECE_LENGTH.
 */
import { lines, sentences, type Span } from '../text/units.ts';
import type { PlacedChunk } from './file-record.ts';

/** UTF-16 code units. */
export const PIECE_LENGTH = 1_000;

export interface Piece extends Span {
  /** Which of the file's chunks. */
  chunk: number;
}

/** Chunks of running text, whose units are sentences. Everything else is code, and its units are lines. */
export const isProse = (chunkType: string, language: string): boolean =>
  chunkType === 'section' || (chunkType === 'text' && PROSE_LANGUAGES.has(language));

/** What agents of text, pages and documents say, and endings of files that no other agent takes. */
const PROSE_LANGUAGES = new Set([
  '',
  'text',
  'txt',
  'markdown',
  'md',
  'html',
  'htm',
  'xhtml',
  'pdf',
  'rst',
  'org',
  'adoc',
  'tex',
]);

/** In the order of the text. */
export function piecesOf(text: string, chunks: readonly PlacedChunk[], language: string): Piece[] {
  const pieces: Piece[] = [];
  const open: { chunk: number; end: number }[] = [];
  let at = 0;
  const take = (end: number): void => {
    const inner = open.at(-1);
    if (inner !== undefined && end > at) cut(text, { start: at, end }, inner.chunk, chunks, language, pieces);
    at = Math.max(at, end);
  };
  for (const [chunk, { start, end }] of chunks.entries()) {
    for (let top = open.at(-1); top !== undefined && top.end <= start; top = open.at(-1)) {
      take(top.end);
      open.pop();
    }
    take(start);
    at = Math.max(at, start);
    open.push({ chunk, end });
  }
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    open.push(top);
    take(top.end);
    open.pop();
  }
  return pieces;
}

function cut(
  text: string,
  span: Span,
  chunk: number,
  chunks: readonly PlacedChunk[],
  language: string,
  pieces: Piece[],
): void {
  const prose = isProse(chunks[chunk]?.chunkType ?? '', language);
  const units = (prose ? sentences : lines)(text, span.start, span.end);
  let first: number | null = null;
  let last = 0;
  for (const unit of units) {
    if (first !== null && unit.end - first > PIECE_LENGTH) {
      pieces.push({ chunk, start: first, end: last });
      first = null;
    }
    first ??= unit.start;
    last = unit.end;
  }
  if (first === null) return;
  const before = pieces.at(-1);
  // Short paragraphs are one piece together: a word weighs the same however a text is parted.
  const joins = prose && before !== undefined && chunks[before.chunk]?.chunkType === 'text';
  if (joins && chunks[chunk]?.chunkType === 'text' && last - before.start <= PIECE_LENGTH) before.end = last;
  else pieces.push({ chunk, start: first, end: last });
}
