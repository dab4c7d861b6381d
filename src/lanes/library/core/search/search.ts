/**
 * Search in a library: candidates by BM25 over pieces, then windows around them ranked by their sentences, and the best
 * of them grown to passages.
 */
import { isProse } from '../index/pieces.ts';
import type { KeptFile, Segment } from '../index/segment.ts';
import type { Passage, Region } from './passage.types.ts';
import type { Span } from '../text/units.ts';
import { eachWord, termsOf } from '../text/words.ts';
import { candidatesOf, type Candidate } from './candidates.ts';
import type { FilePlace, LibraryIndex } from './library-index.ts';
import { chunkAt, growPassages } from './passages.ts';
import { frequencyOf, inverseFrequency, parseQuery, type Query } from './query.ts';
import { SHARES, unitsOf, WINDOW_LENGTH, windowsOf, type Window } from './windows.ts';

export interface SearchOptions {
  /** How many passages, at most. */
  k?: number;
  /** Whether a file may be shown. */
  allows?: (place: FilePlace) => boolean;
}

/** Pieces that are looked at closely. */
export const CANDIDATES = 60;

/** Best first. An empty question finds nothing. */
export function searchLibrary(index: LibraryIndex, words: string, { k = 10, allows }: SearchOptions = {}): Passage[] {
  const query = parseQuery(words, (term) => inverseFrequency(index.pieces, frequencyOf(index, term)));
  if (query.terms.length === 0) return [];
  return passagesAmong(index, query, candidatesOf(index, query, CANDIDATES, allows), k);
}

/** What of an index is looked into once candidates are known. */
export type SearchedParts = Pick<LibraryIndex, 'parts' | 'meanWords'>;

/** Ranks windows around some pieces, wherever the pieces were found. */
export function passagesAmong(
  index: SearchedParts,
  query: Query,
  candidates: readonly Candidate[],
  k: number,
): Passage[] {
  const regions = regionsOf(index, candidates, query);
  const ranked: { region: Region; window: Window; score: number }[] = [];
  for (const region of regions)
    for (const window of windowsOf(region.units, query, index.meanWords))
      ranked.push({ region, window, score: window.score + region.bonus + nameScore(region, window, query) });
  ranked.sort((a, b) => b.score - a.score || a.region.start + a.window.start - b.region.start - b.window.start);
  return growPassages(ranked, k);
}

/** Passages around pieces in the order of the pieces, whatever was looked for in them. */
export function passagesAround(index: SearchedParts, candidates: readonly Candidate[], k: number): Passage[] {
  const query = NO_WORDS;
  const ranked = candidates.flatMap((candidate) => {
    const [region] = regionsOf(index, [candidate], query);
    const of = region?.of;
    if (region === undefined || of === undefined) return [];
    const [start, end] = [of.pieceStart[candidate.piece] ?? 0, of.pieceEnd[candidate.piece] ?? 0];
    const inside = [...region.units.keys()].filter((at) => {
      const unit = region.units[at];
      return unit !== undefined && region.start + unit.end > start && region.start + unit.start < end;
    });
    const [first, last] = [inside[0], inside.at(-1)];
    if (first === undefined || last === undefined) return [];
    const { score } = candidate;
    const span = { start: region.units[first]?.start ?? 0, end: region.units[last]?.end ?? 0 };
    return [{ region, window: { ...span, score, first, last }, score }];
  });
  return growPassages(ranked, k);
}

const NO_WORDS: Query = { terms: [], numbers: new Map(), pairs: new Map(), mayBeIn: () => false };

/** What the name of the chunk adds where a window begins in it. */
function nameScore(region: Region, window: Window, query: Query): number {
  const name = region.of.symbol(chunkAt(region, region.start + window.start));
  if (name === '') return 0;
  const said = new Set<string>();
  eachWord(name, 0, name.length, (word) => {
    for (const term of termsOf(word)) said.add(term);
  });
  let sum = 0;
  for (const { term, weight } of query.terms) if (said.has(term)) sum += weight;
  return SHARES.name * sum;
}

/** Candidates of a file that are near each other are one region, with room around for windows to grow. */
function regionsOf(index: SearchedParts, candidates: readonly Candidate[], query: Query): Region[] {
  const byFile = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    const key = `${candidate.segment} ${candidate.file}`;
    byFile.set(key, [...(byFile.get(key) ?? []), candidate]);
  }
  const regions: Region[] = [];
  for (const group of byFile.values()) {
    const [first] = group;
    const of = index.parts[first?.segment ?? -1]?.segment;
    const file = of?.files[first?.file ?? -1];
    if (first === undefined || of === undefined || file === undefined) continue;
    const place = { segment: first.segment, file: first.file };
    const bonus =
      (SHARES.file * group.slice(0, 5).reduce((sum, { score }) => sum + score, 0)) / Math.min(5, group.length);
    for (const { start, end, prose } of stretches(of, file, group)) {
      const units = unitsOf(of.text(file, start, end), prose, query);
      regions.push({ place, file, of, prose, units, start, end, bonus });
    }
  }
  return regions;
}

function stretches(of: Segment, file: KeptFile, group: readonly Candidate[]): (Span & { prose: boolean })[] {
  const spans = group
    .map(({ piece }) => ({ piece, start: of.pieceStart[piece] ?? 0, end: of.pieceEnd[piece] ?? 0 }))
    .sort((a, b) => a.start - b.start);
  const out: (Span & { prose: boolean })[] = [];
  for (const { piece, start, end } of spans) {
    const from = Math.max(0, start - WINDOW_LENGTH);
    const to = Math.min(file.length, end + WINDOW_LENGTH);
    const last = out.at(-1);
    if (last !== undefined && from <= last.end) last.end = Math.max(last.end, to);
    else
      out.push({ start: from, end: to, prose: isProse(of.chunk(of.pieceChunk[piece] ?? 0).chunkType, file.language) });
  }
  return out.map((span) => ({ ...span, ...whole(of, file, span) }));
}

/** A stretch begins where a line begins, or else a piece, so that no unit is cut. */
function whole(of: Segment, file: KeptFile, { start, end }: Span): Span {
  let from = start;
  let to = end;
  for (let piece = file.firstPiece; piece < file.firstPiece + file.pieces; piece++) {
    const [begins, ends] = [of.pieceStart[piece] ?? 0, of.pieceEnd[piece] ?? 0];
    if (begins < start && ends > start) from = Math.min(from, begins);
    if (begins < end && ends > end) to = Math.max(to, ends);
  }
  return { start: from, end: to };
}
