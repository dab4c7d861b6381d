/**
 * Sources as a page reaches them: itself where the other side lets pages ask, else by the catalog server, which holds the secrets;
 * what was answered is kept for when there is no network.
 */
import { contentType } from '#adapters/http/content.ts';
import { createJsonCall, addressOf } from '#adapters/http/json-call.ts';
import type { HttpOptions } from '#adapters/http/request.ts';
import { chunksOf } from '#adapters/media/blob-pieces.ts';
import { fromBase64 } from '#core/toolbox/base64.ts';
import { read, rememberingNet } from '#adapters/toolbox/recordings.ts';
import { AccessionError, failed, failure } from '#core/errors.ts';
import { allowedBy, plainHost } from '#core/domains.ts';
import type { CancelSignal } from '#core/cancel.ts';
import { fail, ok, type Result } from '#core/result.ts';
import { TAKEN, type Net, type NetAnswer, type NetAsk } from '#core/toolbox/connectors/net.ts';
import { SourceAnswerSchema } from '#core/toolbox/connectors/relay.ts';
import { keptAnswers } from './kept-sources.ts';

/** Milliseconds that the server has beyond what the source has. */
const PATIENCE = 10_000;

/** @param server where it is and who asks; null: there is none, or nobody is signed in */
export const openPageNet = (server: () => Promise<HttpOptions | null>): Net =>
  rememberingNet({ ask: (asked, signal) => pageAsk(asked, server, signal) }, keptAnswers());

async function pageAsk(
  asked: NetAsk,
  server: () => Promise<HttpOptions | null>,
  signal: CancelSignal | undefined,
): Promise<Result<NetAnswer>> {
  const { connector } = asked;
  const stop = new AbortController();
  const end = (): void => stop.abort();
  signal?.addEventListener('abort', end);
  if (signal?.aborted) end();
  try {
    if (connector.direct && connector.secret === undefined) return await direct(asked, stop.signal);
    const options = await server();
    if (options === null)
      return fail(failure('offline', `${connector.name} is asked by a catalog server, and there is none here`));
    return await relayed(asked, options, stop.signal);
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

async function relayed(
  { connector, url, accept, domains }: NetAsk,
  options: HttpOptions,
  signal: AbortSignal,
): Promise<Result<NetAnswer>> {
  const call = createJsonCall(options);
  const body = { url, accept, domains: domains === null ? null : [...domains] };
  const lent = { timeoutMs: connector.timeMs + PATIENCE, signal };
  const answer = await call('POST', addressOf('/v1/connectors', connector.name), SourceAnswerSchema, body, lent);
  if (!answer.ok) {
    const { code, message, remedy } = answer.failure;
    return fail(
      code === 'forbidden' || code === 'not_found' ? failure('tool_refused', message, { remedy }) : answer.failure,
    );
  }
  const { value } = answer;
  if (value.outcome === 'failed') {
    const { code, message, remedy, retry_after_ms: wait } = value;
    return fail(failure(code, message, { remedy, ...(wait === null ? {} : { retryAfterMs: wait }) }));
  }
  const { url: final, type, charset, at, body: text } = value;
  return ok({ url: final, type, charset, at, ...read(fromBase64(text), charset), recorded: false });
}

/** The browser keeps pages from private addresses and from answers that are not meant for them; hosts and sizes are ours to keep. */
async function direct({ connector, url, accept, domains }: NetAsk, signal: AbortSignal): Promise<Result<NetAnswer>> {
  const late = AbortSignal.timeout(connector.timeMs);
  const host = plainHost(url) ?? '';
  try {
    const response = await fetch(url, {
      ...{ headers: { Accept: accept }, credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store' },
      signal: AbortSignal.any([signal, late]),
    });
    const landed = plainHost(response.url) ?? '';
    if (!allowedBy(landed, [connector.hosts, domains]))
      throw failed('tool_refused', `${host} leads to ${landed}, which is not among the domains that may be asked.`);
    if (response.status === 429 || response.status === 503)
      throw failed('rate_limited', `${host} asks to wait (${response.status}).`);
    if (!response.ok) throw failed('tool_unavailable', `${host} answered ${response.status}.`);
    const { type, charset } = contentType(response.headers.get('content-type'));
    if (!TAKEN.test(type)) throw failed('tool_refused', `${host} answered what is not taken (${type.slice(0, 60)}).`);
    const bytes = await bytesOf(response, connector.bytes, host);
    return ok({ url: response.url, type, charset, at: Date.now(), ...read(bytes, charset), recorded: false });
  } catch (thrown) {
    if (signal.aborted) return fail(failure('cancelled', 'cancelled'));
    if (late.aborted) return fail(failure('tool_timeout', `${host} took longer than ${connector.timeMs / 1000} s.`));
    if (thrown instanceof AccessionError) return fail(thrown.failure);
    return fail(failure('offline', `${host} gave no answer.`));
  }
}

async function bytesOf(response: Response, most: number, host: string): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let count = 0;
  if (response.body !== null)
    for await (const part of chunksOf(response.body)) {
      count += part.length;
      if (count > most) throw failed('tool_limit', `${host} answered more than ${most / 1024 / 1024} MiB.`);
      parts.push(part);
    }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
