/** From what a person set to a provider. The heavy ones live in their own worker and are not loaded from here. */
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import type { Settings } from '#core/config.ts';
import { failure } from '#core/errors.ts';
import type { Clock } from '#core/ports.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { HttpOptions } from '../../http/request.ts';
import type { Timers } from '../../http/socket.ts';
import { openBroker } from '../../llm/broker.ts';
import { createOllama, openOllama } from '../../llm/ollama.ts';
import { createOpenAi } from '../../llm/openai.ts';
import type { ModelSession } from '../../models/inference.ts';
import { createLocalModel } from '../../models/local-model.ts';
import { modelOrigin } from './model-origin.ts';

/** What of the settings says which model is asked. */
export type ModelSettings = Pick<Settings, 'llm_provider' | 'llm_base_url' | 'llm_model' | 'llm_context_length'>;

export interface ProviderDeps {
  clock: Clock;
  timers: Timers;
  /** The catalog server, for its broker. */
  server: HttpOptions;
  /** The stored key of a model server, or the one that was just typed; asked before each call. */
  key(origin: string): Promise<string | null>;
  /** Opens the worker of models that run in this browser. */
  openModel(): ModelSession;
  /** How a model of this browser is called; null where that is not known. */
  titleOf?(id: string): Promise<string | null>;
  /** For the check: a server may be opened before a model is chosen, to say which ones it has. */
  unnamed?: boolean;
}

/**
 * The provider that is set. Fails with `model_missing` where no model is chosen, and with what the broker's server
 * answers; whether the others can be reached is seen by the first call.
 */
export async function openProvider(settings: ModelSettings, deps: ProviderDeps): Promise<Result<LlmProvider>> {
  const { llm_provider: name, llm_model: model, llm_base_url: baseUrl, llm_context_length: contextLength } = settings;
  if (name === 'broker') return openBroker(deps.server);
  const named = model !== '' || (deps.unnamed === true && (name === 'ollama' || name === 'openai'));
  if (name === 'none' || !named) return fail(failure('model_missing', 'No model is chosen.'));
  if (name === 'webllm' || name === 'wllama') {
    const { timers, openModel: open } = deps;
    const title = (await deps.titleOf?.(model)) ?? undefined;
    return ok(createLocalModel({ engine: name, id: model, title, contextLength, open, timers }));
  }
  const origin = modelOrigin(settings);
  const key = origin === null ? undefined : (): Promise<string | null> => deps.key(origin);
  const wire = { baseUrl, model, contextLength, clock: deps.clock, key };
  if (name === 'openai') return ok(createOpenAi(wire));
  // A check looks by itself.
  return ok(deps.unnamed === true ? createOllama(wire) : await openOllama(wire));
}
