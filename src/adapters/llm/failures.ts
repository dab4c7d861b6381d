/** How an answer of a model server becomes one of the product's failures. What happens without one: reach.ts. */
import { failure, type Failure } from '#core/errors.ts';
import { retryAfter } from '#core/sync/connection.ts';
import type { Stop } from './guard.ts';
import { parseJson } from './json.ts';

/** What to do about a server whose own commands are known. */
export interface Remedies {
  /** So that a page of this origin may read its answers. One sentence. */
  allowOrigin(origin: string): string;
  /** The beginning of a sentence that goes on with "or choose another model". */
  fetchModel(model: string): string;
}

/** What a failure's words are made of. */
export interface FailureContext {
  /** As shown: no password, no query. */
  base: string;
  model: string;
  /** `Ollama`, or `The model server`. */
  server: string;
  remedies?: Remedies | undefined;
  /** What was sent as keys; none of it may be in a failure's text. */
  secrets: readonly string[];
}

/** Milliseconds of Retry-After (seconds, or an HTTP date) or `retry-after-ms`; undefined where neither makes sense. */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const exact = headers.get('retry-after-ms')?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(exact)) return Math.ceil(Number(exact));
  return retryAfter(headers.get('retry-after'), now);
}

/** The failure of an answer with a status that is no success. `now`: milliseconds since the epoch. */
export function failureOfStatus(
  response: { status: number; headers: Headers },
  body: string,
  context: FailureContext,
  now: number,
): Failure {
  const said = saidIn(body, context);
  const { status } = response;
  if (status === 401 || status === 403 || status === 407)
    return failure('model_unauthorized', sentence(`${context.server} refused the key (${status})`, said));
  if (status === 429 || status === 503 || status === 529) {
    const wait = retryAfterMs(response.headers, now);
    return failure(
      'rate_limited',
      sentence(`${context.server} has too much to do (${status})`, said),
      wait === undefined ? {} : { retryAfterMs: wait },
    );
  }
  return failureOfWords(said, context, status);
}

/** The failure of an error object in a stream that began with 200. `error`: the value of its field `error`. */
export function failureOfError(error: unknown, context: FailureContext): Failure {
  const status = typeof error === 'object' && error !== null && 'code' in error ? Number(error.code) : NaN;
  const said = saidIn(JSON.stringify({ error }), context);
  if (status === 429 || /\brate.?limit/i.test(said))
    return failure('rate_limited', sentence(`${context.server} has too much to do`, said));
  return failureOfWords(said, context, null);
}

function failureOfWords(said: string, context: FailureContext, status: number | null): Failure {
  const code = status === null ? '' : ` (${status})`;
  if (status === 413 || isContextFull(said))
    return failure('model_context_full', sentence(`The question does not fit the context of "${context.model}"`, said));
  if (/(?:not|n't|no\b.*) support.{0,20}\btool/i.test(said))
    return failure('model_schema', sentence(`"${context.model}" cannot call tools`, said), {
      remedy: 'Set the strategy to "choice" in Settings, Model, or choose a model that can call tools.',
    });
  if (isModelMissing(said, status)) return modelMissing(context, said, []);
  if (status === 404 || status === 405)
    return failure('model_error', sentence(`There is no chat at ${context.base}${code}`, said), {
      remedy: 'Check the address in Settings, Model: an OpenAI-compatible one usually ends in /v1.',
    });
  if (/more system memory|out of memory|insufficient.*memory/i.test(said))
    return failure('model_error', sentence(`${context.server} has too little memory for "${context.model}"`, said), {
      remedy: 'Choose a smaller model or a smaller context in Settings, Model, or free memory on that machine.',
    });
  if (status === 402 || /insufficient_quota|exceeded your current quota/i.test(said))
    return failure('model_error', sentence(`The account at ${context.base} has no credit left${code}`, said), {
      remedy: 'Add credit to that account, or choose another provider in Settings, Model.',
    });
  return failure('model_error', sentence(`${context.server} answered with an error${code}`, said));
}

/** `known`: the models that are there. */
export function modelMissing(context: FailureContext, said: string, known: readonly string[]): Failure {
  const fetchModel = context.remedies?.fetchModel(context.model);
  const choose = fetchModel === undefined ? 'Choose' : `${fetchModel}, or choose`;
  const few = known.slice(0, 5).join(', ');
  return failure('model_missing', sentence(`${context.server} has no model "${context.model}"`, said), {
    remedy: `${choose} another model in Settings, Model${few === '' ? '' : `: it has ${few}`}.`,
  });
}

/** The failure of a call that was stopped from this side. */
export function failureOfStop(stop: Stop, begun: boolean, timeoutMs: number, idleMs: number, context: FailureContext) {
  const seconds = (ms: number): string => `${ms < 10_000 ? Math.round(ms / 100) / 10 : Math.round(ms / 1000)} s`;
  if (stop === 'cancelled') return failure('cancelled', 'The question to the model was cancelled.');
  if (stop === 'idle')
    return failure('model_timeout', `"${context.model}" stopped in mid-answer for ${seconds(idleMs)}.`, {
      remedy: 'Check the model server, then press "Ask the model again" on the question.',
    });
  return failure(
    'model_timeout',
    begun
      ? `"${context.model}" was not done after ${seconds(timeoutMs)}.`
      : `"${context.model}" did not begin to answer within ${seconds(timeoutMs)}.`,
  );
}

/** The stream ended before the answer did. */
export function cutShort(context: FailureContext, why: string): Failure {
  return failure('model_cut', `The answer of "${context.model}" broke off: ${redact(why, context.secrets)}.`);
}

/** A 200 that is not what a model server says: a proxy's page, a portal, another kind of server. */
/** The answer is longer than any that was asked for. @param most characters */
export function tooLong(context: FailureContext, most: number): Failure {
  return failure('model_error', `What answers at ${context.base} answered more than ${most / 1000} kB.`, {
    remedy: 'Choose another model, or check the address in Settings, Model. The question went to you instead.',
  });
}

export function notAModelServer(context: FailureContext): Failure {
  return failure('model_error', `What answers at ${context.base} does not speak like a model server.`, {
    remedy: 'Check the address and the provider in Settings, Model.',
  });
}

/** The error's own words: `{error: 'x'}`, `{error: {message, code}}`, `{message}`, `{detail}` or plain text. */
function saidIn(body: string, context: FailureContext): string {
  const value = parseJson(body);
  if (value === undefined) return /<html|<!doctype/i.test(body) ? '' : redact(body, context.secrets);
  return redact(wordsIn(value), context.secrets);
}

function wordsIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(wordsIn).join('; ');
  if (typeof value !== 'object' || value === null) return '';
  const fields: Record<string, unknown> = { ...value };
  for (const name of ['error', 'message', 'detail', 'msg']) {
    const words = wordsIn(fields[name]);
    const code = typeof fields['code'] === 'string' ? ` [${fields['code']}]` : '';
    if (words !== '') return words + code;
  }
  return '';
}

function isContextFull(said: string): boolean {
  return /context.?length|context (?:window|size)|context_length_exceeded|exceed_context_size|too many tokens|prompt is too long/i.test(
    said,
  );
}

function isModelMissing(said: string, status: number | null): boolean {
  if (/model_not_found|invalid model|not a valid model|no such model/i.test(said)) return true;
  return (
    /\bmodel\b.*(?:not found|does not exist|not exist|not available)/i.test(said) ||
    (status === 404 && /\bmodel\b/i.test(said))
  );
}

function sentence(head: string, said: string): string {
  if (said === '') return `${head}.`;
  // The code was kept to be recognised; a person has no use for it.
  return `${head}: ${said.replace(/ \[[\w.-]+\]/g, '').replace(/[.\s]+$/, '')}.`;
}

/** Makes text of a server fit for a failure: one line, short, and without any key. */

/** `secrets`: keys that were sent. What only looks like a key goes too (servers echo them, in part). */
export function redact(text: string, secrets: readonly string[], most = 300): string {
  let out = text.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
  for (const secret of secrets) if (secret.length > 3) out = out.replaceAll(secret, '(key)');
  out = out
    .replace(/\bBearer\s+[^\s"',;]+/gi, 'Bearer (key)')
    .replace(/\b(?:sk|pk|gsk|hf|xai)[-_][\w*.-]{6,}/g, '(key)');
  return out.length > most ? `${out.slice(0, most - 1)}…` : out;
}
