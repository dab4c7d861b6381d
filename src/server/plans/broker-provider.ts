import type {
  CompletionOptions,
  LlmProvider,
  CompletionResponse,
  Message,
  ToolDefinition,
} from '#core/agent/llm/provider.ts';
import { ChatEventSchema, type ModelsAnswer } from '#core/agent/llm/wire.ts';
import { broker as lent } from '#adapters/llm/providers/broker.ts';
import { failure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import * as v from 'valibot';
import type { Broker } from '../llm/broker.ts';

/** The server's own model for a workflow that runs in the server, within the limits of the person who wants it. */
export function brokerProvider(broker: Broker, { provider, models }: ModelsAnswer, user: string): LlmProvider | null {
  const [first] = models;
  if (first === undefined) return null;
  return {
    name: lent.id,
    behind: provider,
    model: first.id,
    capabilities: first.capabilities,
    complete: (messages, tools, options) => complete(broker, user, messages, tools, options),
    healthCheck: () =>
      Promise.resolve({
        ok: true,
        stages: [],
        capabilities: first.capabilities,
        ms_per_token: null,
        models: [first.id],
      }),
  };
}

async function complete(
  broker: Broker,
  user: string,
  messages: readonly Message[],
  tools: readonly ToolDefinition[] | undefined,
  { schema, maxTokens, temperature, seed, signal }: CompletionOptions,
): Promise<Result<CompletionResponse>> {
  const opened = await broker.open(user, {
    messages: [...messages],
    max_tokens: maxTokens,
    temperature,
    ...(tools === undefined || tools.length === 0 ? {} : { tools: [...tools] }),
    ...(schema === undefined ? {} : { schema }),
    ...(seed === undefined ? {} : { seed }),
  });
  if (!opened.ok) {
    const extra = { retryAfterMs: opened.retryAfterMs };
    return fail(failure('rate_limited', 'You have asked the model of this server as often as you may.', extra));
  }
  const reader = opened.body.getReader();
  const stop = (): void => void reader.cancel();
  signal?.addEventListener('abort', stop);
  try {
    return (await lastEvent(reader)) ?? fail(failure('model_cut', 'The model stopped in the middle of its answer.'));
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** The line that ends a chat; null where it was cut. */
async function lastEvent(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Result<CompletionResponse> | null> {
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (value) text += decoder.decode(value, { stream: true });
    if (done) break;
  }
  const last = text.trimEnd().split('\n').at(-1) ?? '';
  const event = v.safeParse(v.pipe(v.string(), v.parseJson(), ChatEventSchema), last);
  if (!event.success || event.output.type === 'text') return null;
  return event.output.type === 'done' ? ok(event.output.response) : fail(event.output.failure);
}
