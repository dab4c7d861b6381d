/** How an HTTP answer, or none, becomes one of the product's failures. */
import { retryAfter } from '#core/sync/connection.ts';
import * as v from 'valibot';
import { failure, FAILURES, type Failure, type FailureCode } from '#core/errors.ts';
import { ErrorBodySchema } from '#core/sync/protocol.ts';

/** The failure of an answer with a status of 300 or more. Reads the body; never throws. */
export async function failureOf(response: Response, now: number): Promise<Failure> {
  const text = await response.text().catch(() => '');
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), ErrorBodySchema), text);
  const said = read.success ? read.output.error : null;
  const code = codeOf(response.status, said?.code);
  const retryAfterMs = retryAfter(response.headers.get('retry-after'), now);
  const message =
    said?.message ??
    `The server answered ${response.status}${response.statusText === '' ? '' : ` ${response.statusText}`}.`;
  // What the server advises is about what it calls it; here it may be something else.
  const remedy = said?.code === code || isOfServersDisk(said) ? said?.remedy : undefined;
  return failure(code, message, {
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(remedy === undefined ? {} : { remedy }),
  });
}

/** A full or failing disk of the server; one of before 0.2 advised as if the disk were this device's. */
function isOfServersDisk(said: { code: string; remedy?: string | undefined } | null): boolean {
  if (said?.code !== 'storage_full' && said?.code !== 'storage_failed') return false;
  return said.remedy !== FAILURES[said.code].remedy;
}

/** The failure of a request that got no answer. */
export function failureOfThrown(thrown: unknown, base: string, timeoutMs: number): Failure {
  const name = thrown instanceof Error || thrown instanceof DOMException ? thrown.name : '';
  if (name === 'AbortError') return failure('cancelled', 'The request was cancelled.');
  if (name === 'TimeoutError')
    return failure(
      'offline',
      `The server at ${base} did not answer in time${timeoutMs > 0 ? ` (${Math.round(timeoutMs / 1000)} s)` : ''}.`,
    );
  return failure('offline', `The server at ${base} cannot be reached.`);
}

/** A 2xx answer that is not what the route promises: a captive portal, a proxy's page, or another kind of server. */
export function unreadable(path: string): Failure {
  return failure('server_error', `The answer to ${path} was not one of a catalog server.`, {
    remedy: 'Check the server address in Settings. It is tried again by itself.',
  });
}

const FIXED: Readonly<Record<number, FailureCode>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  408: 'offline',
  410: 'not_found',
  413: 'too_large',
  429: 'rate_limited',
};

function codeOf(status: number, said: string | undefined): FailureCode {
  const fixed = FIXED[status];
  if (fixed !== undefined) return fixed;
  // A server's own trouble is never the item's fault, whatever it calls it.
  if (status >= 500 || status < 400) return 'server_error';
  const known = isFailureCode(said) ? said : undefined;
  if (status === 409 || status === 412) return known ?? 'conflict';
  if (status === 415) return known ?? 'file_unsupported';
  return known ?? 'invalid';
}

function isFailureCode(code: string | undefined): code is FailureCode {
  return code !== undefined && Object.hasOwn(FAILURES, code);
}
