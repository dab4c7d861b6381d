import type { CompletionResponse } from '../llm/message.ts';
import { withoutThinking } from '../prompt/ladder.ts';
import type { JournalDraft } from './workflow.ts';

/** Characters of an answer that the journal keeps. */
const MOST_KEPT = 8000;
/** Characters of an answer that are looked at: to take thinking out costs the square of its length at worst. */
const MOST_READ = 40_000;

/**
 * An answer as the journal keeps it: without thinking, runs of white space made short, capped (what was capped counts as
 * cut, so that nobody repairs it). What is read later is read from here, before a crash and after.
 */
export function keepAnswer(call: string, response: CompletionResponse): Extract<JournalDraft, { kind: 'model_ended' }> {
  const content = withoutThinking(response.message.content.slice(0, MOST_READ))
    .replace(/\s{4,}/g, '   ')
    .trim();
  const calls = JSON.stringify(response.message.tool_calls ?? []).length <= MOST_KEPT;
  const long = content.length > MOST_KEPT || response.message.content.length > MOST_READ || !calls;
  return {
    kind: 'model_ended',
    call,
    content: content.slice(0, MOST_KEPT),
    tool_calls: calls ? (response.message.tool_calls ?? []) : [],
    finish_reason: long ? 'max_tokens' : response.finish_reason,
    usage: {
      tokens_in: count(response.usage.tokens_in),
      tokens_out: count(response.usage.tokens_out),
      milliseconds: count(response.usage.milliseconds) ?? 0,
    },
    first_token_logprobs: response.first_token_logprobs ?? null,
  };
}

function count(value: number | null): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}
