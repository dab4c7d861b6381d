/** Texts as vectors by one model, and what is checked of its answers. */
import type { CancelSignal } from '../../cancel.ts';
import { failure } from '../../errors.ts';
import { fail, ok, type Result } from '../../result.ts';

/** Adapters: src/adapters/llm/embed-*.ts, one a file. Conformance: tests/contract/embedder.ts. */
export interface Embedder {
  /** Provider and model (`ollama/nomic-embed-text`): vectors of two names are never compared. */
  readonly name: string;
  /**
   * A vector of length 1 for each text, in their order, all of one dimension. Never throws: what goes wrong is a failure of
   * the `model_*` codes, `cancelled`, `rate_limited` (with retryAfterMs) or `offline`.
   */
  embed(texts: readonly string[], signal?: CancelSignal): Promise<Result<Float32Array[]>>;
  /** Lets go of what it holds (a model's memory). */
  close?(): void;
}

/** Texts that are asked for at once, at most. */
export const MOST_TEXTS = 64;
/** Characters of one text, at most; pieces of the library have 1,000. */
export const MOST_TEXT = 8_000;
/** Numbers of a vector, at most. */
export const MOST_NUMBERS = 16_384;

/** Reads the answers of one model: each must have the vectors that were asked for, of the dimension of those before. */
export class VectorReader {
  readonly #model: string;
  #dimension: number | null = null;

  /** `model`: as it is called in sentences. */
  constructor(model: string) {
    this.#model = model;
  }

  /** `answer`: lists of numbers, as they came. */
  read(answer: readonly unknown[], wanted: number): Result<Float32Array[]> {
    if (answer.length !== wanted)
      return this.#bad(`was asked for ${wanted} ${wanted === 1 ? 'vector' : 'vectors'} and answered ${answer.length}`);
    const vectors: Float32Array[] = [];
    let dimension = this.#dimension;
    for (const one of answer) {
      if (!Array.isArray(one) || one.length === 0) return this.#bad('answered something that is no vector');
      if (one.length > MOST_NUMBERS) return this.#bad(`answered a vector of more than ${MOST_NUMBERS} numbers`);
      dimension ??= one.length;
      if (one.length !== dimension)
        return this.#bad(`answered a vector of ${one.length} numbers beside one of ${dimension}`);
      const vector = unitVector(one);
      if (vector === null) return this.#bad('answered a vector that points nowhere: its numbers are none, or all zero');
      vectors.push(vector);
    }
    this.#dimension = dimension;
    return ok(vectors);
  }

  #bad(what: string): Result<never> {
    return fail(failure('model_error', `The model "${this.#model}" ${what}.`));
  }
}

function unitVector(numbers: readonly unknown[]): Float32Array | null {
  const vector = new Float32Array(numbers.length);
  let sum = 0;
  for (const [at, one] of numbers.entries()) {
    if (typeof one !== 'number' || !Number.isFinite(one)) return null;
    vector[at] = one;
    sum += one * one;
  }
  const length = Math.sqrt(sum);
  if (!(length > 0) || !Number.isFinite(length)) return null;
  for (let at = 0; at < vector.length; at++) vector[at] = (numbers[at] as number) / length;
  return vector;
}
