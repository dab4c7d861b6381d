/**
 * A form from a tool's own schema: which kind each field is, how its text becomes a value, and a value its text. Whatever is
 * structured may be typed as JSON, too.
 */
import { inputSchema } from '#core/agent/tools/registry.ts';
import { isRecord } from '#core/agent/tools/tool.ts';
import type { ToolboxTool } from '#core/toolbox/tool.ts';
import { writeCells } from '#core/toolbox/frame/csv.ts';
import { readCells, readColumns, readRows, valueOf } from './read-table.ts';

export const KINDS = ['number', 'choice', 'yes', 'line', 'text', 'numbers', 'words', 'matrix', 'lists', 'columns', 'rows', 'table', 'tables', 'file', 'wheels', 'json'] as const; // prettier-ignore
export type Kind = (typeof KINDS)[number];

export interface FormField {
  name: string;
  kind: Kind;
  required: boolean;
  /** Of `choice`. */
  choices: readonly (string | number)[];
}

type Schema = Record<string, unknown>;

export function fieldsOf(tool: Pick<ToolboxTool, 'input' | 'name'>): FormField[] {
  const { properties, required } = inputSchema(tool as ToolboxTool) as { properties?: Schema; required?: string[] };
  return Object.entries(properties ?? {}).map(([name, schema]) => ({
    ...{ name, kind: kindOf(schema as Schema), required: required?.includes(name) ?? false },
    choices: choicesOf(schema as Schema),
  }));
}

/** Longer texts have a box of several lines. Characters. */
const LINE = 400;

function choicesOf(schema: Schema): (string | number)[] {
  if ('const' in schema) return [schema['const'] as string];
  return Array.isArray(schema['enum']) ? (schema['enum'] as (string | number)[]) : [];
}

function kindOf(schema: Schema): Kind {
  if (choicesOf(schema).length > 0) return 'choice';
  const { type, maxLength, anyOf, items, additionalProperties: other } = schema;
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'yes';
  if (type === 'string') return typeof maxLength === 'number' && maxLength <= LINE ? 'line' : 'text';
  if (type === 'array' && isRecord(items)) return kindOfList(items);
  const fixed: unknown = schema['prefixItems'];
  if (Array.isArray(fixed) && fixed.every((one) => isRecord(one) && one['type'] === 'number')) return 'numbers';
  if (type === 'object' && isRecord(other)) {
    if (isTable(other)) return 'tables';
    if (other['type'] === 'array') return isRecord(other['items']) && 'anyOf' in other['items'] ? 'columns' : 'lists';
  }
  if (isTable(schema)) return 'table';
  if (isFile(schema)) return 'file';
  // A number or a text; one number or some.
  if (Array.isArray(anyOf) && anyOf.every((one) => isPlain(one) || (isRecord(one) && isPlain(one['items']))))
    return 'line';
  return 'json';
}

const isPlain = (schema: unknown): boolean =>
  isRecord(schema) && ['number', 'integer', 'string'].includes(String(schema['type']));
/** Text, or bytes in base64. */
const isFile = ({ anyOf }: Schema): boolean => {
  const [text, bytes] = Array.isArray(anyOf) ? (anyOf as unknown[]) : [];
  return isRecord(text) && text['type'] === 'string' && isRecord(bytes) && isRecord(bytes['properties']) && 'base64' in bytes['properties']; // prettier-ignore
};
/** Text, rows, or more forms. */
const isTable = ({ anyOf }: Schema): boolean => {
  const [text, rows] = Array.isArray(anyOf) ? (anyOf as unknown[]) : [];
  return isRecord(text) && text['type'] === 'string' && isRecord(rows) && rows['type'] === 'array';
};

function kindOfList(items: Schema): Kind {
  if (items['type'] === 'number') return 'numbers';
  if (items['type'] === 'string') return 'words';
  if (items['type'] === 'array') return 'prefixItems' in items ? 'json' : 'matrix';
  if (items['type'] !== 'object') return 'json';
  const { properties, additionalProperties: other } = items;
  if (isRecord(properties) && 'base64' in properties) return 'wheels';
  if (isRecord(properties))
    return Object.values(properties).every((one) => isPlain(one) || isChoice(one)) ? 'rows' : 'json';
  return isRecord(other) && (isPlain(other) || 'anyOf' in other) ? 'rows' : 'json';
}

const isChoice = (schema: unknown): boolean => isRecord(schema) && 'enum' in schema;

/** What is typed in a form, by field. */
export type Texts = Record<string, string>;

/** The input as the tool takes it; what is left empty is left out. Throws `TypedWrong` for JSON that is none. */
export function inputOf(fields: readonly FormField[], texts: Texts): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const text = texts[field.name] ?? '';
      return text.trim() === '' ? [] : [[field.name, valueOfField(field, text)]];
    }),
  );
}

export class TypedWrong extends Error {
  readonly field: string;
  constructor(field: string, said: string) {
    super(said);
    this.field = field;
  }
}

const STRUCTURED: ReadonlySet<Kind> = new Set(['numbers', 'words', 'matrix', 'lists', 'columns', 'rows', 'table', 'tables', 'wheels', 'json']); // prettier-ignore

function valueOfField({ name, kind, choices }: FormField, text: string): unknown {
  if (kind === 'json' || (STRUCTURED.has(kind) && /^\s*[[{]/.test(text))) {
    try {
      return JSON.parse(text);
    } catch (thrown) {
      throw new TypedWrong(name, `is no JSON: ${thrown instanceof Error ? thrown.message : ''}`);
    }
  }
  if (kind === 'file' && /^\s*\{\s*"base64"\s*:/.test(text)) return JSON.parse(text);
  switch (kind) {
    case 'number':
      return valueOf(text.trim());
    case 'choice':
      return choices.find((one) => String(one) === text) ?? text;
    case 'yes':
      return text === 'true';
    case 'line': {
      const cells = text.split(/[,;]/).map((cell) => valueOf(cell.trim()));
      return cells.length > 1 && cells.every((cell) => typeof cell === 'number') ? cells : valueOf(text.trim());
    }
    case 'numbers':
      return text.split(/[\s,;]+/).filter((one) => one !== '').map(valueOf); // prettier-ignore
    case 'words':
      return text.split(/[\n,;]+/).map((one) => one.trim()).filter((one) => one !== ''); // prettier-ignore
    case 'matrix':
      return readCells(text).map((row) => row.map(valueOf));
    case 'lists':
      return Object.fromEntries(text.split('\n').filter((line) => line.trim() !== '').map(listOf)); // prettier-ignore
    case 'columns':
      return readColumns(text);
    case 'rows':
      return readRows(text);
    default:
      return text;
  }
}

/** `a: 1 2 3` */
function listOf(line: string): [string, (string | number)[]] {
  const [name = '', ...rest] = line.split(':');
  return [name.trim(), rest.join(':').split(/[\s,;]+/).filter((one) => one !== '').map(valueOf)]; // prettier-ignore
}

/** A value as a person would type it. */
export function textsOf(fields: readonly FormField[], input: unknown): Texts {
  const given = isRecord(input) ? input : {};
  return Object.fromEntries(fields.flatMap((field) => (field.name in given ? [[field.name, textOf(field.kind, given[field.name])]] : []))); // prettier-ignore
}

function textOf(kind: Kind, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) {
    if (kind === 'numbers' || kind === 'words' || kind === 'line') return value.join(', ');
    if (kind === 'matrix') return writeCells(value as unknown[][]);
    if ((kind === 'rows' || kind === 'table') && value.every(isRecord)) {
      const names = [...new Set(value.flatMap((row) => Object.keys(row)))];
      return writeCells([names, ...value.map((row) => names.map((name) => row[name]))]);
    }
  }
  if (isRecord(value) && kind === 'lists')
    return Object.entries(value).map(([name, list]) => `${name}: ${(list as number[]).join(' ')}`).join('\n'); // prettier-ignore
  if (isRecord(value) && kind === 'columns') {
    const columns = Object.values(value) as unknown[][];
    return writeCells([Object.keys(value), ...(columns[0] ?? []).map((_, at) => columns.map((column) => column[at]))]);
  }
  return JSON.stringify(value, null, 2);
}
