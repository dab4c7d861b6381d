/** DEFLATE (RFC 1951) by hand: the core has no streams, and a bound on what comes out is kept at each byte. */
import { failed } from '../../errors.ts';

const LENGTHS = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258]; // prettier-ignore
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCES = [1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577]; // prettier-ignore
const DISTANCE_BITS = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13]; // prettier-ignore
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const LONGEST = 15;

/** How many codes there are of each length, and their symbols in order. */
interface Codes {
  counts: Uint16Array;
  symbols: Uint16Array;
}

/** Throws AccessionError `tool_input` (broken) or `tool_limit` (more than `most` bytes). */
export function inflate(packed: Uint8Array, most: number): Uint8Array {
  const reader = new Inflater(packed, most);
  return reader.read();
}

function codesOf(lengths: readonly number[]): Codes {
  const counts = new Uint16Array(LONGEST + 1);
  for (const length of lengths) counts[length] = (counts[length] ?? 0) + 1;
  counts[0] = 0;
  const next = new Uint16Array(LONGEST + 2);
  for (let at = 1; at <= LONGEST; at++) next[at + 1] = (next[at] ?? 0) + (counts[at] ?? 0);
  const symbols = new Uint16Array(lengths.length);
  lengths.forEach((length, symbol) => {
    if (length === 0) return;
    symbols[next[length] ?? 0] = symbol;
    next[length] = (next[length] ?? 0) + 1;
  });
  return { counts, symbols };
}

const FIXED = {
  literals: codesOf(Array.from({ length: 288 }, (_, at) => (at < 144 ? 8 : at < 256 ? 9 : at < 280 ? 7 : 8))),
  distances: codesOf(Array<number>(30).fill(5)),
};

class Inflater {
  readonly #in: Uint8Array;
  readonly #most: number;
  #out = new Uint8Array(65_536);
  #length = 0;
  #at = 0;
  #bits = 0;
  #held = 0;

  constructor(packed: Uint8Array, most: number) {
    this.#in = packed;
    this.#most = most;
  }

  read(): Uint8Array {
    for (let last = 0; last === 0;) {
      last = this.#take(1);
      const kind = this.#take(2);
      if (kind === 0) this.#stored();
      else if (kind === 1) this.#block(FIXED.literals, FIXED.distances);
      else if (kind === 2) this.#dynamic();
      else throw broken();
    }
    return this.#out.subarray(0, this.#length);
  }

  #take(count: number): number {
    while (this.#held < count) {
      if (this.#at >= this.#in.length) throw broken();
      this.#bits |= (this.#in[this.#at++] ?? 0) << this.#held;
      this.#held += 8;
    }
    const value = this.#bits & ((1 << count) - 1);
    this.#bits >>>= count;
    this.#held -= count;
    return value;
  }

  #put(byte: number): void {
    if (this.#length >= this.#most) throw tooLarge(this.#most);
    if (this.#length === this.#out.length) {
      const larger = new Uint8Array(Math.min(this.#out.length * 2, this.#most));
      larger.set(this.#out);
      this.#out = larger;
    }
    this.#out[this.#length++] = byte;
  }

  #stored(): void {
    this.#bits = this.#held = 0;
    const length = (this.#in[this.#at] ?? 0) | ((this.#in[this.#at + 1] ?? 0) << 8);
    this.#at += 4;
    if (this.#at + length > this.#in.length) throw broken();
    for (let left = length; left > 0; left--) this.#put(this.#in[this.#at++] ?? 0);
  }

  #dynamic(): void {
    const [literals, distances, codes] = [this.#take(5) + 257, this.#take(5) + 1, this.#take(4) + 4];
    const lengths = Array<number>(19).fill(0);
    for (let at = 0; at < codes; at++) lengths[ORDER[at] ?? 0] = this.#take(3);
    const table = codesOf(lengths);
    const all: number[] = [];
    while (all.length < literals + distances) {
      const symbol = this.#symbol(table);
      if (symbol < 16) all.push(symbol);
      else if (symbol === 16) {
        const before = all.at(-1);
        if (before === undefined) throw broken();
        for (let left = 3 + this.#take(2); left > 0; left--) all.push(before);
      } else for (let left = symbol === 17 ? 3 + this.#take(3) : 11 + this.#take(7); left > 0; left--) all.push(0);
    }
    this.#block(codesOf(all.slice(0, literals)), codesOf(all.slice(literals, literals + distances)));
  }

  #symbol({ counts, symbols }: Codes): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= LONGEST; length++) {
      code |= this.#take(1);
      const count = counts[length] ?? 0;
      if (code - count < first) return symbols[index + code - first] ?? 0;
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw broken();
  }

  #block(literals: Codes, distances: Codes): void {
    for (let symbol = this.#symbol(literals); symbol !== 256; symbol = this.#symbol(literals)) {
      if (symbol < 256) {
        this.#put(symbol);
        continue;
      }
      const at = symbol - 257;
      const length = (LENGTHS[at] ?? 0) + this.#take(LENGTH_BITS[at] ?? 0);
      const far = this.#symbol(distances);
      const distance = (DISTANCES[far] ?? 0) + this.#take(DISTANCE_BITS[far] ?? 0);
      if (distance > this.#length || length === 0 || distance === 0) throw broken();
      for (let left = length; left > 0; left--) this.#put(this.#out[this.#length - distance] ?? 0);
    }
  }
}

const broken = (): Error => failed('tool_input', 'file: what is packed in it is broken', { subject: 'file' });
const tooLarge = (most: number): Error =>
  failed('tool_limit', `file: what is packed in it is larger than ${Math.round(most / 1024 / 1024)} MiB`);
