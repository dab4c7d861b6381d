import { decodeUtf8, encodeUtf8 } from '../utf8.ts';

/** Texts as one run of UTF-8: `text(n)` decodes on demand, so that a million of them cost their bytes. */
export interface StringTable {
  readonly length: number;
  text(n: number): string;
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
