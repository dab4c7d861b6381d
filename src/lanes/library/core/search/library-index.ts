/** The segments of one library as one index, with the files that are no longer in force left out. */
import type { KeptFile, Segment } from '../index/segment.ts';

/** A file in a library: which segment, and which of its files. */
export interface FilePlace {
  segment: number;
  file: number;
}

export interface SegmentPart {
  /** Unique in the library; it outlives merges of other segments. */
  id: string;
  segment: Segment;
  /** Files of it that are gone or were read anew. */
  dead: ReadonlySet<number>;
}

export class LibraryIndex {
  readonly parts: readonly SegmentPart[];
  /** Pieces of text in force. */
  readonly pieces: number;
  /** Words a piece, on average. */
  readonly meanWords: number;

  constructor(parts: readonly SegmentPart[]) {
    this.parts = parts;
    let pieces = 0;
    let words = 0;
    for (const { segment, dead } of parts) {
      for (const [number, file] of segment.files.entries()) {
        if (dead.has(number)) continue;
        pieces += file.pieces;
        for (let at = file.firstPiece; at < file.firstPiece + file.pieces; at++) words += segment.pieceWords[at] ?? 0;
      }
    }
    this.pieces = pieces;
    this.meanWords = pieces === 0 ? 1 : Math.max(1, words / pieces);
  }

  *files(): Generator<FilePlace & { kept: KeptFile; of: Segment }> {
    for (const [segment, { segment: of, dead }] of this.parts.entries())
      for (const [file, kept] of of.files.entries()) if (!dead.has(file)) yield { segment, file, kept, of };
  }
}
