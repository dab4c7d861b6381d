import type { CompletionResponse, LlmProvider } from '#core/agent/llm/provider.ts';
import { chatRequest } from '#core/agent/llm/chat-request.ts';
import type { ChatRequest, ModelsAnswer } from '#core/agent/llm/wire.ts';
import { broker as lent } from '#adapters/llm/providers/broker.ts';
import type { CancelSignal } from '#core/cancel.ts';
import { failure } from '#core/errors.ts';
import { fail, type Result } from '#core/result.ts';
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
    complete: (messages, tools, options) =>
      complete(broker, user, chatRequest(messages, tools, options), options.signal),
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
  chat: ChatRequest,
  signal: CancelSignal | undefined,
): Promise<Result<CompletionResponse>> {
  const asked = await broker.ask(user, chat, signal);
  if (asked.ok) return asked.result;
  const extra = { retryAfterMs: asked.retryAfterMs };
  return fail(failure('rate_limited', 'You have asked the model of this server as often as you may.', extra));
}
