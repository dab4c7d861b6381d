import type { KeptFile, Segment } from '../index/segment.ts';
import type { Span } from '../text/units.ts';
import type { FilePlace } from './library-index.ts';
import type { Unit } from './windows.ts';

export interface Passage extends Span {
  place: FilePlace;
  path: string;
  agentId: string;
  language: string;
  /** From 1. */
  startLine: number;
  endLine: number;
  /** UTF-16 code units of the file: `start` up to `end`. */
  text: string;
  /** Higher is better; comparable within one answer only. */
  score: number;
  chunkType: string;
  symbolName: string | null;
  fullyQualifiedName: string | null;
  /** As the chunk has them: `page` of a PDF. */
  metadata: Readonly<Record<string, string>>;
}

/** A stretch of a file around candidates, with what it is read as. */
export interface Region extends Span {
  place: FilePlace;
  file: KeptFile;
  of: Segment;
  prose: boolean;
  units: Unit[];
  /** What the file as a whole adds to each window. */
  bonus: number;
}
