/** The table of routes as an OpenAPI 3.1 document; the schemas are those that parse the wire. */
import { toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { ErrorBodySchema } from '#core/sync/protocol.ts';
import { isSchema, type Field, type Media, type Reply, type RouteSpec } from './route.ts';

/** Failures that every route may answer. */
const USUAL = [400, 429, 500, 503];
/** Of a route that writes, and of one that reads a body. */
const WRITING = [507];
const WITH_BODY = [408, 413];
const SIGNED_IN = [401, 403];
const FAILURE_TEXT: Record<number, string> = {
  400: 'The request was not understood; the field is named.',
  401: 'The token is unknown, revoked or expired.',
  403: 'The token may not do this.',
  404: 'There is no such thing, or it is not yours.',
  408: 'The body came too slowly.',
  409: 'Something else is there already, or came first.',
  410: 'It was here once, and is not kept any more.',
  412: 'It has another version by now.',
  413: 'It is larger than is allowed.',
  415: 'The content is of a type that is not taken.',
  416: 'The file has no such bytes.',
  422: 'Understood, and not possible.',
  426: 'This address is for a WebSocket.',
  429: 'Too often: wait as long as Retry-After says.',
  500: 'The server could not do it; its log says why.',
  503: 'Not now: try again after Retry-After seconds.',
  507: 'The server has no space left.',
};

export function openApi(specs: readonly RouteSpec[], version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const spec of specs) {
    const path = spec.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [spec.method.toLowerCase()]: operation(spec) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Accession catalog server',
      version,
      description:
        'Every changing request takes the header Idempotency-Key: sent again under the same key, it is answered as before and changes nothing. Lists are `{ items, next_cursor }`.',
    },
    security: [{ bearer: [] }],
    tags: [...new Set(specs.map((spec) => spec.tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: schemaOf(ErrorBodySchema, 'output') },
    },
  };
}

function operation(spec: RouteSpec): object {
  return {
    operationId: operationId(spec),
    tags: [spec.tag],
    summary: spec.summary,
    ...(spec.description === undefined ? {} : { description: spec.description }),
    security: spec.scope === null ? [] : [{ bearer: [spec.scope] }],
    parameters: parameters(spec),
    ...(spec.body === undefined ? {} : { requestBody: requestBody(spec.body) }),
    responses: Object.fromEntries([
      ...Object.entries(spec.replies).map(([status, reply]) => [status, response(reply)]),
      ...failuresOf(spec).map((status) => [String(status), failureResponse(status)]),
    ]),
    'x-scope': spec.scope,
    'x-idempotent': spec.idempotent,
  };
}

/** `GET /v1/catalog/tracks/:id` is `getCatalogTracksById`. */
function operationId({ method, path }: RouteSpec): string {
  const words = path
    .replace(/^\/v1/, '')
    .replace(/:(\w)/g, 'by-$1')
    .split(/[^A-Za-z0-9]+/);
  const named = words.filter((word) => word !== '').map((word) => word[0]?.toUpperCase() + word.slice(1));
  return method.toLowerCase() + named.join('');
}

/** Every failure that a route may answer, in order. */
export function failuresOf(spec: RouteSpec): number[] {
  const writes = spec.method !== 'GET' && spec.method !== 'HEAD';
  const all = [
    ...USUAL,
    ...(spec.scope === null ? [] : SIGNED_IN),
    ...(writes ? WRITING : []),
    ...(spec.body === undefined ? [] : WITH_BODY),
    ...(spec.failures ?? []),
  ];
  return [...new Set(all)].sort((a, b) => a - b);
}

function parameters(spec: RouteSpec): object[] {
  const inPath = [...spec.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const inQuery = Object.entries(spec.query ?? {}).map(([name, field]) => queryParameter(name, field));
  const headers = { ...(spec.idempotent === 'key' ? KEY_HEADER : {}), ...spec.headers };
  const inHeader = Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  }));
  return [...inPath, ...inQuery, ...inHeader];
}

const KEY_HEADER = { 'Idempotency-Key': 'The same request sent again is answered as before.' };

function queryParameter(name: string, { description, schema }: Field): object {
  return { name, in: 'query', required: false, description, schema: schemaOf(schema, 'input') };
}

function requestBody(body: NonNullable<RouteSpec['body']>): object {
  if (isSchema(body)) return { required: true, content: { 'application/json': { schema: schemaOf(body, 'input') } } };
  return { required: true, description: body.description, content: { [body.type]: mediaSchema(body) } };
}

function mediaSchema({ schema }: Media): object {
  return schema === undefined ? {} : { schema };
}

function response({ description, schema, type }: Reply): object {
  if (schema !== undefined)
    return { description, content: { 'application/json': { schema: schemaOf(schema, 'output') } } };
  return type === undefined ? { description } : { description, content: { [type]: {} } };
}

function failureResponse(status: number): object {
  const schema = { $ref: '#/components/schemas/Error' };
  return {
    description: FAILURE_TEXT[status] ?? 'A failure.',
    content: { 'application/json': { schema } },
  };
}

/** What JSON Schema cannot say (trimming, a check of two fields) is left out. */
function schemaOf(schema: v.GenericSchema, typeMode: 'input' | 'output'): object {
  const { $schema: _dialect, ...rest } = toJsonSchema(schema, { errorMode: 'ignore', typeMode });
  return rest;
}
