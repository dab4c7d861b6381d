/** Vectors of a file's pieces as one column keeps them: of each a scale (32-bit float, little-endian), then 8-bit numbers. */
import { quantized } from '#lanes/library/core/vectors/vector-file.ts';

const SCALE_BYTES = 4;

/** Vectors of length 1 and of one dimension, in the order of the pieces. */
export function packPieceVectors(vectors: readonly Float32Array[], dimension: number): Uint8Array {
  const bytes = new Uint8Array(vectors.length * (SCALE_BYTES + dimension));
  const view = new DataView(bytes.buffer);
  for (const [piece, vector] of vectors.entries()) {
    const at = piece * (SCALE_BYTES + dimension);
    view.setFloat32(at, quantized(vector, new Int8Array(bytes.buffer, at + SCALE_BYTES, dimension)), true);
  }
  return bytes;
}

/** A question's vector, as pieces are compared with it. */
export class AskedVector {
  readonly #values: Int8Array;
  readonly #scale: number;

  constructor(question: Float32Array) {
    this.#values = new Int8Array(question.length);
    this.#scale = quantized(question, this.#values);
  }

  get dimension(): number {
    return this.#values.length;
  }

  /** The cosine of each piece to the question, in their order; none where they are of another dimension. */
  *cosines({ vectors, dimension, pieces }: { vectors: Uint8Array; dimension: number; pieces: number }) {
    const asked = this.#values;
    if (dimension !== asked.length || vectors.length !== pieces * (SCALE_BYTES + dimension)) return;
    const values = new Int8Array(vectors.buffer, vectors.byteOffset, vectors.byteLength);
    const view = new DataView(vectors.buffer, vectors.byteOffset, vectors.byteLength);
    for (let piece = 0; piece < pieces; piece++) {
      const at = piece * (SCALE_BYTES + dimension);
      let sum = 0;
      for (let n = 0; n < dimension; n++) sum += (asked[n] ?? 0) * (values[at + SCALE_BYTES + n] ?? 0);
      yield sum * this.#scale * view.getFloat32(at, true);
    }
  }
}
