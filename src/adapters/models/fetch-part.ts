import { createMD5, createSHA256 } from 'hash-wasm';
import type { Fetch } from './plan.ts';
import { brokeOff, damaged, paused, refusedBy, unreachable } from './download-failures.ts';
import type { Part, PartStore } from './parts.ts';

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
export async function hashOf(blob: Blob, signal?: AbortSignal, onBytes?: (bytes: number) => void): Promise<string> {
  const hasher = await createSHA256();
  hasher.init();
  const reader = blob.stream().getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (signal?.aborted === true) throw paused();
    if (done) return hasher.digest('hex');
    hasher.update(value);
    onBytes?.(value.length);
  }
}

/** For the person: the file, and the piece of it. */
export function nameOf({ key, url, start }: Part): string {
  const file = decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
  return start === null ? file : `${file}, piece ${Number(key.split('.').at(-1)) + 1}`;
}
