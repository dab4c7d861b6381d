import { within } from './stream.ts';
import type { Context } from 'hono';
import * as v from 'valibot';
import { HttpError } from './http-error.ts';

/** The body as text, and as what the schema says. Throws HttpError 400 `invalid` that names the field. */
export async function readBody<S extends v.GenericSchema>(
  c: Context,
  schema: S,
): Promise<{ text: string; value: v.InferOutput<S> }> {
  const text = await withinTime(c.req.text(), Number(c.req.header('content-length') ?? 0));
  if (isTooDeep(text))
    throw new HttpError('invalid', 'The body is nested deeper than anything that is understood here.');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new HttpError('invalid', 'The body is not JSON.', { cause: error });
  }
  return { text, value: parse(schema, json, 'body') };
}

/** Milliseconds that a body may take, and bytes a second that it comes with at least after that. */
const PATIENCE_MS = 30_000;
const LEAST_BYTES_A_SECOND = 50_000;

/** Throws HttpError 408 for a body that trickles: a connection is not held by whoever sends a byte now and then. */
async function withinTime(body: Promise<string>, length: number): Promise<string> {
  const patience = PATIENCE_MS + ((Number.isFinite(length) ? length : 0) / LEAST_BYTES_A_SECOND) * 1000;
  const text = await within(body, patience);
  if (text !== null) return text;
  throw new HttpError('invalid', 'The body came too slowly.', { status: 408, headers: { Connection: 'close' } });
}

/** Throws HttpError 400 `invalid` that names the first field that does not fit. */
export function parse<S extends v.GenericSchema>(schema: S, value: unknown, where: string): v.InferOutput<S> {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (!result.success) throw new HttpError('invalid', `${describeIssue(where, result.issues[0])}.`);
  return result.output;
}

/** `where "field": why`. */
export function describeIssue(where: string, issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue);
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
