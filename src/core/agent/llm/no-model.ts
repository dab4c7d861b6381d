import { failure } from '#core/errors.ts';
import { fail } from '#core/result.ts';
import type { LlmProvider } from './provider.ts';

/** What stands where no model is asked: a run that goes on by code alone has this one, and is refused if it asks all the same. */
export const NO_MODEL: LlmProvider = {
  name: 'none',
  model: 'none',
  capabilities: {
    contextLength: 4096,
    nativeTools: false,
    jsonSchema: false,
    grammar: false,
    logprobs: false,
    streaming: false,
  },
  complete: () => Promise.resolve(fail(failure('model_missing', 'There is no model.'))),
  healthCheck: () => Promise.resolve({ ok: false, stages: [], capabilities: null, ms_per_token: null, models: [] }),
};
