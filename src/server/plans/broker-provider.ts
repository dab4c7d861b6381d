import type { CompletionResponse, LlmProvider } from '#core/agent/llm/provider.ts';
import { chatRequest } from '#core/agent/llm/chat-request.ts';
import { asProven } from '#core/agent/llm/tool-probe.ts';
import { provenWhereItCounts } from '#core/agent/workflow/strategy.ts';
import type { ChatRequest, ModelsAnswer } from '#core/agent/llm/wire.ts';
import { broker as lent } from '#adapters/llm/providers/broker.ts';
import type { CancelSignal } from '#core/cancel.ts';
import { failure } from '#core/errors.ts';
import { fail, type Result } from '#core/result.ts';
import type { Broker } from '../llm/broker.ts';

/** What was found out about a model of the server, while the process lives. */
const proven = new WeakMap<Broker, { model: string; calls: boolean }>();
/** Milliseconds for that. */
const PROBE_MS = 60_000;

/**
 * The server's own model for a workflow that runs in the server, within the limits of the person who wants it. At its
 * first use it is found out whether it calls tools, where `auto` goes by that (AGENT-90).
 */
export async function brokerProvider(broker: Broker, answer: ModelsAnswer, user: string): Promise<LlmProvider | null> {
  const provider = plainProvider(broker, answer, user);
  if (provider === null) return null;
  const known = proven.get(broker);
  if (known?.model === provider.model) return asProven(provider, known.calls);
  const made = await provenWhereItCounts(provider, PROBE_MS);
  if (made.proven !== undefined) proven.set(broker, { model: made.model, calls: made.proven });
  return made;
}

function plainProvider(broker: Broker, { provider, models }: ModelsAnswer, user: string): LlmProvider | null {
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
