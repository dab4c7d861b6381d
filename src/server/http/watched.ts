/** Passes chunks on, and remembers what went wrong with them: a store says of it only that it could not write. */
export class Watched implements AsyncIterable<Uint8Array> {
  failure: unknown = null;
  readonly #chunks: AsyncIterable<Uint8Array>;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#chunks;
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }
}
