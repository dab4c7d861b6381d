import type { Context } from 'hono';
import * as v from 'valibot';
import { describeIssue } from '../import/import-rows.ts';
import { HttpError } from './http-error.ts';
import { isTooDeep } from './json-text.ts';

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
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const extra = { status: 408, headers: { Connection: 'close' } } as const;
    timer = setTimeout(() => reject(new HttpError('invalid', 'The body came too slowly.', extra)), patience);
  });
  try {
    return await Promise.race([body, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Throws HttpError 400 `invalid` that names the first field that does not fit. */
export function parse<S extends v.GenericSchema>(schema: S, value: unknown, where: string): v.InferOutput<S> {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (!result.success) throw new HttpError('invalid', `${describeIssue(where, result.issues[0])}.`);
  return result.output;
}
