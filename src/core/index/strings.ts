import { decodeUtf8, encodeUtf8 } from '../utf8.ts';

/** Texts as one run of UTF-8: `text(n)` decodes on demand, so that a million of them cost their bytes. */
export interface StringTable {
  readonly length: number;
  text(n: number): string;
  /** Below zero where text `a` goes first, by code points; 0 where they are the same. Neither is decoded. */
  compare(a: number, b: number): number;
}

/** A column that grows. */
export class Column {
  #values: Uint32Array;
  length = 0;

  /** @param room for how many values at first, at least 1 */
  constructor(room = 1024) {
    this.#values = new Uint32Array(room);
  }

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

  /** Lets its values go; it is empty then. */
  drop(): void {
    this.#values = new Uint32Array(1);
    this.length = 0;
  }
}

/** Bytes of a piece in which texts are collected. */
const PIECE = 1 << 20;

/** Collects texts. */
export class StringTableBuilder {
  readonly #known = new Map<string, number>();
  /** Full pieces, and the one that is being filled: a buffer that grows by doubling is there twice. */
  readonly #full: Uint8Array[] = [];
  #piece = new Uint8Array(1 << 14);
  #used = 0;
  /** Bytes of the full pieces. */
  #before = 0;
  readonly #ends = new Column();

  /** The number of a text; each that is added so is kept once. */
  add(text: string): number {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const number = this.append(text);
    this.#known.set(text, number);
    return number;
  }

  /** The number of a text that is not looked for by `add`: kept again, whether it is there or not, and nothing but its bytes. */
  append(text: string): number {
    const bytes = encodeUtf8(text);
    if (this.#used + bytes.length > this.#piece.length) this.#grow(bytes.length);
    this.#piece.set(bytes, this.#used);
    this.#used += bytes.length;
    this.#ends.push(this.#before + this.#used);
    return this.#ends.length - 1;
  }

  /** `ends[n]` is where text n ends. The builder is empty of bytes afterwards and of no more use. */
  build(): { bytes: Uint8Array; ends: Uint32Array } {
    const bytes = new Uint8Array(this.#before + this.#used);
    let at = 0;
    for (const piece of this.#full.splice(0)) {
      bytes.set(piece, at);
      at += piece.length;
    }
    bytes.set(this.#piece.subarray(0, this.#used), at);
    return { bytes, ends: this.#ends.values.slice() };
  }

  /** The piece is full as far as it is used; a small one is doubled, as most tables have few texts. */
  #grow(needed: number): void {
    if (this.#piece.length < PIECE) {
      const grown = new Uint8Array(Math.max(this.#piece.length * 2, this.#used + needed));
      grown.set(this.#piece.subarray(0, this.#used));
      this.#piece = grown;
      return;
    }
    this.#full.push(this.#piece.slice(0, this.#used));
    this.#before += this.#used;
    this.#used = 0;
    if (needed > this.#piece.length) this.#piece = new Uint8Array(needed);
  }
}

export function stringTable(bytes: Uint8Array, ends: Uint32Array): StringTable {
  const startOf = (n: number): number => (n === 0 ? 0 : (ends[n - 1] as number));
  return {
    length: ends.length,
    text: (n) => decodeUtf8(bytes.subarray(startOf(n), ends[n])),
    compare(a, b) {
      const [endA, endB] = [ends[a] as number, ends[b] as number];
      for (let atA = startOf(a), atB = startOf(b); ; atA++, atB++) {
        if (atA === endA || atB === endB) return endA - atA - (endB - atB);
        const difference = (bytes[atA] as number) - (bytes[atB] as number);
        if (difference !== 0) return difference;
      }
    },
  };
}
