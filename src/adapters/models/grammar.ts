/**
 * A grammar whose every sentence is JSON of the schema, without free whitespace: small models given the choice pad for
 * ever. llama.cpp (GBNF) and WebLLM (xgrammar's EBNF) read the same text. It may allow less than the schema does (keys
 * in the schema's order, plain escapes, short numbers), never more.
 */
import { AccessionError, failed } from '#core/errors.ts';
import type { JsonSchema } from '#core/agent/llm/provider.ts';
import { isRecord } from '#core/agent/tools/tool.ts';

/** Words that say nothing about what is valid. */
const ANNOTATIONS = new Set([
  '$schema',
  '$id',
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
]);
const UNDERSTOOD = new Set([
  'type',
  'enum',
  'const',
  'anyOf',
  'oneOf',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
]);
/** An integer between two bounds becomes a list; one longer than this would be no grammar any more. */
const MOST_LISTED = 1000;

const TERMINALS = [
  // No \u: two halves of one letter could be cut apart. Line ends and tabs are written as escapes.
  String.raw`char ::= [^"\\\x00-\x1F\x7F] | "\\" ["\\/nt]`,
  'digits ::= "0" | [1-9] [0-9]{0,14}',
  'decimals ::= ("." [0-9]{1,6})?',
];

export interface GrammarOptions {
  /**
   * Whether `maxLength` of texts is in the grammar. xgrammar needs a state for each character that may come, and
   * 150 ms to prepare each over a large vocabulary: 45 s for 300 of them. Without, `TextLimit` holds them.
   */
  bounded: boolean;
}

/** Throws AccessionError `model_schema` when the schema has a rule that no grammar here expresses. */
export function schemaToGrammar(whole: JsonSchema, { bounded }: GrammarOptions): string {
  const rules: string[] = [];
  const root = value(whole, 'v');
  return [`root ::= ${root}`, ...rules, ...TERMINALS].join('\n') + '\n';

  /** An expression for a value of the schema; `name` begins the names of the rules it needs. */
  function value(schema: unknown, name: string): string {
    if (schema === true) return anything(name);
    if (!isRecord(schema)) throw cannot(name, 'is not a schema');
    for (const word of Object.keys(schema)) {
      if (!UNDERSTOOD.has(word) && !ANNOTATIONS.has(word)) throw cannot(name, `says "${word}"`);
    }
    return rule(name, alternatives(schema, name).join(' | '));
  }

  function alternatives(schema: JsonSchema, name: string): string[] {
    if ('const' in schema) return [literal(schema['const'])];
    if (Array.isArray(schema['enum'])) return schema['enum'].map(literal);
    const either = schema['anyOf'] ?? schema['oneOf'];
    if (Array.isArray(either)) return either.map((one, at) => value(one, `${name}-${at}`));
    const type = schema['type'];
    const types: unknown[] = Array.isArray(type) ? type : [type];
    return types.map((one) => ofType(one, schema, name));
  }

  function ofType(type: unknown, schema: JsonSchema, name: string): string {
    switch (type) {
      case 'object':
        return object(schema, name);
      case 'array':
        return array(schema, name);
      case 'string':
        return `"\\"" char${times(schema['minLength'], bounded ? schema['maxLength'] : undefined)} "\\""`;
      case 'integer':
        return integer(schema, name);
      case 'number':
        return number(schema, name);
      case 'boolean':
        return '"true" | "false"';
      case 'null':
        return '"null"';
      case undefined:
        return 'properties' in schema ? object(schema, name) : anything(name);
      default:
        throw cannot(name, `has the type ${String(type)}`);
    }
  }

  /** A schema without a type allows any value; a plain one is enough. */
  function anything(name: string): string {
    return rule(`${name}-any`, '"\\"" char* "\\"" | "-"? digits decimals | "true" | "false" | "null"');
  }

  /** `rest` and `more` are what may follow before and after the first member: keys come in order, optional ones or not. */
  function object(schema: JsonSchema, name: string): string {
    const properties = Object.entries(isRecord(schema['properties']) ? schema['properties'] : {});
    const required = new Set<unknown>(Array.isArray(schema['required']) ? schema['required'] : []);
    for (const key of required) {
      if (!properties.some(([known]) => known === key))
        throw cannot(name, `wants "${String(key)}" and does not say what`);
    }
    let rest = '""';
    let more = '""';
    properties.reverse().forEach(([key, of], back) => {
      const at = properties.length - 1 - back;
      const member = `${literal(key)} ":" ${value(of, `${name}-${at}`)}`;
      const [first, next] = [`${member} ${more}`, `"," ${member} ${more}`];
      rest = rule(`${name}-r${at}`, required.has(key) ? first : `${first} | ${rest}`);
      more = rule(`${name}-m${at}`, required.has(key) ? next : `${next} | ${more}`);
    });
    return `"{" ${rest} "}"`;
  }

  function array(schema: JsonSchema, name: string): string {
    const [least, most] = [count(schema['minItems']) ?? 0, count(schema['maxItems'])];
    if (most === 0) return '"[]"';
    const item = value(schema['items'] ?? true, `${name}-i`);
    const more = `("," ${item})${times(Math.max(0, least - 1), most === null ? undefined : most - 1)}`;
    return least > 0 ? `"[" ${item} ${more} "]"` : `"[" (${item} ${more})? "]"`;
  }

  function rule(name: string, body: string): string {
    rules.push(`${name} ::= ${body}`);
    return name;
  }
}

function integer(schema: JsonSchema, name: string): string {
  const [least, most] = [schema['minimum'], schema['maximum']];
  if (least === undefined && most === undefined) return '"-"? digits';
  if (least === 0 && most === undefined) return 'digits';
  if (typeof least !== 'number' || typeof most !== 'number') throw cannot(name, 'has one bound only');
  const [from, to] = [Math.ceil(least), Math.floor(most)];
  if (to < from || to - from >= MOST_LISTED) throw cannot(name, `goes from ${least} to ${most}`);
  return Array.from({ length: to - from + 1 }, (_, at) => literal(from + at)).join(' | ');
}

function number(schema: JsonSchema, name: string): string {
  const [least, most] = [schema['minimum'], schema['maximum']];
  if (least === undefined && most === undefined) return '"-"? digits decimals';
  if (least === 0 && most === undefined) return 'digits decimals';
  if (least === 0 && most === 1) return '"0" decimals | "1"';
  throw cannot(name, `goes from ${String(least)} to ${String(most)}`);
}

function times(least: unknown, most: unknown): string {
  const [from, to] = [count(least) ?? 0, count(most)];
  if (to !== null) return `{${from},${to}}`;
  return from === 0 ? '*' : `{${from},}`;
}

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

function literal(value: unknown): string {
  return `"${JSON.stringify(value).replace(/[\\"]/g, '\\$&')}"`;
}

function cannot(where: string, what: string): AccessionError {
  return failed('model_schema', `No grammar can be made of the schema: a part (${where}) ${what}.`);
}
