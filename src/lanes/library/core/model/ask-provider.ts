/** A provider of models as agents ask it. */
import type { LlmProvider } from '#core/agent/llm/provider.ts';
import { AccessionError } from '#core/errors.ts';
import type { ModelWish } from '#core/ingest/agent.ts';
import { AGENT_LIMITS } from '#core/ingest/read-chunks.ts';
import type { AskModel } from './model-ingester.ts';

/** Tokens of an answer at most; a third of what fits the model's context. */
const MOST_ANSWER = 16_384;

/**
 * `open`: the provider for what an agent wishes, among those that the person has set up. Throws AccessionError. `nameOf`: its
 * name and the model's, before anything is opened; null where what is wished is not set up.
 */
export function askProvider(
  open: (wish: ModelWish) => Promise<LlmProvider>,
  nameOf: (wish: ModelWish) => string | null,
): AskModel {
  const ask: AskModel = async ({ system, user, wish }) => {
    const provider = await open(wish);
    const answer = await provider.complete(
      [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ],
      undefined,
      {
        maxTokens: Math.min(MOST_ANSWER, Math.floor(provider.capabilities.contextLength / 3)),
        temperature: wish.temperature ?? 0.1,
        timeoutMs: AGENT_LIMITS.model,
      },
    );
    if (!answer.ok) throw new AccessionError(answer.failure);
    const { message, finish_reason } = answer.value;
    return { text: message.content, finish: finish_reason };
  };
  return Object.assign(ask, { nameOf });
}
