/** Search by words, by vectors, or by both. */
import type { Embedder } from '#core/agent/llm/embedder.ts';
import { AccessionError } from '#core/errors.ts';
import type { Candidate } from '../search/candidates.ts';
import type { FilePlace, LibraryIndex } from '../search/library-index.ts';
import type { Passage } from '../search/passage.types.ts';
import { passagesAround, searchLibrary, type SearchOptions } from '../search/search.ts';
import type { Vectors } from './vectors.ts';

/** `hybrid`: the ranks of both, fused. */
export const PROFILES = ['bm25', 'vector', 'hybrid'] as const;
export type Profile = (typeof PROFILES)[number];

/** What is ranked of each side before the ranks are fused. */
export const DEEP = 60;
/** Reciprocal rank fusion: how soon a lower rank counts little. Cormack, Clarke and Buettcher 2009. */
const FUSION = 60;

/** Passages that lie nearest to the question, best first. */
export function searchVectors(
  index: LibraryIndex,
  vectors: Vectors,
  question: Float32Array,
  { k = 10, allows }: SearchOptions = {},
): Passage[] {
  const nearest = new Nearest<Candidate>();
  vectors.scan(question, (segment, piece, score) => {
    if (score <= nearest.least) return;
    const file = index.parts[segment]?.segment.fileOfPiece(piece) ?? 0;
    if (allows?.({ segment, file }) !== false) nearest.add({ segment, file, piece, score });
  });
  return passagesAround(index, nearest.best, k);
}

/** The best of what comes by, best first; among equals the earlier. */
export class Nearest<One extends { score: number }> {
  readonly best: One[] = [];

  /** What is not above this is not among them. */
  get least(): number {
    return this.best.length < DEEP ? -Infinity : (this.best.at(-1)?.score ?? 0);
  }

  add(one: One): void {
    if (one.score <= this.least) return;
    const at = this.best.findIndex(({ score }) => score < one.score);
    this.best.splice(at < 0 ? this.best.length : at, 0, one);
    if (this.best.length > DEEP) this.best.pop();
  }
}

/** The ranks of words and vectors fused: a passage that both have counts for both. */
export function searchBoth(
  index: LibraryIndex,
  words: string,
  vectors: Vectors,
  question: Float32Array,
  options: SearchOptions = {},
): Passage[] {
  const deep = { ...options, k: DEEP };
  return fused(searchLibrary(index, words, deep), searchVectors(index, vectors, question, deep), options.k ?? 10);
}

/** Two rankings of passages of the same index as one. */
export function fused(byWords: readonly Passage[], byVectors: readonly Passage[], k: number): Passage[] {
  const ranked = new Map<Passage, number>();
  for (const [rank, passage] of byWords.entries()) ranked.set(passage, 1 / (FUSION + rank));
  for (const [rank, passage] of byVectors.entries()) {
    const score = 1 / (FUSION + rank);
    const same = [...ranked.keys()].find((other) => overlaps(other, passage));
    ranked.set(same ?? passage, (same === undefined ? 0 : (ranked.get(same) ?? 0)) + score);
  }
  return [...ranked]
    .sort(([, a], [, b]) => b - a)
    .slice(0, k)
    .map(([passage, score]) => ({ ...passage, score }));
}

const isSameFile = (a: FilePlace, b: FilePlace): boolean => a.segment === b.segment && a.file === b.file;

function overlaps(a: Passage, b: Passage): boolean {
  if (!isSameFile(a.place, b.place)) return false;
  const shared = Math.min(a.end, b.end) - Math.max(a.start, b.start);
  return shared > Math.min(a.end - a.start, b.end - b.start) / 2;
}

/** Why a question is answered by words all the same, a sentence; null: it is not. `vectors`: what there is of them. */
export function whyWords(
  profile: Profile,
  vectors: Pick<Vectors, 'model' | 'known' | 'pieces'> | null,
  model: string | null,
): string | null {
  if (profile === 'bm25') return null;
  if (model === null) return `No model for vectors is set up: "${profile}" is answered as bm25.`;
  if (vectors === null || vectors.model !== model || vectors.known < vectors.pieces) {
    const known = vectors?.model === model ? vectors.known : 0;
    const of = vectors === null ? '' : ` (${known} of ${vectors.pieces} passages have one)`;
    return `Vectors of "${model}" are still being made${of}: "${profile}" is answered as bm25.`;
  }
  return null;
}

/** Asks the model for the question's vector. Throws AccessionError: what the model failed with. */
export async function searchProfile(
  profile: Profile,
  asked: { index: LibraryIndex; vectors: Vectors; embedder: Embedder; question: string } & SearchOptions,
): Promise<Passage[]> {
  const { index, vectors, embedder, question, ...options } = asked;
  if (profile === 'bm25') return searchLibrary(index, question, options);
  const answer = await embedder.embed([question]);
  if (!answer.ok) throw new AccessionError(answer.failure);
  const [vector] = answer.value;
  if (vector === undefined) return [];
  return profile === 'vector'
    ? searchVectors(index, vectors, vector, options)
    : searchBoth(index, question, vectors, vector, options);
}
