/** An answer as it was read from the wire, and how it becomes a completion. */
import type {
  CompletionResponse,
  FinishReason,
  Message,
  ToolCall,
  CompletionOptions,
} from '#core/agent/llm/provider.ts';
import { failure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { call, type Wire } from './call.ts';
import { cutShort, type FailureContext, failureOfError, notAModelServer } from './failures.ts';
import { parseJson } from './json.ts';
import { Mask } from '#core/agent/llm/mask.ts';
import { createPaddingWatch, createThinkFilter, withoutPadding, withoutThinking } from './streams.ts';

export interface RawCall {
  /** '' where the wire has none. */
  id: string;
  name: string;
  /** A JSON value, or the text as it came where it is none. */
  arguments: unknown;
}

export interface RawAnswer {
  /** Something of the protocol came at all. */
  any: boolean;
  content: string;
  calls: RawCall[];
  /** The answer's own end was seen. */
  finished: boolean;
  /** The wire's word for why it ended; null where it gave none. */
  reason: string | null;
  /** The field `error`; undefined where there was none. */
  error: unknown;
  tokensIn: number | null;
  tokensOut: number | null;
  logprobs: TokenLogprobs[];
}

/** Before anything came. */
export function emptyAnswer(): RawAnswer {
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
  end(): RawAnswer;
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
export function toCompletion(raw: RawAnswer, turn: Turn): Result<CompletionResponse> {
  const { context } = turn;
  if (raw.error !== undefined) return fail(failureOfError(raw.error, context));
  if (!raw.any && !turn.padded) return fail(notAModelServer(context));
  if (!raw.finished && !turn.padded) return fail(cutShort(context, 'the stream ended before the answer did'));
  const full = turn.padded ? null : contextFull(raw, turn.contextLength);
  if (full !== null) return fail(failure('model_context_full', full));
  const reason = turn.padded ? 'max_tokens' : finishReason(raw);
  const content = withoutThinking(turn.padded ? withoutPadding(raw.content) : raw.content);
  if (raw.reason === 'content_filter')
    return fail(
      failure('model_empty', `The model server held the answer of "${context.model}" back (content filter).`),
    );
  if (content.trim() === '' && raw.calls.length === 0 && reason !== 'max_tokens')
    return fail(failure('model_empty', `"${context.model}" answered with nothing.`));
  const calls = toolCalls(raw.calls, turn.messages);
  const message: Message = { role: 'assistant', content };
  if (calls.length > 0) message.tool_calls = calls;
  const logprobs = valueLogprobs(raw.logprobs, turn.options.schema !== undefined);
  return ok(
    // What it was sent as its key it may say again.
    new Mask(context.secrets).response({
      message,
      finish_reason: reason,
      // A stream that was stopped may have counted its tokens already: more of them than are kept.
      usage: {
        tokens_in: turn.padded ? null : raw.tokensIn,
        tokens_out: turn.padded ? null : raw.tokensOut,
        milliseconds: turn.milliseconds,
      },
      ...(logprobs === null ? {} : { first_token_logprobs: logprobs }),
    }),
  );
}

/** A prompt that fills the context was cut at its front, without a word: such an answer is about something else. */
function contextFull(raw: RawAnswer, contextLength: number | null): string | null {
  if (contextLength === null || raw.tokensIn === null) return null;
  const all = raw.tokensIn + (raw.tokensOut ?? 0);
  return all < contextLength
    ? null
    : `The question fills the model's context (${all} of ${contextLength} tokens), so part of it may have been dropped.`;
}

function finishReason(raw: RawAnswer): FinishReason {
  if (raw.reason === 'length' || raw.reason === 'max_tokens') return 'max_tokens';
  return raw.calls.length > 0 ? 'tool_calls' : 'stop';
}

/** Calls with ids: the wire's where they are unique in the conversation, else numbered on, the same every time. */
function toolCalls(raw: readonly RawCall[], messages: readonly Message[]): ToolCall[] {
  const taken = new Set(messages.flatMap((message) => message.tool_calls?.map((call) => call.id) ?? []));
  let number = taken.size;
  return raw.map((call) => {
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

export interface FetchedAnswer {
  raw: RawAnswer;
  context: FailureContext;
  milliseconds: number;
  /** It was stopped from this side: the answer only padded. */
  padded: boolean;
}

/**
 * Sends one question and reads its answer to the end, or until it only pads. `reader` makes the wire's reader; the
 * answer's text goes on to `asked.onText` as it comes, without thinking.
 */
export async function fetchAnswer(
  wire: Wire,
  request: { path: string; body: unknown },
  asked: CompletionOptions,
  reader: (onContent: (delta: string) => void) => AnswerReader,
): Promise<Result<FetchedAnswer>> {
  const thoughts = createThinkFilter();
  const padding = createPaddingWatch();
  let padded = false;
  const say = (text: string): void => {
    if (text !== '') asked.onText?.(text);
  };
  const reading = reader((delta) => {
    padded ||= asked.schema !== undefined && padding.feed(delta);
    say(thoughts.feed(delta));
  });
  const { timeoutMs, signal } = asked;
  const answer = await call(wire, { method: 'POST', ...request, timeoutMs, signal }, (text) => {
    reading.feed(text);
    return padded;
  });
  if (!answer.ok) return answer;
  const raw = reading.end();
  say(thoughts.end());
  return ok({ raw, padded, context: answer.value.context, milliseconds: answer.value.milliseconds });
}

/** Log-probabilities of the token that decides: the first of the answer, or of its first value where it is JSON. */

export interface TokenLogprobs {
  token: string;
  logprob: number;
  /** Natural log-probability by token, the chosen one not always among them. */
  top: Readonly<Record<string, number>>;
}

/** Everything before the first value of an object, its opening quote included. */
const BEFORE_VALUE = /^\s*\{\s*"(?:[^"\\]|\\.)*"\s*:\s*"?/;

/**
 * `bound`: the answer is JSON of a schema; then the alternatives are read at its first value (`{"choice":"B"` at `B`),
 * without what is around it in the token. null where nothing was offered.
 */
export function valueLogprobs(tokens: readonly TokenLogprobs[], bound: boolean): Record<string, number> | null {
  const text = tokens.map((token) => token.token).join('');
  const start = bound ? (BEFORE_VALUE.exec(text)?.[0].length ?? null) : 0;
  if (start === null) return null;
  let at = 0;
  for (const token of tokens) {
    const end = at + token.token.length;
    if (end > start) return alternatives(token, token.token.slice(0, start - at), bound);
    at = end;
  }
  return null;
}

function alternatives(token: TokenLogprobs, head: string, bound: boolean): Record<string, number> | null {
  const found = new Map<string, number>();
  for (const [text, logprob] of [[token.token, token.logprob] as const, ...Object.entries(token.top)]) {
    if (!text.startsWith(head) || !Number.isFinite(logprob)) continue;
    const rest = text.slice(head.length);
    const name = bound ? (/^[^"\\]*/.exec(rest)?.[0] ?? '').trim() : rest;
    // Several tokens may begin with the same value (`B`, `B"`): the likeliest counts.
    if (name !== '') found.set(name, Math.max(logprob, found.get(name) ?? -Infinity));
  }
  return found.size === 0 ? null : Object.fromEntries(found);
}
