/**
 * One route of the API, described once. The description registers the handler, is the OpenAPI document's entry, and
 * is what the attack tests are generated from: a route that is not described here does not exist.
 */
import type { Context, Hono, MiddlewareHandler } from 'hono';
import * as v from 'valibot';
import type { Scope } from '../auth/principal.ts';
import type { Env } from '../deps.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

/** A body that is no JSON. */
export interface Media {
  type: string;
  description: string;
  /** As JSON Schema, where it has fields. */
  schema?: object;
}

export interface Reply {
  description: string;
  /** Of the JSON body. Without it and without `type` there is no body. */
  schema?: v.GenericSchema;
  /** Content type of a body that is no JSON. */
  type?: string;
}

export interface Field {
  description: string;
  schema: v.GenericSchema;
}

export interface RouteSpec {
  /** `HEAD` is registered as GET, through which Hono answers it. */
  method: Method;
  /** From the root, parameters as `:name`. */
  path: string;
  /** What the caller's token must be allowed; null: anyone may call. */
  scope: Scope | null;
  /** The chapter of the document; a lane may begin one of its own. */
  tag: string;
  summary: string;
  description?: string;
  query?: Record<string, Field>;
  /** Request headers with a meaning of their own. */
  headers?: Record<string, string>;
  body?: v.GenericSchema | Media;
  /** The answers of a request that went well, by status. */
  replies: Record<number, Reply>;
  /** Failures beyond those of every route of its kind (api/openapi.ts). */
  failures?: readonly number[];
  /** Sending it again changes nothing more: by its nature, or by the header Idempotency-Key. */
  idempotent: boolean | 'key';
  /**
   * Bytes that the body may have; null: the route counts itself, as it reads. Default: `USUAL_BODY`. By scope: what the
   * most that the caller is allowed says.
   */
  maxBody?: number | null | Partial<Record<Scope, number>>;
  /** Waits for another machine (a model's, a page's) under bounds of its own: it takes no place among its person's requests. */
  waitsElsewhere?: boolean;
  /** Answered with 503 while accession.toml says `[ingestion] enabled = false`. */
  takesFiles?: boolean;
}

export interface Route {
  spec: RouteSpec;
  /** Registers the handler behind what guards it. */
  mount: (app: Hono<Env>, guards: readonly MiddlewareHandler<Env>[]) => void;
}

/** Bytes of a usual JSON body. */
export const USUAL_BODY = 1024 * 1024;

/** `GET /v1/me` */
type At<M extends Method = Method> = `${M} ${string}`;
type Idempotent = Pick<RouteSpec, 'idempotent'>;
interface Written<A extends At> extends Omit<RouteSpec, 'method' | 'path' | 'idempotent'> {
  /** Knows the parameters of its path. */
  answer: (c: Context<Env, A extends `${string} ${infer Path}` ? Path : never>) => Response | Promise<Response>;
}

/** A route and what answers it. Of one that only reads it need not be said that it may be sent again. */
export function route<const A extends At<'GET' | 'HEAD'>>(at: A, written: Written<A> & Partial<Idempotent>): Route;
export function route<const A extends At>(at: A, written: Written<A> & Idempotent): Route;
export function route(at: At, { answer, idempotent = true, ...written }: Written<At> & Partial<Idempotent>): Route {
  const [said, path = ''] = at.split(' ');
  const method = METHODS.find((one) => one === said) ?? 'GET';
  const on = method === 'HEAD' ? 'GET' : method;
  return {
    spec: { ...written, idempotent, method, path },
    mount: (app, guards) => {
      for (const guard of guards) app.on(on, [path], guard);
      app.on(on, path, answer);
    },
  };
}

/** True for a schema, false for a body of another type. */
export function isSchema(body: v.GenericSchema | Media): body is v.GenericSchema {
  return 'kind' in body;
}

/** Fields and answers that many routes share. */

/** `limit` and `cursor` of a list, as http/page.ts reads them. */
export function paged(usual: number, most: number): Record<'limit' | 'cursor', Field> {
  return {
    limit: {
      description: `Rows of a page, 1 to ${most}; ${usual} when absent.`,
      schema: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most)),
    },
    cursor: { description: '`next_cursor` of the page before.', schema: v.string() },
  };
}

/** A file that is given whole or in part (http/ranged.ts). */
export function inParts(type: string): { headers: { Range: string }; replies: Record<200 | 206, Reply> } {
  return {
    headers: { Range: 'One range of bytes.' },
    replies: {
      200: { description: 'The whole file.', type },
      206: { description: 'The part that was asked for.', type },
    },
  };
}

export function json(schema: v.GenericSchema, description: string): Reply {
  return { description, schema };
}
