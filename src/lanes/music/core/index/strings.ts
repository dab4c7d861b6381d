import { fnv1a } from '#core/fnv1a.ts';
import { decodeUtf8, encodeUtf8 } from '#core/utf8.ts';
import { SLICE } from './text-index.ts';

/** Texts as one run of UTF-8: `text(n)` decodes on demand, so that a million of them cost their bytes. */
export interface StringTable {
  readonly length: number;
  text(n: number): string;
}

/** A column that grows. */
export class Column {
  #values = new Uint32Array(1024);
  length = 0;
  push(value: number): void {
    if (this.length === this.#values.length) {
      const grown = new Uint32Array(this.#values.length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.length++] = value;
  }
  get values(): Uint32Array {
    return this.#values.subarray(0, this.length);
  }
}

/** Collects texts, each once. */
export class StringTableBuilder {
  readonly #known = new Map<string, number>();
  #bytes = new Uint8Array(1 << 16);
  #used = 0;
  readonly #ends = new Column();

  /** The number of a text. */
  add(text: string): number {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const number = this.#known.size;
    this.#known.set(text, number);
    const bytes = encodeUtf8(text);
    if (this.#used + bytes.length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#used + bytes.length));
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes.set(bytes, this.#used);
    this.#used += bytes.length;
    this.#ends.push(this.#used);
    return number;
  }

  /** `ends[n]` is where text n ends. */
  build(): { bytes: Uint8Array; ends: Uint32Array } {
    return { bytes: this.#bytes.slice(0, this.#used), ends: this.#ends.values.slice() };
  }
}

export function stringTable(bytes: Uint8Array, ends: Uint32Array): StringTable {
  return {
    length: ends.length,
    text: (n) => decodeUtf8(bytes.subarray(n === 0 ? 0 : ends[n - 1], ends[n])),
  };
}

/** Finds a row by its id: open addressing over a 32-bit hash of the id, rows counted from 1, 0 for an empty slot. */
export function* buildIdTable(ids: StringTable, idOfRow: Uint32Array): Generator<void, Uint32Array> {
  let size = 16;
  while (size < idOfRow.length * 2) size *= 2;
  const slots = new Uint32Array(size);
  for (let row = 0; row < idOfRow.length; row++) {
    if (row % (SLICE * 5) === 0) yield;
    let slot = fnv1a(ids.text(idOfRow[row] ?? 0)) & (size - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
    slots[slot] = row + 1;
  }
  return slots;
}

/** The row of an id, or -1. */
export function findRow(slots: Uint32Array, ids: StringTable, idOfRow: Uint32Array, id: string): number {
  const mask = slots.length - 1;
  for (let slot = fnv1a(id) & mask; slots[slot] !== 0; slot = (slot + 1) & mask) {
    const row = (slots[slot] ?? 1) - 1;
    if (ids.text(idOfRow[row] ?? 0) === id) return row;
  }
  return -1;
}
