/** The vector of a question, where the server's model for embeddings can answer it; otherwise why it is answered by words. */
import type { LibrarySearch } from '#lanes/library/core/server-library.ts';
import type { Principal } from '#server/auth/principal.ts';
import type { CatalogDeps } from '#server/deps.ts';
import { whyNoVectors, type QuestionVector } from './search-folders.ts';

interface Answered {
  vector: QuestionVector | null;
  /** Why it is not answered as it was asked for, a sentence. */
  note: string | null;
}

const byWords = (note: string | null): Answered => ({ vector: null, note });

/** It counts within the caller's limits of the server's model. Throws HttpError 404 for a folder that is none. */
export async function vectorOf(
  { store, broker }: Pick<CatalogDeps, 'store' | 'broker'>,
  principal: Principal,
  { query, profile, folders }: LibrarySearch,
  signal: AbortSignal,
): Promise<Answered> {
  if (profile === 'bm25' || query.trim() === '') return byWords(null);
  const as = `"${profile}" is answered as bm25.`;
  const model = broker?.embeddingName ?? null;
  if (!broker || model === null) return byWords(`The server has no model for embeddings: ${as}`);
  const why = await whyNoVectors(store, principal, { profile, folders }, model);
  if (why !== null) return byWords(why);
  const asked = await broker.embed(principal.user_id, [query], signal);
  if (asked === null) return byWords(`The server has no model for embeddings: ${as}`);
  if (!asked.ok) return byWords(`You have asked the server's model too often: ${as}`);
  const [question] = asked.result.ok ? asked.result.value.vectors : [];
  if (!asked.result.ok) return byWords(`${asked.result.failure.message} So ${as}`);
  if (question === undefined) return byWords(`The model gave no vector: ${as}`);
  return { vector: { profile, model, question: Float32Array.from(question) }, note: null };
}
