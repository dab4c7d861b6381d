import type { Settings } from '#core/config.ts';
import { nearnessOf, ollamaBase, openAiBase, parseUrl } from '../../llm/address.ts';

export type ModelPlace = Pick<Settings, 'llm_provider' | 'llm_base_url'>;

/**
 * Origin of the model server that is set, for its key (token.ts `createModelKeyStore`). null where no model server is
 * asked with a key of this workstation (none, in the browser, the catalog server's broker), or the address is none.
 */
export function modelOrigin(place: ModelPlace): string | null {
  const url = modelUrl(place);
  return url === null ? null : url.origin;
}

/** It runs elsewhere: more than one question at a time does not make it slower for us. */
export function isHosted(place: ModelPlace): boolean {
  if (place.llm_provider === 'broker') return true;
  const url = modelUrl(place);
  return url !== null && nearnessOf(url.hostname) === 'public';
}

function modelUrl({ llm_provider: provider, llm_base_url: typed }: ModelPlace): URL | null {
  if (provider === 'ollama') return parseUrl(ollamaBase(typed) ?? '');
  if (provider === 'openai') return parseUrl(openAiBase(typed) ?? '');
  return null;
}
