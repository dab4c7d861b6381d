/** The model of the settings that makes vectors of the library's passages. */
import type { ModelOpenerDeps } from '#adapters/browser/llm/model-opener.ts';
import { createModelKeyStore } from '#adapters/browser/token.ts';
import { parseUrl } from '#adapters/llm/address.ts';
import { modelServer } from '#adapters/llm/providers/providers.ts';
import type { Embedder } from '#core/agent/llm/embedder.ts';
import type { Settings } from '#core/config.ts';

export type EmbeddingSettings = Pick<Settings, 'embedding_provider' | 'embedding_base_url' | 'embedding_model'>;

/** Its name in an index; null where none is set up. */
export function embedderName({
  embedding_provider: provider,
  embedding_model: model,
}: EmbeddingSettings): string | null {
  return provider === 'none' || model === '' ? null : `${provider}/${model}`;
}

/** Opens the one of the settings; the one before is let go where it is another. */
export function browserEmbedders(
  deps: Pick<ModelOpenerDeps, 'db' | 'clock' | 'server' | 'openModel'>,
): (settings: EmbeddingSettings) => Promise<Embedder | null> {
  let held: { key: string; opening: Promise<Embedder | null> } | null = null;
  return async (settings) => {
    const key = JSON.stringify([settings.embedding_provider, settings.embedding_base_url, settings.embedding_model]);
    if (held?.key !== key) {
      const before = held;
      held = { key, opening: open(settings, deps) };
      void before?.opening.then((one) => one?.close?.()).catch(() => undefined);
    }
    return held.opening;
  };
}

async function open(
  settings: EmbeddingSettings,
  { db, clock, server, openModel }: Pick<ModelOpenerDeps, 'db' | 'clock' | 'server' | 'openModel'>,
): Promise<Embedder | null> {
  const { embedding_provider: provider, embedding_base_url: baseUrl, embedding_model: model } = settings;
  if (embedderName(settings) === null || provider === 'none') return null;
  if (provider === 'broker') return (await import('#adapters/llm/embed-broker.ts')).embedByBroker({ ...server, model });
  if (provider === 'wllama')
    return (await import('#adapters/models/embed-local.ts')).embedInBrowser({ id: model, open: openModel });
  const origin = parseUrl(modelServer(provider)?.base(baseUrl) ?? '')?.origin;
  const key = async (): Promise<string | null> => (origin === undefined ? null : createModelKeyStore(db, origin).get());
  const create = await modelServer(provider)?.loadEmbedder();
  return create?.({ baseUrl, model, clock, key }) ?? null;
}
