import { createMD5, createSHA256 } from 'hash-wasm';
import { blobPieces } from '../media/blob-pieces.ts';
import { AccessionError, failure } from '#core/errors.ts';
import type { Part, PartStore, Fetch } from './parts.ts';

export interface PartFetch {
  fetch: Fetch;
  store: PartStore;
  signal: AbortSignal;
  /** ETag of the whole, when it is known: another one means another file. */
  version: string | null;
  onBytes: (bytes: number) => void;
}

/**
 * Fetches one part and keeps it, when it is as long as it should be and has the hash that was published or recorded
 * before. Answers the part with its size and hash. Throws AccessionError; nothing is kept then.
 */
export async function fetchPart(part: Part, ports: PartFetch): Promise<Part> {
  const { fetch, store, signal } = ports;
  const last = part.start === null || part.bytes === null ? null : part.start + part.bytes - 1;
  const headers = part.start === null ? {} : { headers: { range: `bytes=${part.start}-${last ?? ''}` } };
  const response = await fetch(part.url, { ...headers, signal }).catch((error: unknown) => {
    throw unreachable(part.url, error, signal);
  });
  if (!response.ok || response.body === null) throw refusedBy(part.url, response.status);
  // A whole file where a piece was asked for would be kept as that piece.
  if (part.start !== null && response.status !== 206) throw damaged(nameOf(part));
  const version = response.headers.get('etag');
  if (version !== null && ports.version !== null && version !== ports.version) throw damaged(nameOf(part));

  const [sha256, md5] = [await createSHA256(), part.md5 === null ? null : await createMD5()];
  sha256.init();
  md5?.init();
  let bytes = 0;
  let digest = '';
  async function* checked(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunksOf(body, part, signal)) {
      bytes += chunk.length;
      sha256.update(chunk);
      md5?.update(chunk);
      ports.onBytes(chunk.length);
      yield chunk;
    }
    // Thrown inside the store's own writing: it keeps nothing then.
    if (part.bytes !== null && bytes !== part.bytes)
      throw bytes < part.bytes ? brokeOff(nameOf(part)) : damaged(nameOf(part));
    digest = sha256.digest('hex');
    if (md5 !== null && md5.digest('hex') !== part.md5) throw damaged(nameOf(part));
    if (part.sha256 !== null && digest !== part.sha256) throw damaged(nameOf(part));
  }
  await store.put(part.key, checked(response.body), part.bytes);
  return { ...part, bytes, sha256: digest };
}

async function* chunksOf(
  body: ReadableStream<Uint8Array>,
  part: Part,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  let ended = false;
  try {
    for (;;) {
      const next = await reader.read().catch(() => {
        throw signal.aborted ? paused() : brokeOff(nameOf(part));
      });
      if (signal.aborted) throw paused();
      ended = next.done;
      if (next.done) return;
      yield next.value;
    }
  } finally {
    if (!ended) await reader.cancel().catch(() => undefined);
  }
}

/** SHA-256 of what is kept, lower-case hex. */
export async function hashOf(blob: Blob, signal?: AbortSignal): Promise<string> {
  const hasher = await createSHA256();
  hasher.init();
  for await (const piece of blobPieces(blob)) {
    if (signal?.aborted === true) throw paused();
    hasher.update(piece);
  }
  return hasher.digest('hex');
}

/** For the person: the file, and the piece of it. */
export function nameOf({ key, url, start }: Part): string {
  const file = decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
  return start === null ? file : `${file}, piece ${Number(key.split('.').at(-1)) + 1}`;
}

/** What the place of a model answered, in words. */
export function refusedBy(url: string, status: number): AccessionError {
  const place = new URL(url).host;
  if (status === 404 || status === 410) {
    return new AccessionError(
      failure('model_missing', `${place} has no such file (${shown(url)}).`, {
        remedy: 'Check the address of the model.',
      }),
    );
  }
  if (status === 401 || status === 403) {
    return new AccessionError(
      failure('model_unauthorized', `${place} does not give this file to everybody (${status}).`, {
        remedy: 'Fetch the model with your own account and add its GGUF file from this device.',
      }),
    );
  }
  if (status === 429) return new AccessionError(failure('rate_limited', `${place} asks to wait (429).`));
  return new AccessionError(failure('model_unreachable', `${place} answered ${status}.`, { remedy: AGAIN }));
}

/** A browser does not say why nothing came. */
export function unreachable(url: string, error: unknown, signal: AbortSignal): AccessionError {
  if (signal.aborted) return paused();
  const place = new URL(url).host;
  const words = `${place} cannot be reached, or does not let this page read it.`;
  return new AccessionError(failure('model_unreachable', words, { remedy: AGAIN }), { cause: error });
}

export function brokeOff(part: string): AccessionError {
  return new AccessionError(failure('model_unreachable', `The download broke off (${part}).`, { remedy: AGAIN }));
}

export function damaged(part: string): AccessionError {
  return new AccessionError(failure('model_damaged', `What came is not what was published or came before (${part}).`));
}

export function paused(): AccessionError {
  return new AccessionError(failure('cancelled', 'The download was paused.', { remedy: AGAIN }));
}

/** An address without what may be a key: query and account. */
export function shown(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}

const AGAIN = 'Press Download again: what has come stays.';
