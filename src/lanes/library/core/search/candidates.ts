/** Pieces that may answer a question: BM25 over the postings of all segments. */
import type { FilePlace, LibraryIndex } from './library-index.ts';
import type { Query } from './query.ts';

/** BM25: how soon more of a word says nothing more, and how much long pieces are held back. Robertson and Zaragoza 2009. */
export const SATURATION = 0.9;
export const LENGTH_SHARE = 0.5;

/** What so many of a word say in a piece of `length` times the usual words. */
export const termShare = (count: number, length: number): number =>
  (count * (SATURATION + 1)) / (count + SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length));

export interface Candidate extends FilePlace {
  piece: number;
  score: number;
}

/** So many files have at least their best piece among the candidates, also beside one that is full of the words. */
export const FILES = 20;

/** One question after the other writes into these, so that each costs no new memory. `scores` are 0 in between. */
let scratch = { scores: new Float32Array(0), touched: new Uint32Array(0) };

function scratchOf(pieces: number): typeof scratch {
  if (scratch.scores.length < pieces) scratch = { scores: new Float32Array(pieces), touched: new Uint32Array(pieces) };
  return scratch;
}

/** The best pieces first, at most `most`, and the best ones of some more files. `allows`: whether a file may be shown; all may where it is not given. */
export function candidatesOf(
  index: LibraryIndex,
  query: Query,
  most: number,
  allows?: (place: FilePlace) => boolean,
): Candidate[] {
  const best = new Best(most);
  const bestOfFiles = new Best(FILES);
  for (const [segment, { segment: of, dead }] of index.parts.entries()) {
    const { scores, touched } = scratchOf(of.pieces);
    let count = 0;
    for (const { term, weight } of query.terms) {
      const found = of.postings(term);
      if (found === null || weight <= 0) continue;
      for (let at = found.from; at < found.to; at++) {
        const piece = of.postingPieces[at] ?? 0;
        if (scores[piece] === 0) touched[count++] = piece;
        const times = of.postingCounts[at] ?? 0;
        scores[piece] = (scores[piece] ?? 0) + weight * termShare(times, (of.pieceWords[piece] ?? 0) / index.meanWords);
      }
    }
    const bestOf = new Map<number, Candidate>();
    try {
      for (const piece of touched.subarray(0, count)) {
        const score = scores[piece] ?? 0;
        if (score <= best.least && score <= bestOfFiles.least) continue;
        const file = of.fileOfPiece(piece);
        if (dead.has(file) || allows?.({ segment, file }) === false) continue;
        const one = { segment, file, piece, score };
        if (score > best.least) best.add(one);
        if (score > (bestOf.get(file)?.score ?? 0)) bestOf.set(file, one);
      }
    } finally {
      for (const piece of touched.subarray(0, count)) scores[piece] = 0;
    }
    for (const one of bestOf.values()) if (one.score > bestOfFiles.least) bestOfFiles.add(one);
  }
  return [...new Set([...best.sorted(), ...bestOfFiles.sorted()])];
}

/** Keeps the best few: a heap whose top is the least of them. */
class Best {
  readonly #heap: Candidate[] = [];
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  /** What a score must be above to be kept. */
  get least(): number {
    return this.#heap.length < this.#most ? 0 : (this.#heap[0]?.score ?? 0);
  }

  add(one: Candidate): void {
    const heap = this.#heap;
    if (heap.length < this.#most) {
      heap.push(one);
      for (let at = heap.length - 1; at > 0;) {
        const parent = (at - 1) >> 1;
        if (!this.#swapIfLess(at, parent)) break;
        at = parent;
      }
      return;
    }
    heap[0] = one;
    for (let at = 0; ;) {
      const left = 2 * at + 1;
      if (left >= heap.length) break;
      const child = left + 1 < heap.length && (heap[left + 1]?.score ?? 0) < (heap[left]?.score ?? 0) ? left + 1 : left;
      if (!this.#swapIfLess(child, at)) break;
      at = child;
    }
  }

  /** Best first, the earlier file before the later. */
  sorted(): Candidate[] {
    return [...this.#heap].sort(
      (a, b) => b.score - a.score || a.segment - b.segment || a.file - b.file || a.piece - b.piece,
    );
  }

  #swapIfLess(lower: number, upper: number): boolean {
    const [a, b] = [this.#heap[lower], this.#heap[upper]];
    if (a === undefined || b === undefined || a.score >= b.score) return false;
    this.#heap[lower] = b;
    this.#heap[upper] = a;
    return true;
  }
}
