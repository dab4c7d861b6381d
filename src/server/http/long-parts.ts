/** Lists and texts of large bodies that stay bytes, packed, and become values only part by part. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** A list, or one that is parsed again, a part at a time, each time that it is asked for. */
export type Rows<T> = Iterable<T> & { readonly length: number };

/** An object whose lists are Rows. */
export type InParts<T> = { [K in keyof T]: T[K] extends (infer R)[] ? Rows<R> : T[K] };

/**
 * A long list: as values, a hundred megabytes of JSON are five hundred, which every collection of garbage walks through;
 * packed they are usually less than ten. One row after the other costs what the parsing costs.
 */
export class LongList<T = unknown> implements Rows<T> {
  /** Rows of all parts. */
  readonly length: number;
  readonly #parts: readonly Packed[];
  readonly #of: (row: unknown) => T;

  /** @param parts rows with commas between, as JSON in UTF-8 @param of what a row becomes, each time */
  constructor(parts: readonly Packed[], length: number, of: (row: unknown) => T) {
    this.length = length;
    this.#parts = parts;
    this.#of = of;
  }

  *[Symbol.iterator](): Generator<T> {
    for (const part of this.#parts) for (const row of JSON.parse(`[${unpack(part)}]`) as unknown[]) yield this.#of(row);
  }

  /** The same with each row made into something else, each time. */
  as<U>(of: (row: T) => U): LongList<U> {
    return new LongList(this.#parts, this.length, (row) => of(this.#of(row)));
  }
}

/** A long text, for whoever need not have it in one: iterated, it gives its parts. No JSON text makes one. */
export class LongText implements Iterable<string> {
  /** Characters (UTF-16) of all parts. */
  readonly length: number;
  readonly #parts: readonly Packed[];

  /** @param parts as JSON in UTF-8, without quotation marks: so also what is no whole sign stays as it is */
  constructor(parts: readonly Packed[], length: number) {
    this.#parts = parts;
    this.length = length;
  }

  *[Symbol.iterator](): Generator<string> {
    for (const part of this.#parts) yield JSON.parse(`"${unpack(part)}"`) as string;
  }
}

/** Bytes of a part, made smaller. */
export type Packed = Uint8Array & { readonly packed: unique symbol };

/** A millisecond for 128 kB. */
export const pack = (bytes: Uint8Array): Packed => deflateRawSync(bytes, { level: 1 }) as unknown as Packed;

const unpack = (part: Packed): string => new TextDecoder().decode(inflateRawSync(part));
