/** Passages: the best windows, grown on both sides, none over another by more than half. */
import type { PlacedChunk } from '../index/file-record.ts';
import type { Span } from '../text/units.ts';
import type { Passage, Region } from './passage.types.ts';
import type { Window } from './windows.ts';

/** UTF-16 code units; so it is no more in code points. */
export const PASSAGE_LENGTH = 1_500;

/** `ranked`: best first. At most `k`. */
export function growPassages(
  ranked: readonly { region: Region; window: Window; score: number }[],
  k: number,
): Passage[] {
  const taken: Passage[] = [];
  for (const { region, window, score } of ranked) {
    if (taken.length >= k) break;
    const beside = taken.filter(
      ({ place }) => place.segment === region.place.segment && place.file === region.place.file,
    );
    const own = { start: region.start + window.start, end: region.start + window.end };
    if (beside.some((other) => overlaps(own, other))) continue;
    const grown = grow(region, window, beside);
    if (beside.some((other) => overlaps(grown, other))) continue;
    taken.push(passage(region, grown, own, score));
  }
  return taken;
}

/** By more than half of the shorter one. */
function overlaps(a: Span, b: Span): boolean {
  const shared = Math.min(a.end, b.end) - Math.max(a.start, b.start);
  return shared > Math.min(a.end - a.start, b.end - b.start) / 2;
}

/** Whole units are added before and behind in turn, as long as there is room; it stops one unit into text shown already. */
function grow({ units, start }: Region, window: Window, beside: readonly Span[]): Span {
  let { first, last } = window;
  const shown = (at: number): boolean => {
    const unit = units[at];
    return (
      unit !== undefined && beside.some((span) => span.start <= start + unit.start && start + unit.end <= span.end)
    );
  };
  const length = (from: number, to: number): number => (units[to]?.end ?? 0) - (units[from]?.start ?? 0);
  let before = true;
  let behind = true;
  while (before || behind) {
    behind &&= last + 1 < units.length && !shown(last) && length(first, last + 1) <= PASSAGE_LENGTH;
    if (behind) last += 1;
    before &&= first > 0 && !shown(first) && length(first - 1, last) <= PASSAGE_LENGTH;
    if (before) first -= 1;
  }
  return { start: start + (units[first]?.start ?? 0), end: start + (units[last]?.end ?? 0) };
}

function passage(region: Region, { start, end }: Span, core: Span, score: number): Passage {
  const { of, file, place } = region;
  const chunk = textChunkAt(region, core.start);
  const startLine = lineAt(region, chunk, start);
  const text = of.text(file, start, end);
  return {
    ...{ place, path: file.path, agentId: file.agentId, language: file.language, start, end, text, score },
    startLine,
    endLine: startLine + countLines(text),
    chunkType: chunk.chunkType,
    symbolName: chunk.symbolName,
    fullyQualifiedName: chunk.fullyQualifiedName,
    metadata: chunk.metadata,
  };
}

/** Short chunks of text share a piece, over the pages of a document, too: the one of them that the place is in. */
function textChunkAt(region: Region, at: number): PlacedChunk {
  const { of, file } = region;
  let number = chunkAt(region, at);
  let chunk = of.chunk(number);
  while (chunk.chunkType === 'text' && chunk.end <= at && number + 1 < file.firstChunk + file.chunks) {
    const next = of.chunk(number + 1);
    if (next.chunkType !== 'text' || next.start > at) break;
    number += 1;
    chunk = next;
  }
  return chunk;
}

/** The chunk of the piece at a place, or the one before it. */
export function chunkAt({ of, file }: Region, at: number): number {
  let low = file.firstPiece;
  let high = file.firstPiece + file.pieces - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((of.pieceStart[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return of.pieceChunk[low] ?? 0;
}

function lineAt({ of, file }: Region, chunk: Span & { startLine: number }, at: number): number {
  if (at >= chunk.start) return chunk.startLine + countLines(of.text(file, chunk.start, at));
  return chunk.startLine - countLines(of.text(file, at, chunk.start));
}

/** Ends of lines in a text: LF, CR or CRLF. */
export function countLines(text: string): number {
  let lines = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) lines += 1;
  }
  return lines;
}
