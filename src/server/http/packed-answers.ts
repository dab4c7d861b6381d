/** JSON answers, compressed as they go. The app's own files are compressed once, beside the server (scripts/compress.mjs). */
import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { MiddlewareHandler } from 'hono';
import type { Env } from '../deps.ts';
import { chunksOf, streamOf } from './stream.ts';

/** Bytes below which an answer goes as it is: it would hardly be shorter. */
const LEAST = 1024;
/** Of zlib: half of the processor's time of the usual one for a tenth more bytes. */
const LEVEL = 3;

/**
 * Around routes that only read: what they answer holds no secret (tokens, signatures and invitations are answers to POST),
 * so that nothing of one shows in the length of a text that somebody else chose. An answer with an ETag stays as it is:
 * its tag stands for these very bytes, and `If-Match` and ranges go by it.
 */
export function packedAnswers(): MiddlewareHandler<Env> {
  return async (c, next) => {
    await next();
    const { headers, status, body } = c.res;
    if (c.req.method !== 'GET' || status !== 200 || body === null || headers.has('ETag')) return;
    if (headers.has('Content-Encoding') || !/^application\/json\b/.test(headers.get('Content-Type') ?? '')) return;
    headers.append('Vary', 'Accept-Encoding');
    if (!takesGzip(c.req.header('Accept-Encoding'))) return;
    const chunks = chunksOf(body);
    const first = await chunks.next();
    if (first.done === true) return void (c.res = new Response(null, c.res));
    if (first.value.length < LEAST) return void (c.res = await asItIs(first.value, chunks, c.res));
    const gzip = createGzip({ level: LEVEL });
    // What fails on either side ends the other, and is said by the reading of it.
    pipeline(Readable.from(withFirst(first.value, chunks, () => body.cancel())), gzip, () => undefined);
    headers.set('Content-Encoding', 'gzip');
    headers.delete('Content-Length');
    c.res = new Response(streamOf(gzip), c.res);
  };
}

/** What is whole with its first chunk has its length in the answer, as it had before somebody looked. */
async function asItIs(first: Uint8Array, rest: AsyncGenerator<Uint8Array, void>, answer: Response) {
  const second = await rest.next();
  if (second.done === true) return new Response(Buffer.from(first), answer);
  async function* all(more: Uint8Array): AsyncGenerator<Uint8Array> {
    yield first;
    yield more;
    yield* rest;
  }
  return new Response(streamOf(all(second.value)), answer);
}

/** `gzip` by its name, and not with the weight 0. */
export function takesGzip(accepted = ''): boolean {
  return accepted
    .toLowerCase()
    .split(',')
    .map((one) => one.split(';').map((part) => part.trim()))
    .some(([name, ...weights]) => name === 'gzip' && !weights.some((weight) => /^q=0(?:\.0*)?$/.test(weight)));
}

/** `left`: whoever reads has gone before the end. */
async function* withFirst(
  first: Uint8Array,
  rest: AsyncGenerator<Uint8Array, void>,
  left: () => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let whole = false;
  try {
    yield first;
    yield* rest;
    whole = true;
  } finally {
    await rest.return();
    if (!whole) await left().catch(() => undefined);
  }
}
