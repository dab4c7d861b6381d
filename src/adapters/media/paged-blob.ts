/**
 * A file that is read in pages: readers take a few bytes at a time, and each read of a blob in a browser costs as much as
 * one of a whole page.
 */

/** Bytes. */
const PAGE = 64 * 1024;
/** Pages that are kept, the newest. */
const MOST_PAGES = 16;

class Pages {
  readonly #blob: Blob;
  readonly #pages = new Map<number, Promise<Uint8Array<ArrayBuffer>>>();

  constructor(blob: Blob) {
    this.#blob = blob;
  }

  /** The bytes as they lie in the file, past the cache. */
  raw(start: number, end: number): Blob {
    return this.#blob.slice(start, end);
  }

  async read(start: number, end: number): Promise<ArrayBuffer> {
    // Whoever wants much wants it once.
    if (end - start >= PAGE) return this.#blob.slice(start, end).arrayBuffer();
    const first = Math.floor(start / PAGE);
    const head = await this.#page(first);
    const own = head.slice(start - first * PAGE, end - first * PAGE);
    if (end <= (first + 1) * PAGE) return own.buffer;
    const tail = await this.#page(first + 1);
    const joined = new Uint8Array(end - start);
    joined.set(own);
    joined.set(tail.subarray(0, end - (first + 1) * PAGE), own.length);
    return joined.buffer;
  }

  #page(number: number): Promise<Uint8Array<ArrayBuffer>> {
    const known = this.#pages.get(number);
    if (known) return known;
    const read = this.#blob.slice(number * PAGE, (number + 1) * PAGE).arrayBuffer();
    const page = read.then((buffer) => new Uint8Array(buffer));
    this.#pages.set(number, page);
    const [oldest] = this.#pages.keys();
    if (this.#pages.size > MOST_PAGES && oldest !== undefined) this.#pages.delete(oldest);
    return page;
  }
}

/** Only what the readers use is there: its size, slices of it, and the bytes of a slice, whole or as a stream. */
class PagedBlob extends Blob {
  readonly #pages: Pages;
  readonly #start: number;
  readonly #end: number;

  constructor(pages: Pages, start: number, end: number) {
    super();
    this.#pages = pages;
    this.#start = start;
    this.#end = end;
  }

  override get size(): number {
    return this.#end - this.#start;
  }

  override slice(start = 0, end = this.size): Blob {
    const at = (offset: number): number =>
      this.#start + Math.min(this.size, Math.max(0, offset < 0 ? this.size + offset : offset));
    return new PagedBlob(this.#pages, at(start), Math.max(at(start), at(end)));
  }

  override arrayBuffer(): Promise<ArrayBuffer> {
    return this.#pages.read(this.#start, this.#end);
  }

  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return this.#pages.raw(this.#start, this.#end).stream();
  }
}

/**
 * The same bytes through a cache of a megabyte. Not for `new Blob([...])` or ffmpeg, which see an empty file: they are
 * given the blob itself.
 */
export function paged(blob: Blob): Blob {
  return new PagedBlob(new Pages(blob), 0, blob.size);
}
