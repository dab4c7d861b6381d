/** A provider that knows what was said before and nothing else; for tests and for *Try it*, where it is labelled. */
import type { Capabilities, HealthStage, LlmProvider } from '#core/agent/llm/provider.ts';
import { HEALTH_STAGES } from '#core/agent/llm/provider.ts';
import { failure } from '#core/errors.ts';
import { fail, ok } from '#core/result.ts';
import { cassetteKey, recordable, type Cassette } from './cassette.ts';

export interface RecordedOptions {
  cassette: Cassette;
  /** What the recorded model could do; the strategy depends on it. */
  capabilities?: Partial<Capabilities>;
}

/** Answers at once; what is not in the cassette fails with `model_unrecorded`. */
export function createRecorded(options: RecordedOptions): LlmProvider {
  const { cassette } = options;
  const capabilities: Capabilities = {
    contextLength: 8192,
    nativeTools: false,
    jsonSchema: true,
    grammar: true,
    logprobs: false,
    streaming: false,
    ...options.capabilities,
  };
  return {
    name: 'recorded',
    model: cassette.model,
    capabilities,
    async complete(messages, _tools, asked) {
      const key = await cassetteKey(cassette.model, asked.schema?.schema ?? null, messages);
      if (asked.signal?.aborted === true) return fail(failure('cancelled', 'The question to the model was cancelled.'));
      const answer = Object.hasOwn(cassette.answers, key) ? cassette.answers[key] : undefined;
      if (answer === undefined) {
        return fail(failure('model_unrecorded', `No answer of "${cassette.model}" was recorded for this question.`));
      }
      if (answer.message.content !== '') asked.onText?.(answer.message.content);
      return ok(structuredClone(answer));
    },
    healthCheck(_signal, onStage) {
      const count = Object.keys(cassette.answers).length;
      const stages = HEALTH_STAGES.map((stage): HealthStage => {
        const said = stage === 'model' ? `${count} answers of "${cassette.model}" are recorded.` : 'Recorded.';
        return { stage, ok: true, said, failure: null, milliseconds: 0 };
      });
      for (const stage of stages) onStage?.(stage);
      return Promise.resolve({ ok: true, stages, capabilities, ms_per_token: null, models: [cassette.model] });
    },
  };
}

/** The same provider, which also writes what it answers into the cassette. A question asked twice keeps its first answer. */
export function recordInto(provider: LlmProvider, cassette: Cassette): LlmProvider {
  return {
    name: provider.name,
    model: provider.model,
    get capabilities() {
      return provider.capabilities;
    },
    async complete(messages, tools, asked) {
      const result = await provider.complete(messages, tools, asked);
      if (result.ok) {
        const key = await cassetteKey(cassette.model, asked.schema?.schema ?? null, messages);
        cassette.answers[key] ??= recordable(result.value);
      }
      return result;
    },
    healthCheck: (signal, onStage) => provider.healthCheck(signal, onStage),
  };
}
