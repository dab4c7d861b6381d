/** Requests to metadata sources: bounded in time and size, without cookies, and never sent elsewhere but by doi.org. */
import { chunksOf } from '#adapters/media/blob-pieces.ts';
import { failed, messageOf } from '#core/errors.ts';
import type { MetadataWire } from '#lanes/documents/core/lookup/lookup.ts';

const TIMEOUT_MS = 20_000;
const MOST_BYTES = 2_000_000;
/** Its answer is the address of the agency that has the record. */
const SENDS_ON = 'doi.org';

export interface WireOptions {
  fetch?: typeof fetch;
  /** As which program it asks; a browser says its own. */
  userAgent?: string;
  signal?: AbortSignal;
}

export function metadataWire({ fetch: send = fetch, userAgent, signal }: WireOptions = {}): MetadataWire {
  return {
    async get(url, accept) {
      const limit = AbortSignal.timeout(TIMEOUT_MS);
      try {
        const response = await send(url, {
          headers: { accept, ...(userAgent === undefined ? {} : { 'user-agent': userAgent }) },
          signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
          credentials: 'omit',
          referrerPolicy: 'no-referrer',
          redirect: new URL(url).host === SENDS_ON ? 'follow' : 'error',
        });
        return {
          status: response.status,
          headers: Object.fromEntries(response.headers),
          body: await textOf(response),
        };
      } catch (error) {
        if (limit.aborted) throw failed('offline', `no answer within ${TIMEOUT_MS / 1_000} s`);
        throw failed('offline', messageOf(error), { cause: error });
      }
    },
  };
}

async function textOf(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const part of response.body === null ? [] : chunksOf(response.body)) {
    bytes += part.length;
    if (bytes > MOST_BYTES) throw new Error(`more than ${MOST_BYTES / 1_000_000} MB`);
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}
