/** Vectors by Ollama (`POST /api/embed`) and by OpenAI-compatible servers (`POST /v1/embeddings`). */
import { VectorReader, type Embedder } from '#core/agent/llm/embedder.ts';
import type { CancelSignal } from '#core/cancel.ts';
import type { Result } from '#core/result.ts';
import { ollamaBase, openAiBase } from './address.ts';
import { getJson, type Wire, type WireOptions } from './call.ts';
import { listIn, objectIn, type Json } from './json.ts';

export type EmbedderOptions = WireOptions;

/** Milliseconds for one batch: a processor alone may need long for it, and loads the model first. */
const TIMEOUT_MS = 120_000;

export const embedByOllama = (options: EmbedderOptions): Embedder =>
  overWire(
    'ollama',
    { base: ollamaBase(options.baseUrl), model: options.model, server: 'Ollama', options },
    '/api/embed',
    (answer) => (Array.isArray(answer['embeddings']) ? listIn(answer['embeddings']) : null),
  );

export const embedByOpenAi = (options: EmbedderOptions): Embedder =>
  overWire(
    'openai',
    { base: openAiBase(options.baseUrl), model: options.model, server: 'The model server', options },
    '/embeddings',
    (answer) => {
      if (!Array.isArray(answer['data'])) return null;
      // Each says which text it is of; some servers answer in another order.
      const items = listIn(answer['data']).map(objectIn);
      const placed = items.every(({ index }) => typeof index === 'number');
      const sorted = placed ? items.toSorted((a, b) => Number(a['index']) - Number(b['index'])) : items;
      return sorted.map(({ embedding }) => embedding);
    },
  );

function overWire(
  provider: string,
  wire: Wire,
  path: string,
  vectorsOf: (answer: Json) => readonly unknown[] | null,
): Embedder {
  const reader = new VectorReader(wire.model);
  return {
    name: `${provider}/${wire.model}`,
    async embed(texts: readonly string[], signal?: CancelSignal): Promise<Result<Float32Array[]>> {
      const body = { model: wire.model, input: texts };
      const request = { method: 'POST', path, body, timeoutMs: TIMEOUT_MS, signal } as const;
      const answer = await getJson(wire, request, (value) => vectorsOf(objectIn(value)));
      return answer.ok ? reader.read(answer.value, texts.length) : answer;
    },
  };
}
