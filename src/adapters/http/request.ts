/** One HTTP request to the catalog server: token, time limit, failures as data. */
import { failure, type Failure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { failureOf, failureOfThrown } from './failures.ts';

export interface HttpOptions {
  /** Origin of the server, with a path where it is mounted under one. `''` is the origin of the page or worker. */
  baseUrl: string;
  /** Asked before every request, so that a new token counts at once. null: there is none. */
  token: () => Promise<string | null>;
  fetch?: typeof fetch;
  /** Milliseconds since the epoch; only reads a Retry-After that is a date. */
  now?: () => number;
}

export interface HttpRequest {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Beginning with `/`. */
  path: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer> | Blob;
  /** Milliseconds until the server counts as gone. */
  timeoutMs?: number;
  signal?: AbortSignal | undefined;
  /** The request may go out without a token (`GET /health`). */
  open?: boolean;
  /** Statuses that are an answer and no failure. */
  accept?: readonly number[];
  /** Statuses whose answer the caller reads, though it is no success. */
  read?: readonly number[];
}

export type Send = (request: HttpRequest) => Promise<Result<Response>>;

const TIMEOUT_MS = 30_000;

/** Sends requests to one server. Answers `unauthorized` without asking where there is no token. */
export function createSend(options: HttpOptions): Send {
  const base = resolveBase(options.baseUrl);
  // Called as a plain function: browsers refuse `fetch` with another `this`.
  const send = options.fetch ?? ((input: RequestInfo | URL, init?: RequestInit) => fetch(input, init));
  return async (request) => {
    const token = await options.token();
    if (token === null && request.open !== true) return fail(notSignedIn());
    const timeoutMs = request.timeoutMs ?? TIMEOUT_MS;
    const limit = AbortSignal.timeout(timeoutMs);
    const init: RequestInit = {
      method: request.method,
      headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...request.headers },
      body: request.body ?? null,
      signal: request.signal === undefined ? limit : AbortSignal.any([request.signal, limit]),
      // No cookies exist, and an API answer never comes from a cache or by way of a redirect.
      credentials: 'omit',
      cache: 'no-store',
      redirect: 'error',
    };
    try {
      const response = await send(`${base}${request.path}`, init);
      if (response.ok || request.read?.includes(response.status) === true) return ok(response);
      if (request.accept?.includes(response.status)) {
        // The status says it all; an unread body would hold the connection.
        await response.body?.cancel();
        return ok(response);
      }
      return fail(await failureOf(response, (options.now ?? Date.now)()));
    } catch (error) {
      return fail(failureOfThrown(error, base, timeoutMs));
    }
  };
}

/** The server's address without a trailing slash; `''` becomes the own origin. */
export function resolveBase(baseUrl: string): string {
  const base = baseUrl.trim() === '' ? globalThis.location.origin : baseUrl.trim();
  return base.replace(/\/+$/, '');
}

function notSignedIn(): Failure {
  return failure('unauthorized', 'This browser is not signed in to the catalog server.');
}
