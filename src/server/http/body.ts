import type { Context } from 'hono';
import * as v from 'valibot';
import { describeIssue } from '../import/import-rows.ts';
import { HttpError } from './http-error.ts';

/** The body as text, and as what the schema says. Throws HttpError 400 `invalid` that names the field. */
export async function readBody<S extends v.GenericSchema>(
  c: Context,
  schema: S,
): Promise<{ text: string; value: v.InferOutput<S> }> {
  const text = await c.req.text();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new HttpError('invalid', 'The body is not JSON.', { cause: error });
  }
  return { text, value: parse(schema, json, 'body') };
}

/** Throws HttpError 400 `invalid` that names the first field that does not fit. */
export function parse<S extends v.GenericSchema>(schema: S, value: unknown, where: string): v.InferOutput<S> {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (!result.success) throw new HttpError('invalid', `${describeIssue(where, result.issues[0])}.`);
  return result.output;
}
