/** Text without a known structure, by blank line and heading. */
import type { Chunk } from './chunk.ts';
import type { SourceText } from './source-text.ts';

/** UTF-16 units that a chunk of plain text has at most. */
export const MAX_TEXT = 1500;

/** A line that heads what follows: `# Title`, `1.2 Title`, `CHAPTER ONE`, `Title:` alone. */
const HEADING =
  /^(#{1,6}\s+\S|(\d+\.)+\d*\s+\p{Lu}|(chapter|part|section|appendix)\s+[\divxlc]+\b|\p{Lu}[\p{Lu}\d '&,-]{3,60}$)/iu;
const UNDERLINE = /^(={3,}|-{3,}|~{3,})$/;

/**
 * The lines [first, last] as chunks of type `text`: one a paragraph, a heading together with the paragraph that it
 * heads, and none above `MAX_TEXT`. Blank lines are in none.
 */
export function textChunks(source: SourceText, first = 1, last = source.lines): Chunk[] {
  return paragraphs(source, first, last).flatMap(([from, to]) => {
    const range = source.trimmed(source.startOf(from), source.endOf(to));
    return range === null
      ? []
      : pieces(source, ...range).map(([start, end]) => source.chunk(start, end, { type: 'text' }));
  });
}

/** Line ranges. */
function paragraphs(source: SourceText, first: number, last: number): [from: number, to: number][] {
  const found: { from: number; to: number; heading: boolean }[] = [];
  let open = false;
  for (let line = first; line <= last; line++) {
    const text = lineText(source, line);
    if (text === '') {
      open = false;
      continue;
    }
    const heading = isHeading(source, line, last, text);
    const current = found.at(-1);
    if (open && !heading && current) {
      current.to = line;
      // A line below a heading, or its underline, is still of it; the heading is not alone any more.
      if (!UNDERLINE.test(text)) current.heading = false;
    } else found.push({ from: line, to: line, heading });
    open = true;
  }
  return joinHeadings(source, found);
}

function joinHeadings(
  source: SourceText,
  found: readonly { from: number; to: number; heading: boolean }[],
): [from: number, to: number][] {
  const joined: [number, number][] = [];
  let headed = false;
  for (const { from, to, heading } of found) {
    const before = joined.at(-1);
    const fits = before && source.endOf(to) - source.startOf(before[0]) <= MAX_TEXT;
    if (headed && !heading && before && fits) before[1] = to;
    else joined.push([from, to]);
    headed = heading;
  }
  return joined;
}

function isHeading(source: SourceText, line: number, last: number, text: string): boolean {
  if (text.length > 120) return false;
  return (HEADING.test(text) && isHeadingCase(text)) || (line < last && UNDERLINE.test(lineText(source, line + 1)));
}

/** The pattern's words are known in any case; a line in capitals has to be in capitals. */
function isHeadingCase(text: string): boolean {
  return /^(#|\d|chapter|part|section|appendix)/i.test(text) || text === text.toUpperCase();
}

function lineText(source: SourceText, line: number): string {
  const start = source.startOf(line);
  // What is longer is no heading; a line of megabytes is not copied.
  return source.content.slice(start, Math.min(source.endOf(line), start + 200)).trim();
}

/** Ranges of at most `MAX_TEXT`: broken at the last end of line, else of sentence, else blank that fits. */
function pieces(source: SourceText, start: number, end: number): [start: number, end: number][] {
  const found: [number, number][] = [];
  let at = start;
  while (end - at > MAX_TEXT) {
    const cut = breakIn(source.content, at, at + MAX_TEXT);
    const range = source.trimmed(at, cut);
    if (range) found.push(range);
    at = cut;
  }
  const rest = source.trimmed(at, end);
  if (rest) found.push(rest);
  return found;
}

function breakIn(content: string, start: number, end: number): number {
  const least = start + MAX_TEXT / 3;
  const text = content.slice(start, end);
  const line = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
  if (start + line >= least) return start + line + 1;
  const sentence = [...text.matchAll(/[.!?…]["')\]]*\s|[。！？]/gu)].at(-1);
  if (sentence && start + sentence.index >= least) return start + sentence.index + sentence[0].length;
  const blank = text.lastIndexOf(' ');
  if (blank > 0) return start + blank + 1;
  // Never between the halves of a character.
  const unit = content.charCodeAt(end - 1);
  return unit >= 0xd800 && unit < 0xdc00 ? end - 1 : end;
}
