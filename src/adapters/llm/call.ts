/** One request to a model server: key, time limits, failures as data. Never throws. */
import type { CancelSignal } from '#core/cancel.ts';
import { failure, type Failure, toFailure } from '#core/errors.ts';
import type { Clock } from '#core/ports.ts';
import { fail, ok, type Result } from '#core/result.ts';
import type { Timers } from '../http/socket.ts';
import {
  cutShort,
  type FailureContext,
  failureOfStatus,
  failureOfStop,
  notAModelServer,
  tooLong,
  type Remedies,
} from './failures.ts';
import { createGuard } from './guard.ts';
import { parseJson } from './json.ts';
import { awaitsPermission, failureOfNoAnswer, type Page, thisPage, unansweredPrompt } from './reach.ts';
import { MAX_ANSWER_CHARS, textOf } from './streams.ts';

/** A static key, or where it comes from; null: none. */
export type Key = string | (() => Promise<string | null>);

/** What every provider over HTTP is made with. */
export interface WireOptions {
  /** '' is the provider's usual address. */
  baseUrl: string;
  model: string;
  clock: Clock;
  key?: Key | undefined;
  headers?: Readonly<Record<string, string>>;
  fetch?: typeof fetch;
  /** Milliseconds that may pass between two pieces of an answer. */
  idleMs?: number;
  /** Default: the real ones. */
  timers?: Timers | undefined;
  /** For tests. Default: the page that this runs in. */
  page?: Page | null;
}

export interface Wire {
  /** Without a slash at the end; null where the address that was typed is none. */
  base: string | null;
  model: string;
  server: string;
  remedies?: Remedies;
  options: WireOptions;
}

export interface WireRequest {
  method: 'GET' | 'POST';
  /** Beginning with `/`. */
  path: string;
  body?: unknown;
  timeoutMs: number;
  signal?: CancelSignal | undefined;
}

export interface WireAnswer {
  /** Milliseconds from sending to the last byte. */
  milliseconds: number;
  /** For failures that are found in the body: it knows the key that was sent. */
  context: FailureContext;
}

/** A slow machine may think for a while between two tokens, hardly for longer than this. */
const IDLE_MS = 60_000;

/**
 * Sends, and gives the body of a 2xx to `onText` piece by piece; where that answers true, the rest is not wanted.
 * A body that dies on the way is `model_cut`.
 */
export async function call(
  wire: Wire,
  request: WireRequest,
  onText: (text: string) => boolean,
): Promise<Result<WireAnswer>> {
  const { options } = wire;
  const send: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init));
  const started = options.clock.now();
  const idleMs = options.idleMs ?? IDLE_MS;
  const guard = createGuard({ timeoutMs: request.timeoutMs, idleMs, signal: request.signal, timers: options.timers });
  const context: FailureContext = {
    base: wire.base ?? options.baseUrl,
    model: wire.model,
    server: wire.server,
    remedies: wire.remedies,
    secrets: [],
  };
  const page = options.page === undefined ? thisPage() : options.page;
  let begun = false;
  const stoppedOr = async (other: () => Failure | Promise<Failure>): Promise<Result<never>> => {
    const stop = guard.stopped();
    if (stop === 'timeout' && !begun && page !== null && (await awaitsPermission(context.base, page)))
      return fail(unansweredPrompt(context.base));
    return fail(stop === null ? await other() : failureOfStop(stop, begun, request.timeoutMs, idleMs, context));
  };
  try {
    const key = (typeof options.key === 'function' ? await options.key() : (options.key ?? null))?.trim() ?? null;
    context.secrets = secretsOf(key, options.headers);
    // fetch would throw, with the key in its words.
    if (key !== null && /[^\x21-\x7e]/.test(key))
      return fail(failure('model_unauthorized', 'The key of the model server holds characters that no key has.'));
    if (wire.base === null) return fail(await failureOfNoAnswer(null, context, page, send));
    let response: Response;
    try {
      response = await send(`${wire.base}${request.path}`, {
        method: request.method,
        headers: headersOf(options, key, request.body !== undefined),
        body: request.body === undefined ? null : JSON.stringify(request.body),
        signal: guard.signal,
        credentials: 'omit',
        cache: 'no-store',
        // A redirect would carry the question, and the key, to somewhere that nobody entered.
        redirect: 'error',
      });
    } catch (thrown) {
      return await stoppedOr(() => failureOfNoAnswer(thrown, context, page, send));
    }
    begun = true;
    guard.touch();
    let size = 0;
    let refusal = '';
    try {
      for await (const text of textOf(response.body, guard.touch)) {
        size += text.length;
        if (size > MAX_ANSWER_CHARS) return fail(tooLong(context, MAX_ANSWER_CHARS));
        if (!response.ok) refusal += text;
        else if (onText(text)) break;
      }
    } catch (thrown) {
      if (response.ok) return await stoppedOr(() => cutShort(context, wordsOf(thrown)));
    }
    if (!response.ok) return await stoppedOr(() => failureOfStatus(response, refusal, context, options.clock.now()));
    // An answer that was complete before the cancel took effect counts no more.
    if (guard.stopped() !== null) return await stoppedOr(() => notAModelServer(context));
    return ok({ milliseconds: Math.max(0, options.clock.now() - started), context });
  } catch (thrown) {
    return await stoppedOr(() => toFailure(thrown));
  } finally {
    guard.release();
  }
}

/** A small JSON answer, read by `parse`; null from it means that this is no model server. */
export async function getJson<T>(
  wire: Wire,
  request: WireRequest,
  parse: (value: unknown) => T | null,
): Promise<Result<T>> {
  let body = '';
  const answer = await call(wire, request, (text) => {
    body += text;
    return false;
  });
  if (!answer.ok) return answer;
  const value = parse(parseJson(body));
  return value === null ? fail(notAModelServer(answer.value.context)) : ok(value);
}

/** For failures that are made without a call: nothing that a server said is in them. */
export function contextOf(wire: Wire): FailureContext {
  const { key, headers } = wire.options;
  return {
    base: wire.base ?? wire.options.baseUrl,
    model: wire.model,
    server: wire.server,
    remedies: wire.remedies,
    secrets: secretsOf(typeof key === 'string' ? key : null, headers),
  };
}

function headersOf(options: WireOptions, key: string | null, hasBody: boolean): Record<string, string> {
  return {
    ...(hasBody ? { 'content-type': 'application/json' } : {}),
    ...(key === null || key === '' ? {} : { authorization: `Bearer ${key}` }),
    ...options.headers,
  };
}

function secretsOf(key: string | null, headers: WireOptions['headers']): string[] {
  return [...(key === null || key === '' ? [] : [key]), ...Object.values(headers ?? {})];
}

function wordsOf(thrown: unknown): string {
  return thrown instanceof Error && thrown.message !== '' ? thrown.message : 'the connection ended';
}
