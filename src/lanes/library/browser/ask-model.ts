/** The model of the settings, as agents of the library ask it. */
import type { ModelOpenerDeps } from '#adapters/browser/llm/model-opener.ts';
import { titleOfModel } from '#adapters/browser/llm/model-rows.ts';
import { createModelKeyStore } from '#adapters/browser/token.ts';
import { openProvider } from '#adapters/llm/providers/providers.ts';
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import { isModelSet } from '#core/agent/llm/providers.ts';
import type { Settings } from '#core/config.ts';
import { AccessionError, failed } from '#core/errors.ts';
import type { ModelWish } from '#core/ingest/agent.ts';
import { askProvider } from '#lanes/library/core/model/ask-provider.ts';
import type { ModelAsker } from '#lanes/library/core/model/model-ingester.ts';
import { modelFor, mayAskModel } from './model-choice.ts';

/** Answers the model of some settings; null where none is set. One model is held at a time: two may be more than there is memory for. */
export function browserAskers(
  deps: Omit<ModelOpenerDeps, 'server'> & Pick<ModelOpenerDeps, 'server'>,
): (settings: Settings) => ModelAsker {
  const { db, clock, timers, server, openModel } = deps;
  let held: { key: string; opening: Promise<LlmProvider> } | null = null;

  async function make(settings: Settings, before: typeof held): Promise<LlmProvider> {
    (await before?.opening.catch(() => null))?.close?.();
    const key = (origin: string): Promise<string | null> => createModelKeyStore(db, origin).get();
    const titleOf = (id: string): Promise<string | null> => titleOfModel(db, id);
    const opened = await openProvider(settings, { clock, timers, server, openModel, key, titleOf });
    if (!opened.ok) throw new AccessionError(opened.failure);
    const ready = await opened.value.prepare?.();
    if (ready?.ok === false) throw new AccessionError(ready.failure);
    return opened.value;
  }

  return (settings) => {
    if (!isModelSet(settings)) return null;
    const open = async (wish: ModelWish): Promise<LlmProvider> => {
      if (!mayAskModel(settings))
        throw failed('model_missing', 'your model may not be asked (Library, Who reads what)');
      const chosen = modelFor(settings, wish);
      if (typeof chosen === 'string') throw failed('model_missing', chosen);
      const { llm_provider, llm_base_url, llm_model, llm_context_length } = chosen;
      const key = JSON.stringify([llm_provider, llm_base_url, llm_model, llm_context_length]);
      if (held?.key !== key) held = { key, opening: make(chosen, held) };
      const mine = held;
      try {
        return await mine.opening;
      } catch (thrown) {
        // Tried anew the next time.
        if (held === mine) held = null;
        throw thrown;
      }
    };
    return askProvider(open, (wish) => {
      const chosen = mayAskModel(settings) ? modelFor(settings, wish) : '';
      return typeof chosen === 'string' ? null : `${chosen.llm_provider}/${chosen.llm_model}`;
    });
  };
}
