import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import * as v from 'valibot';
import { createTurns, type Turns } from '../turns.ts';
import { HttpError } from './http-error.ts';
import { checkInTurns } from './check-in-turns.ts';
import { parsePieces, UnreadableJson, type Kept } from './json-pieces.ts';
import type { InParts } from './long-parts.ts';
import { chunksOf, within } from './stream.ts';

/** Bytes of a body that is read and parsed at once; a larger one is read in pieces. */
export const AT_ONCE = 128 * 1024;

export interface ReadBody<T> {
  value: T;
  /** SHA-256 of the body, hex. */
  sha256: string;
  /** SHA-256 over method, path and body, hex: the same request has the same. */
  request_sha256: string;
}

/**
 * The body as what the schema says. Throws HttpError 400 `invalid` that names the field, 408 for one that trickles, 413
 * for one that has more bytes than it said.
 * @param texts members that the schema takes as a LongText, too
 */
export async function readBody<S extends v.GenericSchema>(
  c: Context,
  schema: S,
  texts: readonly string[] = [],
): Promise<ReadBody<v.InferOutput<S>>> {
  // No list stays in parts.
  return (await readKept(c, schema, { texts })) as ReadBody<v.InferOutput<S>>;
}

/** The same, of a body that may be too large for its rows to be in memory all at once. */
export function readRows<S extends v.GenericSchema>(
  c: Context,
  schema: S,
  texts: readonly string[] = [],
): Promise<ReadBody<InParts<v.InferOutput<S>>>> {
  return readKept(c, schema, { texts, lists: true });
}

async function readKept<S extends v.GenericSchema>(
  c: Context,
  schema: S,
  kept: Kept,
): Promise<ReadBody<InParts<v.InferOutput<S>>>> {
  const said = saidLength(c);
  if (said <= AT_ONCE || c.req.raw.body === null) {
    const hashes = requestHashes(c.req);
    const text = await inTime(c.req.text(), patienceFor(said));
    hashes.update(text);
    return { value: parse(schema, parseText(text), 'body') as InParts<v.InferOutput<S>>, ...hashes.digests() };
  }
  return readChunks(c.req, schema, bodyChunks(c), kept);
}

/** The rows of a body that comes in chunks. */
export function readRowChunks<S extends v.GenericSchema>(
  request: { method: string; path: string },
  schema: S,
  chunks: AsyncIterable<Uint8Array>,
  texts: readonly string[] = [],
): Promise<ReadBody<InParts<v.InferOutput<S>>>> {
  return readChunks(request, schema, chunks, { texts, lists: true });
}

async function readChunks<S extends v.GenericSchema>(
  request: { method: string; path: string },
  schema: S,
  chunks: AsyncIterable<Uint8Array>,
  kept: Kept,
): Promise<ReadBody<InParts<v.InferOutput<S>>>> {
  const turns = createTurns();
  const hashes = requestHashes(request);
  try {
    const json = await parsePieces(hashed(chunks, hashes), turns, kept);
    return { value: await parseInTurns(schema, json, turns), ...hashes.digests() };
  } catch (error) {
    throw error instanceof UnreadableJson ? unreadable(error) : error;
  }
}

/** Bytes that the request says that its body has. */
const saidLength = (c: Context): number => Number(c.req.header('content-length') ?? Number.POSITIVE_INFINITY);

function requestHashes({ method, path }: { method: string; path: string }) {
  const body = createHash('sha256');
  const request = createHash('sha256').update(`${method} ${path}\n`);
  return {
    update(bytes: Uint8Array | string): void {
      body.update(bytes);
      request.update(bytes);
    },
    digests: () => ({ sha256: body.digest('hex'), request_sha256: request.digest('hex') }),
  };
}

function parseText(text: string): unknown {
  if (isTooDeep(text)) throw new HttpError('invalid', TOO_DEEP);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new HttpError('invalid', NO_JSON, { cause: error });
  }
}

const TOO_DEEP = 'The body is nested deeper than anything that is understood here.';
const NO_JSON = 'The body is not JSON.';

function unreadable(error: UnreadableJson): HttpError {
  if (error.why === 'large')
    return new HttpError(
      'too_large',
      'The body has more rows, or one longer value, than is taken here at once: send it in parts.',
    );
  return new HttpError('invalid', error.why === 'deep' ? TOO_DEEP : NO_JSON, { cause: error });
}

async function* hashed(
  chunks: AsyncIterable<Uint8Array>,
  hashes: { update(bytes: Uint8Array): void },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    hashes.update(chunk);
    yield chunk;
  }
}

/** The body of a request of JSON as it comes. Throws HttpError 408 for one that trickles, 413 for one that has more bytes than it may have. */
export async function* bodyChunks(c: Context): AsyncGenerator<Uint8Array> {
  const stream = c.req.raw.body;
  if (stream === null) return;
  const most = (c.get('most_body') as number | undefined) ?? Number.POSITIVE_INFINITY;
  const source = chunksOf(stream);
  let bytes = 0;
  const end = performance.now() + patienceFor(saidLength(c));
  try {
    for (;;) {
      const next = await inTime(source.next(), end - performance.now());
      if (next.done === true) return;
      bytes += next.value.length;
      if (bytes > most) throw new HttpError('too_large', `This request may have ${most} bytes.`);
      yield next.value;
    }
  } finally {
    // Not awaited: what it waits for may never come.
    void source.return(undefined).catch(() => undefined);
  }
}

/** Milliseconds that a body may take, and bytes a second that it comes with at least after that. */
const PATIENCE_MS = 30_000;
const LEAST_BYTES_A_SECOND = 50_000;

const patienceFor = (bytes: number): number =>
  PATIENCE_MS + ((Number.isFinite(bytes) ? bytes : 0) / LEAST_BYTES_A_SECOND) * 1000;

/** Throws HttpError 408 for a body that trickles: a connection is not held by whoever sends a byte now and then. */
async function inTime<T>(work: Promise<T>, patience: number): Promise<T> {
  const done = await within(
    work.then((value) => ({ value })),
    patience,
  );
  if (done !== null) return done.value;
  throw new HttpError('invalid', 'The body came too slowly.', { status: 408, headers: { Connection: 'close' } });
}

/** Throws HttpError 400 `invalid` that names the first field that does not fit. */
export function parse<S extends v.GenericSchema>(schema: S, value: unknown, where: string): v.InferOutput<S> {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (!result.success) throw new HttpError('invalid', `${describeIssue(where, result.issues[0])}.`);
  return result.output;
}

/** The same with the lists of an object checked row by row, so that others are answered meanwhile. */
async function parseInTurns<S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  turns: Turns,
): Promise<InParts<v.InferOutput<S>>> {
  const result = await checkInTurns(schema, value, turns);
  if ('issue' in result) throw new HttpError('invalid', `${describeIssue('body', result.issue, result.path)}.`);
  return result.output;
}

/** `where "field": why`. */
export function describeIssue(where: string, issue: v.BaseIssue<unknown>, before: string | null = null): string {
  const path = [before, v.getDotPath(issue)].filter((part) => part !== null).join('.') || null;
  return `${where}${path === null ? '' : ` "${path}"`}: ${issue.message}`;
}

/** Levels of arrays and objects that a body may have; ours have eight. */
const MOST_LEVELS = 64;

/** Whether JSON text is nested deeper than anything here reads. Looks at the text alone, and needs no stack. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (quoted) {
      if (sign === BACKSLASH) at += 1;
      else if (sign === QUOTE) quoted = false;
    } else if (sign === QUOTE) quoted = true;
    else if (sign === OPEN_ARRAY || sign === OPEN_OBJECT) {
      depth += 1;
      if (depth > MOST_LEVELS) return true;
    } else if (sign === CLOSE_ARRAY || sign === CLOSE_OBJECT) depth -= 1;
  }
  return false;
}

const [QUOTE, BACKSLASH, OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];
