/** Which model of the settings an agent's wish means, and whether it may be sent files at all. */
import { isHosted, providerOf } from '#adapters/llm/providers/providers.ts';
import { isModelSet } from '#core/agent/llm/providers.ts';
import type { Settings } from '#core/config.ts';
import type { ModelWish } from '#core/ingest/agent.ts';

/**
 * Whole files are read by it, not only names: on a machine of somebody else's it waits until the person has said so. On
 * their own (this browser, this network) it may, until they say no.
 */
export function mayAskModel(settings: Pick<Settings, 'llm_provider' | 'llm_base_url' | 'library_asks_model'>): boolean {
  return settings.library_asks_model ?? !isHosted(settings);
}

/** The settings with the model that is wished; a sentence where that is not set up. */
export function modelFor<S extends Pick<Settings, 'llm_provider' | 'llm_model'>>(
  settings: S,
  { provider, model }: ModelWish,
): S | string {
  if (!isModelSet(settings)) return 'no model is set up';
  const own = providerOf(settings.llm_provider);
  if (provider !== undefined && provider !== own.id) return `the provider "${provider}" is not set up here`;
  if (model === undefined || model === settings.llm_model) return settings;
  // A server may have other models than the one that is set; a browser has downloaded one, and the catalog server names its own.
  return own.place === 'server' ? { ...settings, llm_model: model } : `the model "${model}" is not set up here`;
}
