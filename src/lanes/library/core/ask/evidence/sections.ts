/** Headings of a file's text, and where each of its lines is. */
import { isProse } from '../../index/pieces.ts';
import type { PlacedChunk } from '../../index/file-record.ts';
import type { KeptFile, Segment } from '../../index/segment.ts';
import { countLines } from '../../search/passages.ts';
import type { Section } from './evidence.types.ts';

/** All of a file, part by part; each part belongs to the innermost chunk that holds it. */
export function sectionsOf(of: Segment, file: KeptFile): Section[] {
  const known = kept.get(file);
  if (known !== undefined) return known;
  const text = of.text(file);
  const chunks = of.chunksOf(file);
  const rendered = isRendered(text, chunks);
  const sections: Section[] = [];
  const open: PlacedChunk[] = [];
  let at = 0;
  let line = 1;
  const take = (end: number): void => {
    if (end <= at) return;
    const chunk = open.at(-1);
    const endLine = line + countLines(text.slice(at, end).replace(/\r?\n$|\r$/, ''));
    sections.push({
      ...{ start: at, end, rendered },
      heading: headingOf(open),
      startLine: rendered ? (chunk?.startLine ?? 1) : line,
      endLine: rendered ? (chunk?.endLine ?? 1) : endLine,
      page: pageOf(chunk),
      prose: chunk === undefined || isProse(chunk.chunkType, file.language),
    });
    line += countLines(text.slice(at, end));
    at = end;
  };
  for (const chunk of chunks) {
    for (let top = open.at(-1); top !== undefined && top.end <= chunk.start; top = open.at(-1)) {
      take(top.end);
      open.pop();
    }
    take(chunk.start);
    open.push(chunk);
  }
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    take(top.end);
    open.pop();
  }
  take(text.length);
  kept.set(file, sections);
  return sections;
}

/** A segment is never changed. */
const kept = new WeakMap<KeptFile, Section[]>();

/** Whether the chunks' lines are not those of the text: it is what an agent found in the file. */
function isRendered(text: string, chunks: readonly PlacedChunk[]): boolean {
  let at = 0;
  let line = 1;
  for (const { start, startLine, end, endLine } of [...chunks].sort((a, b) => a.start - b.start)) {
    line += countLines(text.slice(at, start));
    at = start;
    if (line !== startLine) return true;
    if (line + countLines(text.slice(start, Math.max(start, end - 1))) !== endLine) return true;
  }
  return false;
}

function headingOf(open: readonly PlacedChunk[]): string {
  const names: string[] = [];
  for (const { symbolName, metadata } of open) {
    const { title } = metadata;
    if (title !== undefined && title !== '' && !names.includes(title)) names.push(title);
    if (symbolName !== null && !names.includes(symbolName)) names.push(symbolName);
  }
  const inner = open.at(-1);
  // Sections of a page do not enclose each other: the outer headings are in the qualified name alone.
  if (names.length < 3 && inner?.parentSymbol !== null && inner?.parentSymbol !== undefined)
    if (!names.includes(inner.parentSymbol)) names.splice(-1, 0, inner.parentSymbol);
  return names.join(' > ');
}

function pageOf(chunk: PlacedChunk | undefined): number | null {
  const page = Number(chunk?.metadata['page'] ?? NaN);
  return Number.isSafeInteger(page) ? page : null;
}
