/** What was heard of an answer, whatever the wire, and how it becomes a completion. */
import type { CompletionResponse, FinishReason, Message, ToolCall } from '#core/agent/llm/message.ts';
import type { CompletionOptions } from '#core/agent/llm/provider.ts';
import { failure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { cutShort, failureOfError, notAModelServer, type FailureContext } from './failures.ts';
import { valueLogprobs, type TokenLogprobs } from './logprobs.ts';
import { withoutPadding } from './padding.ts';
import { parseJson } from './streams.ts';
import { withoutThinking } from './think.ts';

export interface HeardCall {
  /** '' where the wire has none. */
  id: string;
  name: string;
  /** A JSON value, or the text as it came where it is none. */
  arguments: unknown;
}

export interface Heard {
  /** Something of the protocol came at all. */
  any: boolean;
  content: string;
  calls: HeardCall[];
  /** The answer's own end was seen. */
  finished: boolean;
  /** The wire's word for why it ended; null where it gave none. */
  reason: string | null;
  /** What stood under `error`; undefined where nothing did. */
  error: unknown;
  tokensIn: number | null;
  tokensOut: number | null;
  logprobs: TokenLogprobs[];
}

/** Before anything came. */
export function nothingHeard(): Heard {
  return {
    any: false,
    content: '',
    calls: [],
    finished: false,
    reason: null,
    error: undefined,
    tokensIn: null,
    tokensOut: null,
    logprobs: [],
  };
}

/** A reader of one answer: fed in pieces, asked at the end. */
export interface AnswerReader {
  feed(text: string): void;
  end(): Heard;
}

export interface Turn {
  context: FailureContext;
  messages: readonly Message[];
  options: CompletionOptions;
  /** Tokens that prompt and answer may have; null where the wire's own bound is not known. */
  contextLength: number | null;
  milliseconds: number;
  /** It was stopped from this side: the answer only padded. */
  padded: boolean;
}

/** The completion, or why there is none. Cut answers, errors in mid-stream, full contexts and empty ones are failures. */
export function toCompletion(heard: Heard, turn: Turn): Result<CompletionResponse> {
  const { context } = turn;
  if (heard.error !== undefined) return fail(failureOfError(heard.error, context));
  if (!heard.any && !turn.padded) return fail(notAModelServer(context));
  if (!heard.finished && !turn.padded) return fail(cutShort(context, 'the stream ended before the answer did'));
  const full = turn.padded ? null : contextFull(heard, turn.contextLength);
  if (full !== null) return fail(failure('model_context_full', full));
  const reason = turn.padded ? 'max_tokens' : finishReason(heard);
  const content = withoutThinking(turn.padded ? withoutPadding(heard.content) : heard.content);
  if (heard.reason === 'content_filter')
    return fail(
      failure('model_empty', `The model server held the answer of "${context.model}" back (content filter).`),
    );
  if (content.trim() === '' && heard.calls.length === 0 && reason !== 'max_tokens')
    return fail(failure('model_empty', `"${context.model}" answered with nothing.`));
  const calls = toolCalls(heard.calls, turn.messages);
  const message: Message = { role: 'assistant', content };
  if (calls.length > 0) message.tool_calls = calls;
  const logprobs = valueLogprobs(heard.logprobs, turn.options.schema !== undefined);
  return ok({
    message,
    finish_reason: reason,
    // A stream that was stopped may have told its tokens already, or not: they are of more than is kept.
    usage: {
      tokens_in: turn.padded ? null : heard.tokensIn,
      tokens_out: turn.padded ? null : heard.tokensOut,
      milliseconds: turn.milliseconds,
    },
    ...(logprobs === null ? {} : { first_token_logprobs: logprobs }),
  });
}

/** A prompt that fills the context was cut at its front, without a word: such an answer is about something else. */
function contextFull(heard: Heard, contextLength: number | null): string | null {
  if (contextLength === null || heard.tokensIn === null) return null;
  const all = heard.tokensIn + (heard.tokensOut ?? 0);
  return all < contextLength
    ? null
    : `The question fills the model's context (${all} of ${contextLength} tokens), so part of it may have been dropped.`;
}

function finishReason(heard: Heard): FinishReason {
  if (heard.reason === 'length' || heard.reason === 'max_tokens') return 'max_tokens';
  return heard.calls.length > 0 ? 'tool_calls' : 'stop';
}

/** Calls with ids: the wire's where they are unique in the conversation, else numbered on, the same every time. */
function toolCalls(heard: readonly HeardCall[], messages: readonly Message[]): ToolCall[] {
  const taken = new Set(messages.flatMap((message) => message.tool_calls?.map((call) => call.id) ?? []));
  let number = taken.size;
  return heard.map((call) => {
    let id = call.id;
    while (id === '' || taken.has(id)) id = `call_${(number += 1)}`;
    taken.add(id);
    return { id, name: call.name, arguments: call.arguments };
  });
}

/** Arguments as they come: an object, or text of one (some encode it twice); text that is no JSON stays text. */
export function readArguments(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? {};
  if (value.trim() === '') return {};
  const parsed = parseJson(value);
  if (parsed === undefined) return value;
  const inner = typeof parsed === 'string' ? parseJson(parsed) : undefined;
  return typeof inner === 'object' && inner !== null ? inner : parsed;
}
