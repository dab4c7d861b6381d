/** Values against JSON Schema, read by @cfworker/json-schema: it makes no code of a schema, which a strict CSP forbids. */
import { Validator, type Schema } from '@cfworker/json-schema';
import * as v from 'valibot';
import { isRecord } from '#core/agent/tools/tool.ts';
import { failed } from '#core/errors.ts';
import type { JsonSchema } from '#core/agent/llm/provider.ts';

/** Characters of a schema, and how deep it may be nested. */
const MOST_LENGTH = 50_000;
const MOST_DEPTH = 20;

/**
 * A schema as it may stand in a tool: no reference leaves it, no pattern runs away, and an object lets no other fields
 * through. Throws AccessionError `invalid`.
 */
export function closedSchema(schema: unknown, what: string): JsonSchema {
  if (!isRecord(schema) || schema['type'] !== 'object')
    throw failed('invalid', `${what} must be a JSON Schema with the type "object".`);
  if (JSON.stringify(schema).length > MOST_LENGTH)
    throw failed('invalid', `${what} is longer than ${MOST_LENGTH} characters.`);
  return closed(schema, what, 0) as JsonSchema;
}

/** Words of JSON Schema that are read; others are refused, so that none is taken for one that holds. */
const KNOWN = new Set(
  (
    'type properties required items enum const minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength ' +
    'minItems maxItems uniqueItems default description title examples format anyOf additionalProperties'
  ).split(' '),
);

function closed(schema: unknown, what: string, depth: number): unknown {
  if (!isRecord(schema)) throw failed('invalid', `${what}: a schema must be an object.`);
  if (depth > MOST_DEPTH) throw failed('invalid', `${what} is nested deeper than ${MOST_DEPTH}.`);
  for (const word of Object.keys(schema))
    if (!KNOWN.has(word)) throw failed('invalid', `${what}: "${word}" is not read here.`);
  const one: Record<string, unknown> = { ...schema };
  if (one['type'] === 'object' || one['properties'] !== undefined) {
    if (one['additionalProperties'] !== undefined && one['additionalProperties'] !== false)
      throw failed('invalid', `${what}: unknown fields are always refused.`);
    one['additionalProperties'] = false;
    const properties = isRecord(one['properties']) ? one['properties'] : {};
    one['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, of]) => [name, closed(of, `${what}, ${name}`, depth + 1)]),
    );
  }
  if (one['items'] !== undefined) one['items'] = closed(one['items'], `${what}, items`, depth + 1);
  if (Array.isArray(one['anyOf'])) one['anyOf'] = one['anyOf'].map((of) => closed(of, what, depth + 1));
  return one;
}

/** The schema as a check at the boundary. Values that it leaves out are put in where it says a default. */
export function checkOf(schema: JsonSchema): v.GenericSchema<unknown, Record<string, unknown>> {
  const validator = new Validator(schema as Schema, '2020-12', true);
  return v.pipe(
    v.unknown(),
    v.transform((value) => withDefaults(schema, value)),
    v.rawTransform<unknown, Record<string, unknown>>(({ dataset, addIssue, NEVER }) => {
      const { valid, errors } = validator.validate(dataset.value);
      if (valid && isRecord(dataset.value)) return dataset.value;
      const last = errors.at(-1);
      addIssue({ message: last === undefined ? 'it is no object' : sentenceOf(last) });
      return NEVER;
    }),
  );
}

const sentenceOf = ({ instanceLocation, error }: { instanceLocation: string; error: string }): string => {
  const place = instanceLocation.replace(/^#\/?/, '').replaceAll('/', '.');
  return `${place === '' ? '' : `${place}: `}${error.replace(/\.$/, '')}`;
};

function withDefaults(schema: JsonSchema, value: unknown): unknown {
  if (!isRecord(value) || !isRecord(schema['properties'])) return value;
  const whole: Record<string, unknown> = { ...value };
  for (const [name, of] of Object.entries(schema['properties']))
    if (!Object.hasOwn(whole, name) && isRecord(of) && of['default'] !== undefined) whole[name] = of['default'];
  return whole;
}
