/** Requests to one server with a JSON body and answer, parsed by the schema that the caller names. */
import * as v from 'valibot';
import { fail, ok, type Result } from '#core/result.ts';
import type { FeedAnswer } from '#core/sync/feed.ts';
import { failureOfThrown, unreadable } from './failures.ts';
import { createSend, resolveBase, type HttpOptions, type HttpRequest } from './request.ts';

export interface CallOptions extends Pick<HttpRequest, 'open' | 'timeoutMs' | 'signal'> {
  /** `Idempotency-Key`: sent again under it, it is done once. */
  key?: string | null;
  /** `If-Match`: refused with `conflict` where another version is there by now. */
  version?: number | undefined;
}

export type JsonCall = <S extends v.GenericSchema>(
  method: HttpRequest['method'],
  path: string,
  schema: S,
  body?: unknown,
  options?: CallOptions,
) => Promise<Result<v.InferOutput<S>>>;

/** Never throws: a failure is one of core/errors.ts. An answer without a body is read as null. */
export function createJsonCall(options: HttpOptions): JsonCall {
  const send = createSend(options);
  const base = resolveBase(options.baseUrl);
  return async (method, path, schema, body, { key = null, version, ...rest } = {}) => {
    const headers = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === null ? {} : { 'idempotency-key': key }),
      ...(version === undefined ? {} : { 'if-match': `"${version}"` }),
    };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await send({ method, path, headers, ...content, ...rest });
    return answer.ok ? parsed(answer.value, path, schema, base) : answer;
  };
}

/** Reads pages of change feeds: from a cursor on, or with null from the start. Never throws. */
export function createFeedCall(options: HttpOptions) {
  const send = createSend(options);
  const base = resolveBase(options.baseUrl);
  return async <S extends v.GenericSchema>(
    feed: string,
    schema: S,
    { cursor, limit }: { cursor: string | null; limit: number },
    signal?: AbortSignal,
  ): Promise<Result<FeedAnswer<v.InferOutput<S>>>> => {
    const path = withQuery(feed, { cursor, limit });
    // 410: put back to an older state. 400: the cursor is another server's. Without one, neither says so.
    const accept = cursor === null ? [] : [400, 410];
    const answer = await send({ method: 'GET', path, signal, accept, timeoutMs: 60_000 });
    if (!answer.ok) return answer;
    if (!answer.value.ok) return ok({ kind: 'start_over' });
    const page = await parsed(answer.value, path, schema, base);
    return page.ok ? ok({ kind: 'page', page: page.value }) : page;
  };
}

async function parsed<S extends v.GenericSchema>(
  response: Response,
  path: string,
  schema: S,
  base: string,
): Promise<Result<v.InferOutput<S>>> {
  let body: unknown = null;
  try {
    if (response.status !== 204) body = await response.json();
  } catch (error) {
    // Not JSON, or the connection broke in the middle of the body.
    return fail(error instanceof SyntaxError ? unreadable(path) : failureOfThrown(error, base, 0));
  }
  const outcome = v.safeParse(schema, body);
  return outcome.success ? ok(outcome.output) : fail(unreadable(path));
}

/** The address of one of many, by its id. */
export const addressOf = (path: string, id: string, rest = ''): string => `${path}/${encodeURIComponent(id)}${rest}`;

/** An address with the fields that have a value as its query. */
export function withQuery(path: string, fields: Record<string, string | number | boolean | null | undefined>): string {
  const given = Object.entries(fields).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [[key, String(value)]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}
