/** What stands largest on the first page: in most documents the title. A guess, for a person to mend. */
import type { PdfPage, PdfPiece } from '#core/ingest/pdf.ts';

/** Times the size of the page's smaller letters: a title page may have few others than the title's. */
const LARGER = 1.15;
/** Letters: fewer are a number or an ornament; more are the text itself. */
const LEAST = 8;
const MOST = 300;

/** '' where nothing stands out. */
export function headlineOf({ pieces }: PdfPage): string {
  const upright = pieces.filter(({ turned, text }) => !turned && text.trim() !== '');
  const sizes = upright.flatMap(({ text, size }) => Array.from(text, () => size)).toSorted((a, b) => a - b);
  const usual = sizes[Math.floor(sizes.length / 5)] ?? 0;
  const lines = linesOf(upright.filter(({ size }) => size >= usual * LARGER));
  const fitting = lines
    .map((line) => ({ text: line.words.replaceAll(/\s+/g, ' ').trim(), size: line.size }))
    .filter(({ text }) => text.replaceAll(/[^\p{L}]/gu, '').length >= LEAST && text.length <= MOST);
  return fitting.toSorted((a, b) => b.size - a.size)[0]?.text ?? '';
}

/** Neighbouring pieces of one size are one text, also over lines. */
function linesOf(pieces: readonly PdfPiece[]): { words: string; size: number }[] {
  const lines: { words: string; size: number; y: number; end: number }[] = [];
  for (const { text, size, x, y, width } of pieces) {
    const last = lines.at(-1);
    if (last !== undefined && Math.abs(last.size - size) < 0.6 && Math.abs(last.y - y) < size * 1.8) {
      const apart = Math.abs(last.y - y) > size * 0.5 || x - last.end > size * 0.15;
      last.words += `${apart && !/-$/.test(last.words) ? ' ' : ''}${text}`;
      last.y = y;
      last.end = x + width;
    } else lines.push({ words: text, size, y, end: x + width });
  }
  return lines;
}
