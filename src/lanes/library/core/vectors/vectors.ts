/** The vectors of a library's pieces, all of one model, scanned whole. */
import type { LibraryIndex } from '../search/library-index.ts';
import type { LibraryStore } from '../indexing/ports.ts';
import { openVectorFile, pieceKey, quantized, type VectorFile } from './vector-file.ts';

/** As the manifest names them. */
export interface VectorNames {
  model: string;
  ids: readonly string[];
}

/** Files of another model than the manifest says are left out: two are never mixed. */
export async function openVectorFiles(store: LibraryStore, named: VectorNames | undefined): Promise<VectorFile[]> {
  const files: VectorFile[] = [];
  for (const id of named?.ids ?? []) {
    const buffer = await store.readSegment(id);
    const file = buffer === null ? null : openVectorFile(buffer);
    if (file !== null && file.model === named?.model && file.dimension === (files[0]?.dimension ?? file.dimension))
      files.push(file);
  }
  return files;
}

/** A vector in a file. */
interface Row {
  file: VectorFile;
  row: number;
}

/** Where each piece's vector is. */
export class Vectors {
  readonly model: string;
  readonly dimension: number;
  /** Pieces in force, and those of them that have a vector. */
  readonly pieces: number;
  readonly known: number;
  /** By segment: of each piece its row in `#values`, from 1; 0: it has none, or its file is gone. */
  readonly #rows: Uint32Array[] = [];
  readonly #scales: Float32Array;
  readonly #values: Int8Array;

  /** Files of another dimension than the first are left out. */
  constructor(model: string, all: readonly VectorFile[], index: LibraryIndex) {
    this.model = model;
    this.dimension = all[0]?.dimension ?? 0;
    const files = all.filter(({ dimension }) => dimension === this.dimension);
    const rows = new Map<number, number>();
    let total = 0;
    for (const { keys } of files) for (const key of keys) rows.set(key, (total += 1));
    this.#scales = new Float32Array(total + 1);
    this.#values = new Int8Array((total + 1) * this.dimension);
    let at = 1;
    for (const { scales, values } of files) {
      this.#scales.set(scales, at);
      this.#values.set(values, at * this.dimension);
      at += scales.length;
    }
    let [pieces, known] = [0, 0];
    for (const [segment, { segment: of }] of index.parts.entries()) this.#rows[segment] = new Uint32Array(of.pieces);
    for (const { segment, piece, text } of piecesIn(index)) {
      const row = rows.get(pieceKey(text)) ?? 0;
      const own = this.#rows[segment];
      if (own !== undefined) own[piece] = row;
      pieces += 1;
      if (row > 0) known += 1;
    }
    [this.pieces, this.known] = [pieces, known];
  }

  /** Calls `visit` with the cosine of each piece to the question. */
  scan(question: Float32Array, visit: (segment: number, piece: number, cosine: number) => void): void {
    const { dimension } = this;
    if (question.length !== dimension) return;
    const asked = new Int8Array(dimension);
    const scale = quantized(question, asked);
    for (const [segment, rows] of this.#rows.entries())
      for (let piece = 0; piece < rows.length; piece++) {
        const row = rows[piece] ?? 0;
        if (row === 0) continue;
        const from = row * dimension;
        let sum = 0;
        for (let at = 0; at < dimension; at++) sum += (asked[at] ?? 0) * (this.#values[from + at] ?? 0);
        visit(segment, piece, sum * scale * (this.#scales[row] ?? 0));
      }
  }
}

/** The pieces of files in force, with what they say. */
export function* piecesIn(index: LibraryIndex): Generator<{ segment: number; piece: number; text: string }> {
  for (const { segment, kept, of } of index.files())
    for (let piece = kept.firstPiece; piece < kept.firstPiece + kept.pieces; piece++)
      yield { segment, piece, text: of.text(kept, of.pieceStart[piece] ?? 0, of.pieceEnd[piece] ?? 0) };
}

/** The vectors of files, as numbers again, of those keys alone that are wanted. */
export function* vectorsOf(
  files: readonly VectorFile[],
  wanted: ReadonlySet<number>,
): Generator<[number, Float32Array]> {
  for (const { file, row, key } of rowsOf(files)) {
    if (!wanted.has(key)) continue;
    const scale = file.scales[row] ?? 0;
    const values = file.values.subarray(row * file.dimension, (row + 1) * file.dimension);
    yield [key, Float32Array.from(values, (one) => one * scale)];
  }
}

function* rowsOf(files: readonly VectorFile[]): Generator<Row & { key: number }> {
  for (const file of files) for (const [row, key] of file.keys.entries()) yield { file, row, key };
}
