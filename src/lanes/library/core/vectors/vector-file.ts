/**
 * Vectors of pieces, by what the pieces say: a copy, a moved file and a merged segment keep theirs. Stored as 8-bit numbers
 * with one scale a vector. Sections: `high`, `low` (the key), `scales`, `values`.
 */
import * as v from 'valibot';
import { openSections, packSections, type TypedArray } from '#core/index/sections.ts';

/** Of the form of a file and of how keys are made. History: 1 first form. */
const VERSION = 1;

const NoteSchema = v.object({ vectors: v.literal(VERSION), model: v.string(), dimension: v.number() });

export interface VectorFile {
  model: string;
  dimension: number;
  keys: Float64Array;
  scales: Float32Array;
  values: Int8Array;
}

/** 53 bits of what a piece says: a hundred thousand pieces meet once in a million libraries. */
export function pieceKey(text: string): number {
  let [a, b] = [0x9e3779b9, 0x85ebca6b];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0xcc9e2d51);
    b = (b << 13) | (b >>> 19);
  }
  a ^= a >>> 15;
  b ^= b >>> 16;
  return (a >>> 0) * 2 ** 21 + (Math.imul(b, 0x9e3779b1) >>> 11);
}

/** A vector of length 1 as 8-bit numbers; times the scale they are it again. */
export function quantized(vector: Float32Array, into: Int8Array): number {
  let most = 0;
  for (const one of vector) most = Math.max(most, Math.abs(one));
  const scale = most / 127;
  for (const [at, one] of vector.entries()) into[at] = scale === 0 ? 0 : Math.round(one / scale);
  return scale;
}

/** The pieces of a file in order, as packSections gives them. */
export function packVectors(
  model: string,
  dimension: number,
  vectors: ReadonlyMap<number, Float32Array>,
): Uint8Array[] {
  const count = vectors.size;
  const [high, low] = [new Uint32Array(count), new Uint32Array(count)];
  const [scales, values] = [new Float32Array(count), new Int8Array(count * dimension)];
  let row = 0;
  for (const [key, vector] of vectors) {
    [high[row], low[row]] = [Math.floor(key / 2 ** 32), key % 2 ** 32];
    scales[row] = quantized(vector, values.subarray(row * dimension, (row + 1) * dimension));
    row += 1;
  }
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  const sections = new Map<string, TypedArray>([
    ['high', high],
    ['low', low],
    ['scales', scales],
    ['values', bytes],
  ]);
  return packSections(sections, { vectors: VERSION, model, dimension });
}

/** Null where it is none, is damaged, or is of another version. */
export function openVectorFile(buffer: ArrayBuffer): VectorFile | null {
  try {
    const { note, view } = openSections(buffer);
    const said = v.safeParse(NoteSchema, note);
    if (!said.success) return null;
    const { model, dimension } = said.output;
    const [high, low, scales, bytes] = [
      view('high', 'u32'),
      view('low', 'u32'),
      view('scales', 'f32'),
      view('values', 'u8'),
    ];
    const keys = Float64Array.from(high, (one, at) => one * 2 ** 32 + (low[at] ?? 0));
    const values = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (scales.length !== keys.length || values.length !== keys.length * dimension) return null;
    return { model, dimension, keys, scales, values };
  } catch {
    return null;
  }
}
