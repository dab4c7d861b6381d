/** Recorded answers: a map from what was asked to what was said. The file is JSON, parsed where it is read. */
import type { CompletionResponse, JsonSchema, Message } from '#core/agent/llm/message.ts';
import { canonical } from '#core/agent/tools/canonical.ts';
import { createSHA256 } from 'hash-wasm';
import * as v from 'valibot';

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
export async function cassetteKey(
  model: string,
  schema: JsonSchema | null,
  messages: readonly Message[],
): Promise<string> {
  const hasher = await createSHA256();
  hasher.init();
  hasher.update(canonical({ model, schema, messages: messages.map(withoutIds) }));
  return hasher.digest('hex');
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
