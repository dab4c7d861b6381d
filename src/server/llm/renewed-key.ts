/** A model's provider whose key is fetched anew, once, where it is refused: what the broker and the worker share. */
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import { standIn } from '#core/agent/llm/stand-in.ts';
import type { Result } from '#core/result.ts';
import type { KeySource } from './key-source.ts';

/** Asks for the key before every request; null: there is none. */
export type AskKey = () => Promise<string | null>;

/** What a provider calls before each request to have the key that is good now. */
export function askKey(keys: KeySource): AskKey {
  return async () => {
    const key = await keys.get();
    return key.ok ? key.value : null;
  };
}

/**
 * `provider`, which asks `askKey(keys)` before every request. A key is kept until the model's server refuses it with
 * 401; then its command runs once more and the question is asked once more, unless words of an answer were given on.
 */
export function withRenewedKey(keys: KeySource, provider: LlmProvider): LlmProvider {
  return standIn(provider, {
    async complete(messages, tools, options) {
      const key = await keys.get();
      if (!key.ok) return key;
      let wrote = false;
      const onText = (delta: string): void => {
        wrote ||= delta !== '';
        options.onText?.(delta);
      };
      const ask = () => provider.complete(messages, tools, { ...options, onText });
      const first = await ask();
      if (wrote || !isRefused(first) || !keys.renewable || options.signal?.aborted === true) return first;
      const next = await keys.after(key.value);
      return next.ok ? ask() : next;
    },
  });
}

function isRefused(result: Result<unknown>): boolean {
  return !result.ok && result.failure.code === 'model_unauthorized';
}
