/** A provider that knows what was said before and nothing else; for tests and for *Try it*, where it is labelled. */
import * as v from 'valibot';
import {
  type CompletionResponse,
  type JsonSchema,
  type Message,
  type Capabilities,
  HEALTH_STAGES,
  type HealthStage,
  type LlmProvider,
} from '#core/agent/llm/provider.ts';
import { RECORDED } from '#core/agent/llm/providers.ts';
import { canonical } from '#core/agent/tools/tool.ts';
import { failure } from '#core/errors.ts';
import { fail, ok } from '#core/result.ts';
import { sha256 } from './executor-ports.ts';

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
    name: RECORDED,
    model: cassette.model,
    capabilities,
    async complete(messages, _tools, asked) {
      const key = await cassetteKey(cassette.model, asked.schema?.schema ?? null, messages);
      if (asked.signal?.aborted === true) return fail(failure('cancelled', 'The question to the model was cancelled.'));
      const answer = Object.hasOwn(cassette.answers, key) ? cassette.answers[key] : undefined;
      if (answer === undefined)
        return fail(failure('model_unrecorded', `No answer of "${cassette.model}" was recorded for this question.`));
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

/** Recorded answers: a map from what was asked to what was said. The file is JSON, parsed where it is read. */

const Count = v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0)));

const ResponseSchema = v.object({
  message: v.object({
    role: v.picklist(['assistant']),
    content: v.string(),
    tool_calls: v.exactOptional(v.array(v.object({ id: v.string(), name: v.string(), arguments: v.unknown() }))),
  }),
  finish_reason: v.picklist(['stop', 'tool_calls', 'max_tokens']),
  usage: v.object({ tokens_in: Count, tokens_out: Count, milliseconds: v.number() }),
  first_token_logprobs: v.exactOptional(v.record(v.string(), v.number())),
});

/** History: 1, first form. */
export const CassetteSchema = v.object({
  version: v.literal(1),
  /** The model that was recorded; part of every key. */
  model: v.string(),
  /** By `cassetteKey`. */
  answers: v.record(v.string(), ResponseSchema),
});
export type Cassette = v.InferOutput<typeof CassetteSchema>;

export function emptyCassette(model: string): Cassette {
  return { version: 1, model, answers: {} };
}

/** Lower-case hex SHA-256 over model, schema and messages. Ids of calls and the order of object keys count not. */
export function cassetteKey(model: string, schema: JsonSchema | null, messages: readonly Message[]): Promise<string> {
  return sha256(canonical({ model, schema, messages: messages.map(withoutIds) }));
}

/** What is kept of an answer. */
export function recordable(response: CompletionResponse): Cassette['answers'][string] {
  const { message, ...rest } = response;
  const calls = message.tool_calls?.map((call) => ({ id: call.id, name: call.name, arguments: call.arguments }));
  return {
    ...structuredClone(rest),
    message: { role: 'assistant', content: message.content, ...(calls === undefined ? {} : { tool_calls: calls }) },
  };
}

function withoutIds({ role, content, tool_calls: calls }: Message): unknown {
  const named = calls?.map((call) => ({ name: call.name, arguments: call.arguments }));
  return { role, content, ...(named === undefined ? {} : { tool_calls: named }) };
}
