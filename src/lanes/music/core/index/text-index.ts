/**
 * A trigram index over short folded texts in typed arrays: built in two passes (count, fill), searched by adding up
 * the weights of shared trigrams. Alphabet `[a-z0-9]` plus the border sign, so that a trigram is a number.
 */

const BASE = 37;
const SIZE = BASE * BASE * BASE;

const CODES = new Uint8Array(128);
for (let i = 0; i < 26; i++) CODES[97 + i] = 1 + i;
for (let i = 0; i < 10; i++) CODES[48 + i] = 27 + i;

/** Trigrams of a text, borders included, each once. */
function trigramsOf(text: string): number[] {
  const seen: number[] = [];
  let a = 0;
  let b = 0;
  const last = Math.min(text.length, 120);
  for (let i = 0; i <= last; i++) {
    const c = i < last ? (CODES[text.charCodeAt(i) & 127] ?? 0) : 0;
    const gram = (a * BASE + b) * BASE + c;
    if (i > 0 && !seen.includes(gram)) seen.push(gram);
    a = b;
    b = c;
  }
  return seen;
}

export interface TextHit {
  doc: number;
  /** Cosine similarity 0..1 over weighted trigrams. */
  score: number;
}

export interface TextIndex {
  /**
   * Best documents for a folded, compact text. Ties are kept up to four times the limit, so that order says little.
   * `gone[doc]` of 1: that document is passed over.
   */
  search(text: string, limit: number, gone?: Uint8Array | null): TextHit[];
}

/** The index as it is stored. `postings[starts[gram] .. starts[gram + 1]]` are the documents with a trigram. */
export interface TextArrays {
  starts: Uint32Array;
  postings: Uint32Array;
  norms: Float32Array;
}

/** Weight of each trigram: how rare it is. */
function weightsOf({ starts, norms }: TextArrays): Float32Array {
  const weights = new Float32Array(SIZE);
  for (let gram = 0; gram < SIZE; gram++) {
    const count = (starts[gram + 1] ?? 0) - (starts[gram] ?? 0);
    weights[gram] = count === 0 ? 0 : Math.log(1 + norms.length / count);
  }
  return weights;
}

/** Rows between two pauses of a build: a few milliseconds. */
export const SLICE = 1000;
/** Rows whose texts are folded between two pauses. */
export const PRICEY_SLICE = 200;

/**
 * Indexes documents `0 .. count`, pausing (`yield`) every few milliseconds. `like`: take the weights of another index, so that the scores of both compare (what
 * changed since is searched beside what is stored).
 */
export function* buildTextArrays(
  count: number,
  text: (doc: number) => string,
  like?: TextArrays,
): Generator<void, TextArrays> {
  const starts = new Uint32Array(SIZE + 1);
  for (let doc = 0; doc < count; doc++) {
    if (doc % SLICE === 0) yield;
    for (const gram of trigramsOf(text(doc))) starts[gram + 1] = (starts[gram + 1] ?? 0) + 1;
  }
  for (let gram = 0; gram < SIZE; gram++) starts[gram + 1] = (starts[gram + 1] ?? 0) + (starts[gram] ?? 0);
  const postings = new Uint32Array(starts[SIZE] ?? 0);
  const norms = new Float32Array(count);
  const weights = weightsOf(like ?? { starts, postings, norms });
  const rarest = Math.log(1 + (like ?? { norms }).norms.length);
  const fill = starts.slice();
  for (let doc = 0; doc < count; doc++) {
    if (doc % SLICE === 0) yield;
    let norm = 0;
    for (const gram of trigramsOf(text(doc))) {
      const at = fill[gram] ?? 0;
      postings[at] = doc;
      fill[gram] = at + 1;
      norm += (weights[gram] || rarest) ** 2;
    }
    norms[doc] = Math.sqrt(norm) || 1;
  }
  return { starts, postings, norms };
}

/**
 * What one search may walk: a query's rare trigrams find its documents, its common ones only cost. The rarest are
 * walked whatever they hold.
 */
const MOST_WALKED = 40_000;
const ALWAYS_WALKED = 4;

/** `like`: the index whose weights these arrays were built with; the same trigrams are walked then as in that one. */
export function openTextIndex(arrays: TextArrays, like?: TextArrays): TextIndex {
  const { starts, postings, norms } = arrays;
  const weights = weightsOf(like ?? arrays);
  const rarest = Math.log(1 + (like ?? arrays).norms.length);
  const scores = new Float32Array(norms.length);
  const touched = new Uint32Array(norms.length);
  const common = (like ?? arrays).starts;
  const countOf = (gram: number): number => (common[gram + 1] ?? 0) - (common[gram] ?? 0);
  const isKnown = (gram: number): boolean => countOf(gram) > 0 || (starts[gram + 1] ?? 0) > (starts[gram] ?? 0);

  return {
    search(text, limit, gone = null) {
      const query = trigramsOf(text);
      let norm = 0;
      for (const gram of query) norm += (weights[gram] || rarest) ** 2;
      const ordered = query.filter(isKnown).sort((x, y) => countOf(x) - countOf(y) || x - y);
      let walked = 0;
      let found = 0;
      let rank = 0;
      for (const gram of ordered) {
        const count = countOf(gram);
        walked += count;
        if (rank >= ALWAYS_WALKED && walked > MOST_WALKED) break;
        // What the other index does not know is walked in any case: it costs nothing there.
        if (count > 0) rank++;
        const weight = (weights[gram] || rarest) ** 2;
        const end = starts[gram + 1] as number;
        for (let i = starts[gram] as number; i < end; i++) {
          const doc = postings[i] as number;
          const score = scores[doc] as number;
          if (score === 0) touched[found++] = doc;
          scores[doc] = score + weight;
        }
      }
      return harvest(touched.subarray(0, found), scores, norms, Math.sqrt(norm) || 1, limit, gone);
    },
  };
}

/** Turns sums into cosines, takes the best and leaves `scores` empty again; `touched` is written over. */
function harvest(
  touched: Uint32Array,
  scores: Float32Array,
  norms: Float32Array,
  scale: number,
  limit: number,
  gone: Uint8Array | null,
): TextHit[] {
  let top = 0;
  let kept = 0;
  // Most documents share a trigram and no more: they are let go as soon as a better one is known.
  for (let i = 0; i < touched.length; i++) {
    const doc = touched[i] as number;
    const sum = scores[doc] as number;
    scores[doc] = 0;
    if (gone !== null && gone[doc] === 1) continue;
    const score = sum / (scale * (norms[doc] as number));
    if (score > top) top = score;
    if (score < top * LEAST_OF_TOP) continue;
    touched[kept++] = doc;
    scores[doc] = score;
  }
  // Sorting everything touched would cost more than finding it: counted into steps first, sorted from the edge on.
  const steps = new Uint32Array(STEPS + 1);
  const least = top * LEAST_OF_TOP;
  for (let i = 0; i < kept; i++) {
    const score = scores[touched[i] as number] as number;
    if (score < least || score === 0) continue;
    const step = stepOf(score, top);
    steps[step] = (steps[step] ?? 0) + 1;
  }
  let edge = STEPS;
  for (let sum = 0; edge > 0; edge--) {
    sum += steps[edge] ?? 0;
    if (sum >= limit) break;
  }
  const hits: TextHit[] = [];
  for (let i = 0; i < kept; i++) {
    const doc = touched[i] as number;
    const score = scores[doc] as number;
    if (score > 0 && score >= least && stepOf(score, top) >= edge) hits.push({ doc, score });
    scores[doc] = 0;
  }
  hits.sort((x, y) => y.score - x.score || x.doc - y.doc);
  return withinLimit(hits, limit);
}

const STEPS = 256;
const stepOf = (score: number, top: number): number => Math.min(STEPS, Math.floor((score / top) * STEPS));

/** Hits of less than this part of the best one's score are none. */
const LEAST_OF_TOP = 0.4;

/** The first of hits in order, best first; equals of the last are kept up to four times the limit. */
export function withinLimit<T extends { score: number }>(hits: T[], limit: number): T[] {
  if (hits.length <= limit) return hits;
  const edge = (hits[limit - 1]?.score ?? 0) - 1e-6;
  let end = limit;
  while (end < hits.length && end < limit * 4 && (hits[end]?.score ?? 0) >= edge) end++;
  return hits.slice(0, end);
}

/** What one search over two indexes of the same weights would have found. `order` decides between equals. */
export function joinHits<T extends { score: number }>(
  a: readonly T[],
  b: readonly T[],
  limit: number,
  order: (x: T, y: T) => number = () => 0,
): T[] {
  const hits = [...a, ...b].sort((x, y) => y.score - x.score || order(x, y));
  const least = (hits[0]?.score ?? 0) * LEAST_OF_TOP;
  return withinLimit(
    hits.filter((hit) => hit.score >= least),
    limit,
  );
}

/** Runs work that pauses now and then to its end, without the pauses. */
export function finishSteps<T>(steps: Generator<void, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * The best `most` of what is shown to it, best first, without keeping the rest. `before(a, b)`: a goes before b. Of
 * equals the one that came first stays first.
 */
export class Best<T> {
  readonly #most: number;
  readonly #before: (a: T, b: T) => boolean;
  readonly #kept: T[] = [];

  constructor(most: number, before: (a: T, b: T) => boolean) {
    this.#most = most;
    this.#before = before;
  }

  /** The last that is kept, once there are so many; what does not go before it need not be shown. */
  get last(): T | undefined {
    return this.#kept.length < this.#most ? undefined : this.#kept[this.#most - 1];
  }

  show(item: T): void {
    const { last } = this;
    if (this.#most <= 0 || (last !== undefined && !this.#before(item, last))) return;
    let low = 0;
    let high = this.#kept.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#before(item, this.#kept[middle] as T)) high = middle;
      else low = middle + 1;
    }
    this.#kept.splice(low, 0, item);
    if (this.#kept.length > this.#most) this.#kept.pop();
  }

  get all(): readonly T[] {
    return this.#kept;
  }
}
