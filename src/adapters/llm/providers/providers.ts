/**
 * The providers of models: one descriptor each, in the order in which the settings offer them. A new one is its file
 * here, its line in this list, and its id in core/agent/llm/providers.ts.
 */
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import { isModelSet, type ProviderId } from '#core/agent/llm/providers.ts';
import type { Settings } from '#core/config.ts';
import { failure } from '#core/errors.ts';
import { fail, type Result } from '#core/result.ts';
import { nearnessOf, parseUrl } from '../address.ts';
import { broker } from './broker.ts';
import { none } from './none.ts';
import { ollama } from './ollama.ts';
import { openai } from './openai.ts';
import type { BrowserOptions, ModelProvider, ModelServer, ModelSettings } from './provider.ts';
import { recorded } from './recorded.ts';
import { webllm } from './webllm.ts';
import { wllama } from './wllama.ts';

export const providers: readonly ModelProvider[] = [none, webllm, wllama, ollama, openai, broker, recorded];

/** Those that a person may set on a workstation. */
export const offeredProviders = providers.filter((one) => one.place !== 'recording');

/** Those that accession.toml may name, the usual one first. */
export const serverProviders = providers.filter((one) => one.place === 'server');

/** The descriptor of an id that settings hold. */
export function providerOf(id: ProviderId): ModelProvider {
  return providers.find((one) => one.id === id) ?? none;
}

export type ModelPlace = Pick<Settings, 'llm_provider' | 'llm_base_url'>;

/** The server of a provider that has an address; null for the others. */
export function modelServer(id: ProviderId): ModelServer | null {
  const provider = providerOf(id);
  return provider.place === 'server' ? provider.server : null;
}

/**
 * Origin of the model server that is set, for its key (browser/token.ts `createModelKeyStore`). null where no model
 * server is asked with a key of this workstation (none, in the browser, the catalog server's), or the address is none.
 */
export function modelOrigin(place: ModelPlace): string | null {
  return modelUrl(place)?.origin ?? null;
}

/** It runs on a machine of somebody else's: more than one question at a time does not make it slower for us. */
export function isHosted(place: ModelPlace): boolean {
  if (providerOf(place.llm_provider).place === 'catalog') return true;
  const url = modelUrl(place);
  return url !== null && nearnessOf(url.hostname) === 'public';
}

/**
 * Opens the provider that is set in a browser. Fails with `model_missing` where no model is chosen, and with what the
 * catalog server answers; whether the others can be reached is seen by the first call.
 */
export async function openProvider(
  settings: ModelPlace & ModelSettings,
  options: BrowserOptions,
): Promise<Result<LlmProvider>> {
  const provider = providerOf(settings.llm_provider);
  const ready = isModelSet(settings) || (options.forCheck === true && provider.place === 'server');
  if (!ready || provider.open === undefined) return fail(failure('model_missing', 'No model is chosen.'));
  return provider.open(settings, options);
}

function modelUrl({ llm_provider: id, llm_base_url: typed }: ModelPlace): URL | null {
  return parseUrl(modelServer(id)?.base(typed) ?? '');
}
