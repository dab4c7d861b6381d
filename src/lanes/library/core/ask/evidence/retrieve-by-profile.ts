/** Documents of a library as a run's retriever is set: by words, by meaning, by both; ranked by their sentences or not. */
import { candidatesOf } from '../../search/candidates.ts';
import type { Passage } from '../../search/passage.types.ts';
import { frequencyOf, inverseFrequency, parseQuery } from '../../search/query.ts';
import { CANDIDATES, passagesAround, searchLibrary } from '../../search/search.ts';
import type { AskSources } from '../tools/context.ts';
import type { RagDoc } from './evidence.types.ts';
import { docsOfPassages } from './retrieve.ts';

export interface Retriever {
  k: number;
  profile: 'vector' | 'hybrid' | 'bm25';
  /** Passages are ranked anew by their sentences; false: pieces in the order of the index. */
  rerank: boolean;
}

/** `profile`: what it came to, where there are no vectors (yet). */
export async function retrieveByProfile(
  sources: AskSources,
  query: string,
  { k, profile, rerank }: Retriever,
): Promise<{ docs: RagDoc[]; profile: Retriever['profile'] }> {
  const { index } = sources;
  const words = byWords(sources, query, k, rerank);
  // A model that is away costs the order, not the answer.
  const near = profile === 'bm25' ? null : ((await sources.byMeaning?.(profile, query, k).catch(() => null)) ?? null);
  if (near === null || profile === 'bm25') return { docs: docsOfPassages(index, query, words), profile: 'bm25' };
  return { docs: docsOfPassages(index, query, withScores(near, words)), profile };
}

function byWords({ index, allows }: AskSources, words: string, k: number, rerank: boolean): Passage[] {
  const options = allows === undefined ? { k } : { k, allows };
  if (rerank) return searchLibrary(index, words, options);
  const query = parseQuery(words, (term) => inverseFrequency(index.pieces, frequencyOf(index, term)));
  return passagesAround(index, candidatesOf(index, query, CANDIDATES, allows), k);
}

/**
 * What is weighed later knows scores of words: the order is that of the profile, the first has the best score that words
 * gave, the second the second best. So nothing seems surer only because it was looked for in another way.
 */
function withScores(near: readonly Passage[], words: readonly Passage[]): Passage[] {
  const scores = words.map(({ score }) => score).sort((a, b) => b - a);
  const least = scores.at(-1) ?? 0;
  return near.map((passage, at) => ({ ...passage, score: scores[at] ?? least }));
}
