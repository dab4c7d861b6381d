/**
 * Connectors that are declared: a text of YAML (or JSON) with base address, endpoints, the schema of their input, how an answer
 * becomes rows (JSONPath), pages, limits, licence. It is data: nothing of it runs.
 */
import * as v from 'valibot';
import { parse } from 'yaml';
import { isRecord } from '../../agent/tools/tool.ts';
import { isPattern, plainHost } from '../../domains.ts';
import { failed } from '../../errors.ts';
import { fault } from '../fields.ts';
import type { Fault, Output } from '../tool.ts';
import { connectorTool, type Asking, type ConnectorTool } from './connector-tool.ts';
import { typeOf } from '../frame/column-type.ts';
import { parsePath, valuesAt } from './json-path.ts';
import { USUAL_CONNECTOR, type Connector } from './net.ts';

const word = v.pipe(v.string(), v.regex(/^[a-z][a-z\d_]{0,62}$/, 'must be small letters, digits and _'));
const path = v.pipe(v.string(), v.check((text) => parsePath(text) !== null, 'is no JSONPath')); // prettier-ignore
const line = v.pipe(v.string(), v.nonEmpty('is empty'), v.maxLength(500, 'is too long'));
const scalar = v.union([v.string(), v.pipe(v.number(), v.finite()), v.boolean()]);
/** Text with `{field}` in it. */
const template = v.pipe(v.string(), v.maxLength(2000, 'is too long'));

const FieldSchema = v.strictObject({
  type: v.picklist(['text', 'number', 'integer', 'boolean'], 'must be text, number, integer or boolean'),
  required: v.optional(v.boolean(), false),
  default: v.exactOptional(scalar),
  choices: v.exactOptional(v.pipe(v.array(scalar), v.minLength(1, 'is empty'))),
  min: v.exactOptional(v.number()),
  max: v.exactOptional(v.number()),
  about: v.exactOptional(line),
});
type Field = v.InferOutput<typeof FieldSchema>;

const PageSchema = v.variant('by', [
  /** A counter: `first` is the first page. */
  v.strictObject({ by: v.literal('page'), field: line, first: v.optional(v.number(), 1) }),
  /** How many rows were read. */
  v.strictObject({ by: v.literal('offset'), field: line }),
  /** What the answer says is next. */
  v.strictObject({ by: v.literal('cursor'), field: line, next: path, first: v.exactOptional(line) }),
  /** The answer has the whole address of the next page. */
  v.strictObject({ by: v.literal('link'), next: path }),
]);

const EndpointSchema = v.strictObject({
  about: line,
  base: v.exactOptional(v.pipe(v.string(), v.check((text) => plainHost(text) !== null, 'must be an https address'))), // prettier-ignore
  input: v.optional(v.record(word, FieldSchema), {}),
  path: template,
  query: v.optional(v.record(line, v.union([template, v.number(), v.boolean()])), {}),
  accept: v.optional(line, 'application/json'),
  rows: path,
  /** JSONPath within a row; more than one value are joined. */
  columns: v.pipe(v.record(line, path), v.check((all) => Object.keys(all).length > 0, 'is empty')), // prettier-ignore
  pages: v.exactOptional(PageSchema),
});
type Endpoint = v.InferOutput<typeof EndpointSchema>;

const DeclaredSchema = v.strictObject({
  name: word,
  version: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 1),
  about: line,
  base: v.pipe(v.string(), v.check((text) => plainHost(text) !== null, 'must be an https address without port or password')), // prettier-ignore
  hosts: v.exactOptional(v.pipe(v.array(v.pipe(v.string(), v.check(isPattern, 'must be domains'))), v.minLength(1))),
  licence: line,
  attribution: line,
  direct: v.optional(v.boolean(), false),
  limits: v.optional(
    v.strictObject({
      every_ms: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(60_000)), USUAL_CONNECTOR.everyMs),
      bytes: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(32 * 1024 * 1024)), USUAL_CONNECTOR.bytes),
      seconds: v.optional(v.pipe(v.number(), v.minValue(1), v.maxValue(60)), USUAL_CONNECTOR.timeMs / 1000),
      pages: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)), 10),
    }),
    {},
  ),
  secret: v.exactOptional(
    v.pipe(
      v.strictObject({
        name: v.pipe(v.string(), v.regex(/^[A-Z][A-Z\d_]{0,62}$/, 'must be capital letters, digits and _')),
        header: v.exactOptional(line),
        query: v.exactOptional(line),
        prefix: v.exactOptional(v.string()),
      }),
      v.check(({ header, query }) => (header === undefined) !== (query === undefined), 'must have header or query'),
    ),
  ),
  endpoints: v.pipe(v.record(word, EndpointSchema), v.check((all) => Object.keys(all).length > 0, 'is empty')), // prettier-ignore
  example: v.optional(v.record(v.string(), scalar), {}),
});
export type Declared = v.InferOutput<typeof DeclaredSchema>;

/** Characters of a declaration. */
const MOST = 64_000;

/** Throws AccessionError `invalid` that names the place. @param from how messages call it */
export function readDeclared(text: string, from: string): Declared {
  if (text.length > MOST) throw failed('invalid', `${from}: is longer than ${MOST} characters.`);
  let read: unknown;
  try {
    read = parse(text, { maxAliasCount: 0, schema: 'core', uniqueKeys: true, logLevel: 'error' });
  } catch (cause) {
    const said = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : '';
    throw failed('invalid', `${from}: is no YAML: ${said}`, { cause });
  }
  const known = v.safeParse(DeclaredSchema, read, { abortPipeEarly: true });
  if (!known.success) {
    const issue = known.issues.find((one) => one.expected === 'never') ?? known.issues[0];
    throw failed('invalid', `${from}: ${v.getDotPath(issue) ?? 'it'} ${issue.message}`);
  }
  for (const [name, endpoint] of Object.entries(known.output.endpoints)) {
    const wrong = templateFault(endpoint);
    if (wrong !== null) throw failed('invalid', `${from}: endpoints.${name}: ${wrong}`);
  }
  return known.output;
}

function templateFault({ path: way, query, input }: Endpoint): string | null {
  for (const text of [way, ...Object.values(query).map(String)])
    for (const [, field = ''] of text.matchAll(/\{([^}]*)\}/g))
      if (!Object.hasOwn(input, field)) return `"{${field}}" is no field of its input`;
  if (!way.startsWith('/')) return 'path must begin with "/"';
  return null;
}

export function connectorOf(declared: Declared): Connector {
  const { name, base, licence, attribution, direct, limits, secret } = declared;
  const bases = [base, ...Object.values(declared.endpoints).map((one) => one.base ?? base)];
  const hosts = declared.hosts ?? [...new Set(bases.map((one) => plainHost(one) ?? ''))];
  return {
    ...{ name, hosts, licence, attribution, direct, robots: false, everyMs: limits.every_ms, bytes: limits.bytes },
    timeMs: limits.seconds * 1000,
    ...(secret === undefined ? {} : { secret: withoutAbsent(secret) }),
  };
}

const withoutAbsent = (secret: NonNullable<Declared['secret']>): NonNullable<Connector['secret']> =>
  Object.fromEntries(Object.entries(secret).filter(([, value]) => value !== undefined)) as unknown as NonNullable<
    Connector['secret']
  >;

/** One tool for the whole connector: `endpoint` where there are several, their fields beside it, `pages`. */
export function declaredTool(declared: Declared): ConnectorTool {
  const names = Object.keys(declared.endpoints);
  const [first = ''] = names;
  const fields: Record<string, v.GenericSchema> = {};
  for (const { input } of Object.values(declared.endpoints))
    for (const [name, field] of Object.entries(input)) fields[name] ??= v.exactOptional(schemaOf(field));
  const input = v.strictObject({
    ...(names.length > 1 ? { endpoint: v.picklist(names, `must be ${names.join(', ')}`) } : {}),
    ...fields,
    pages: v.exactOptional(v.pipe(v.number('must be a number'), v.integer('must be whole'), v.minValue(1, 'must be 1 or more'), v.maxValue(declared.limits.pages, `must be ${declared.limits.pages} at most`))), // prettier-ignore
  }) as unknown as v.GenericSchema<unknown, Record<string, unknown>>;
  return connectorTool<Record<string, unknown>>({
    connector: connectorOf(declared),
    version: declared.version,
    description: `${declared.about} ${names.map((name) => `${name}: ${declared.endpoints[name]?.about ?? ''}`).join('; ')}.`,
    input,
    output: ROWS,
    example: declared.example,
    check: (given) => endpointFault(declared, String(given['endpoint'] ?? first), given),
    read: (given, ask) => rowsOf(declared, String(given['endpoint'] ?? first), given, ask),
  }) as ConnectorTool;
}

/** As every table of the toolbox has it. */
export const ROWS = {
  ...{ columns: v.array(v.string()), types: v.array(v.string()), rows: v.array(v.array(v.unknown())) },
  ...{ total: v.number(), truncated: v.boolean() },
};

function schemaOf({ type, choices, min = -Infinity, max = Infinity }: Field): v.GenericSchema {
  if (choices !== undefined) return v.picklist(choices.map(String), `must be ${choices.join(', ')}`);
  if (type === 'boolean') return v.boolean('must be true or false');
  if (type === 'text') return v.pipe(v.string('must be a text'), v.maxLength(Math.min(max, 2000), 'is too long'));
  const bounded = v.pipe(
    v.number('must be a number'),
    v.finite('must be finite'),
    v.minValue(min, `must be ${min} or more`),
    v.maxValue(max, `must be ${max} at most`),
  );
  return type === 'integer' ? v.pipe(bounded, v.integer('must be whole')) : bounded;
}

function endpointFault(declared: Declared, name: string, given: Record<string, unknown>): Fault | null {
  const input = declared.endpoints[name]?.input ?? {};
  for (const field of Object.keys(given))
    if (field !== 'endpoint' && field !== 'pages' && !Object.hasOwn(input, field))
      return fault(field, `is no field of ${name}`);
  for (const [field, { required }] of Object.entries(input))
    if (required && (given[field] === undefined || given[field] === '')) return fault(field, 'is missing');
  return null;
}

/** Rows of one call, over all pages. */
const MOST_ROWS = 100_000;

export async function rowsOf(
  declared: Declared,
  name: string,
  given: Readonly<Record<string, unknown>>,
  ask: Asking,
): Promise<Output> {
  const endpoint = declared.endpoints[name];
  if (endpoint === undefined) throw failed('tool_input', `endpoint: there is no "${name}"`, { subject: 'endpoint' });
  const values = { ...defaultsOf(endpoint), ...given };
  const columns = Object.keys(endpoint.columns);
  const [rowPath, paths] = [parsed(endpoint.rows), Object.values(endpoint.columns).map(parsed)];
  const rows: unknown[][] = [];
  const most = Number(given['pages'] ?? 1);
  let more: Record<string, string | number> | null = firstPage(endpoint);
  let link: string | null = null;
  let pages = 0;
  while (pages < most && more !== null && rows.length < MOST_ROWS) {
    const answer = await ask.json(link ?? addressOf(declared.base, endpoint, values, more), endpoint.accept);
    pages += 1;
    const found = valuesAt(answer, rowPath);
    for (const row of found) rows.push(paths.map((one) => cellOf(valuesAt(row, one))));
    ({ more, link } = nextPage(endpoint, answer, { pages, rows: rows.length, found: found.length }));
  }
  return {
    ...{ columns, types: columns.map((_, at) => typeOf(rows.map((row) => row[at]))), rows: rows.slice(0, MOST_ROWS) },
    ...{ total: rows.length, pages, truncated: more !== null && endpoint.pages !== undefined },
  };
}

const parsed = (text: string): NonNullable<ReturnType<typeof parsePath>> => parsePath(text) ?? [];

const defaultsOf = ({ input }: Endpoint): Record<string, unknown> =>
  Object.fromEntries(Object.entries(input).flatMap(([name, { default: usual }]) => (usual === undefined ? [] : [[name, usual]]))); // prettier-ignore

function firstPage({ pages }: Endpoint): Record<string, string | number> {
  if (pages?.by === 'page') return { [pages.field]: pages.first };
  return pages?.by === 'cursor' && pages.first !== undefined ? { [pages.field]: pages.first } : {};
}

function nextPage(
  { pages }: Endpoint,
  answer: unknown,
  read: { pages: number; rows: number; found: number },
): { more: Record<string, string | number> | null; link: string | null } {
  if (pages === undefined || read.found === 0) return { more: null, link: null };
  if (pages.by === 'page') return { more: { [pages.field]: pages.first + read.pages }, link: null };
  if (pages.by === 'offset') return { more: { [pages.field]: read.rows }, link: null };
  const [next] = valuesAt(answer, parsed(pages.next));
  if ((typeof next !== 'string' && typeof next !== 'number') || next === '') return { more: null, link: null };
  if (pages.by === 'link') return { more: {}, link: String(next) };
  return { more: { [pages.field]: next }, link: null };
}

/** Fields are put in encoded: they never make a path or a host. */
function addressOf(
  base: string,
  endpoint: Endpoint,
  values: Readonly<Record<string, unknown>>,
  page: Readonly<Record<string, string | number>>,
): string {
  const filled = (text: string, encode: (part: string) => string): string | null => {
    let absent = false;
    const made = text.replaceAll(/\{([^}]*)\}/g, (_, field: string) => {
      const value = values[field];
      if (value === undefined || value === '') absent = true;
      return encode(String(value as string | number | boolean));
    });
    return absent ? null : made;
  };
  const way = filled(endpoint.path, encoded);
  if (way === null) throw failed('tool_input', `endpoint: a field of the path is missing`, { subject: 'endpoint' });
  const query = Object.entries({ ...endpoint.query, ...page }).flatMap(([name, text]) => {
    const value = Object.hasOwn(page, name) ? String(text) : filled(String(text), (part) => part);
    return value === null ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(value)}`];
  });
  const whole = `${(endpoint.base ?? base).replace(/\/$/, '')}${way}`;
  return query.length === 0 ? whole : `${whole}${whole.includes('?') ? '&' : '?'}${query.join('&')}`;
}

/** Of a path. `..` would be a step up, however it is written. */
function encoded(part: string): string {
  if (/^\.{1,2}$/.test(part)) throw failed('tool_input', 'A field of the path is no name.', { subject: 'endpoint' });
  return encodeURIComponent(part);
}

function cellOf(values: readonly unknown[]): string | number | boolean | null {
  const plain = values.filter((one) => one !== null && one !== undefined);
  if (plain.length === 0) return null;
  const [only] = plain;
  if (plain.length === 1 && (typeof only === 'string' || typeof only === 'number' || typeof only === 'boolean'))
    return only;
  return plain
    .map((one) => (isRecord(one) || Array.isArray(one) ? JSON.stringify(one) : String(one as string)))
    .join('; ');
}
