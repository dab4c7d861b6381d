/** Bytes that come piece by piece, kept as a blob: a browser holds those outside the memory that is written from. */

const PIECE_BYTES = 1024 ** 2;

export class GrowingBlob {
  readonly #parts: Blob[] = [];
  #piece = new Uint8Array(PIECE_BYTES);
  #used = 0;

  /** Copies them. */
  add(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      const count = Math.min(bytes.length - at, PIECE_BYTES - this.#used);
      this.#piece.set(bytes.subarray(at, at + count), this.#used);
      at += count;
      this.#used += count;
      if (this.#used === PIECE_BYTES) this.#keep();
    }
  }

  /** All of them so far. */
  blob(): Blob {
    this.#keep();
    return new Blob(this.#parts);
  }

  #keep(): void {
    if (this.#used > 0) this.#parts.push(new Blob([this.#piece.subarray(0, this.#used)]));
    this.#used = 0;
  }
}
