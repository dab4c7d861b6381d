/** What is said to the units of a shipped playbook where no model is asked; labelled as recorded wherever it is shown. */
import { NO_MODEL } from '#core/agent/llm/no-model.ts';
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import { RECORDED } from '#core/agent/llm/providers.ts';
import { failure } from '#core/errors.ts';
import { fail, ok } from '#core/result.ts';

export function recordedAnswer(answer: string | undefined): LlmProvider {
  return {
    ...NO_MODEL,
    name: RECORDED,
    model: 'recorded',
    capabilities: { ...NO_MODEL.capabilities, contextLength: 32_768 },
    complete: () =>
      Promise.resolve(
        answer === undefined
          ? fail(failure('model_unrecorded', 'Nothing was recorded for this question.'))
          : ok({
              message: { role: 'assistant', content: answer },
              finish_reason: 'stop',
              usage: { tokens_in: null, tokens_out: null, milliseconds: 0 },
            }),
      ),
  };
}
