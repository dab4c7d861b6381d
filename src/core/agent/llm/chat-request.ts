import type { CompletionOptions, Message, ToolDefinition } from './provider.ts';
import type { ChatRequest } from './wire.ts';

/** What a provider was asked, as the body of POST /v1/llm/chat. */
export function chatRequest(
  messages: readonly Message[],
  tools: readonly ToolDefinition[] | undefined,
  { schema, seed, maxTokens, temperature }: CompletionOptions,
): ChatRequest {
  return {
    messages: [...messages],
    max_tokens: maxTokens,
    temperature,
    ...(tools === undefined || tools.length === 0 ? {} : { tools: [...tools] }),
    ...(schema === undefined ? {} : { schema }),
    ...(seed === undefined ? {} : { seed }),
  };
}
