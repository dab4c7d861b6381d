/** The model that accession.toml names for vectors, as the server and what indexes beside it make it. */
import { modelServer } from '#adapters/llm/providers/providers.ts';
import type { Embedder } from '#core/agent/llm/embedder.ts';
import type { Clock } from '#core/ports.ts';
import type { LlmConfig } from '../config-file.ts';
import type { MakeEmbedder } from './broker.ts';
import { createKeySource } from './key-source.ts';
import { embedderName, upstreamOfVectors } from './upstream.ts';

/** Null where accession.toml names none. */
export async function loadEmbedder(
  { provider, embedding_model: model = null }: LlmConfig,
  clock: Clock,
): Promise<MakeEmbedder | null> {
  const create = model === null ? undefined : await modelServer(provider)?.loadEmbedder();
  if (create === undefined || model === null) return null;
  return ({ base_url: baseUrl }, key) => create({ baseUrl, model, clock, key });
}

/** For a process of its own, without anybody's limits. */
export async function openServerEmbedder(llm: LlmConfig | null, clock: Clock): Promise<Embedder | null> {
  const make = llm === null ? null : await loadEmbedder(llm, clock);
  if (llm === null || make === null) return null;
  const upstream = upstreamOfVectors(createKeySource(llm.key), llm.base_url, (key) => make(llm, key));
  return { name: embedderName(llm), embed: (texts, signal) => upstream.embed(texts, signal) };
}
