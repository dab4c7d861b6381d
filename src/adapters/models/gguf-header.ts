/**
 * What a GGUF file says of itself: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
 * Nothing that is read here is trusted for more than words on a screen and a limit.
 */
export interface GgufHeader {
  architecture: string | null;
  name: string | null;
  licence: string | null;
  /** Tokens it was trained for. */
  contextLength: number | null;
}

/** Longest text that is taken over from a file. */
const MAX_TEXT = 200;
const SIZES: Record<number, number> = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 };
const UINT32 = 4;
const STRING = 8;
const ARRAY = 9;

/** Null: this is no GGUF file. Of a header that is cut off, what was there. */
export function readGgufHeader(bytes: Uint8Array): GgufHeader | null {
  if (bytes.length < 4) return null;
  const reader = new Reader(bytes);
  if (reader.ascii(4) !== 'GGUF') return null;
  const header: GgufHeader = { architecture: null, name: null, licence: null, contextLength: null };
  try {
    const version = reader.u32();
    if (version < 2 || version > 3) return null;
    reader.u64();
    const pairs = reader.u64();
    for (let pair = 0; pair < pairs; pair += 1) note(header, reader.string(), reader.value());
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return header;
}

function note(header: GgufHeader, key: string, value: string | number | null): void {
  if (typeof value === 'string') {
    if (key === 'general.architecture') header.architecture = value;
    if (key === 'general.name') header.name = value;
    if (key === 'general.license') header.licence = value;
  } else if (typeof value === 'number' && key === `${header.architecture}.context_length`) {
    header.contextLength = value;
  }
}

/** Little-endian. Throws RangeError past the end. */
class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  ascii(length: number): string {
    return String.fromCharCode(...this.#bytes.subarray(this.#at, this.#skip(length)));
  }

  u32(): number {
    const value = this.#view.getUint32(this.#at, true);
    this.#at += 4;
    return value;
  }

  u64(): number {
    const value = this.#view.getBigUint64(this.#at, true);
    this.#at += 8;
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError('no such length');
    return Number(value);
  }

  string(): string {
    const length = this.u64();
    const start = this.#at;
    this.#skip(length);
    return new TextDecoder().decode(this.#bytes.subarray(start, start + Math.min(length, MAX_TEXT)));
  }

  /** Texts and 32-bit numbers; anything else is passed over. */
  value(type = this.u32()): string | number | null {
    if (type === STRING) return this.string();
    if (type === UINT32) return this.u32();
    if (type === ARRAY) {
      const [of, length] = [this.u32(), this.u64()];
      const size = SIZES[of];
      if (size !== undefined) this.#skip(size * length);
      else for (let item = 0; item < length; item += 1) this.value(of);
      return null;
    }
    const size = SIZES[type];
    if (size === undefined) throw new RangeError('no such type');
    this.#skip(size);
    return null;
  }

  #skip(bytes: number): number {
    if (this.#at + bytes > this.#bytes.length) throw new RangeError('cut off');
    this.#at += bytes;
    return this.#at;
  }
}
