import * as v from 'valibot';
import { failure } from '#core/errors.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { createSend, type HttpOptions, type HttpRequest } from './request.ts';

export interface CallOptions {
  /** The request may go out without a token. */
  open?: boolean;
  /** `Idempotency-Key`: sent again under it, it is done once. */
  key?: string | null;
  /** `If-Match`: refused with `conflict` where another version is there by now. */
  version?: number | undefined;
}

/** Requests with a JSON body and answer, parsed. Never throws. */
export function createJsonCall(options: HttpOptions) {
  const send = createSend(options);
  return async <S extends v.GenericSchema>(
    method: HttpRequest['method'],
    path: string,
    schema: S,
    body?: object,
    { open = false, key = null, version }: CallOptions = {},
  ): Promise<Result<v.InferOutput<S>>> => {
    const headers = {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === null ? {} : { 'idempotency-key': key }),
      ...(version === undefined ? {} : { 'if-match': `"${version}"` }),
    };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await send({ method, path, open, headers, ...content });
    if (!answer.ok) return answer;
    if (answer.value.status === 204) return ok(v.parse(schema, null));
    const read = v.safeParse(schema, await answer.value.json().catch(() => undefined));
    return read.success
      ? ok(read.output)
      : fail(failure('server_error', 'The server answered something that this app does not understand.'));
  };
}

/** The address of one of many, by its id. */
export const addressOf = (path: string, id: string, rest = ''): string => `${path}/${encodeURIComponent(id)}${rest}`;
