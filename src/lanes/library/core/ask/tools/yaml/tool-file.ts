/**
 * A tool as a YAML file: the specification's form, with `run:` naming a way that is built in. A file can name no code.
 *
 *   ASK-75 a tool that cannot be taken is refused with its file and the key that is wrong; one with side effects is listed
 *          and refused in a run
 */
import * as v from 'valibot';
import { failed } from '#core/errors.ts';
import { loadOnce } from '#core/load-once.ts';
import type { JsonSchema } from '#core/agent/llm/provider.ts';
import { isPattern } from '#core/domains.ts';
import { closedSchema } from './schema-check.ts';

const text = (length: number) => v.pipe(v.string(), v.trim(), v.nonEmpty('it is empty'), v.maxLength(length));
const POINTER = 'a JSON pointer as "/results" or "/author/name"';
const pointer = v.pipe(v.string(POINTER), v.regex(/^(?:\/[^/]+)*$/, POINTER), v.maxLength(200));

/** What runs it; `{name}` in a text is the field of the input. */
const RunSchema = v.variant('use', [
  v.strictObject({
    use: v.picklist(['rag_retrieve', 'calculator', 'load_table']),
    /** Its input. */
    with: v.record(v.string(), v.unknown()),
  }),
  v.strictObject({
    use: v.literal('http_json'),
    url: v.pipe(text(2000), v.startsWith('https://', 'only https is asked')),
    /** A list in the answer: each of its items is evidence. */
    items: v.exactOptional(pointer),
    /** In an item: what it says, what it is called, where it is found. */
    text: v.exactOptional(pointer),
    title: v.exactOptional(pointer),
    link: v.exactOptional(pointer),
  }),
]);

const PATTERN = 'a domain as "api.example.org" or "*.example.org"';
const FileSchema = v.strictObject({
  name: v.pipe(text(63), v.regex(/^[a-z][a-z0-9_]*$/, 'small letters, digits and "_"')),
  version: v.pipe(v.number(), v.integer(), v.minValue(1)),
  description: text(600),
  input_schema: v.unknown(),
  output_schema: v.exactOptional(v.unknown()),
  sandbox: v.optional(
    v.strictObject({
      network: v.optional(v.boolean(), false),
      allow: v.exactOptional(v.pipe(v.array(v.pipe(v.string(), v.check(isPattern, PATTERN))), v.maxLength(64))),
    }),
    {},
  ),
  side_effects: v.optional(v.boolean(), false),
  auth: v.optional(v.literal('none', 'tools have no keys: the one key there is serves the model alone'), 'none'),
  rate_limits: v.optional(
    v.strictObject({ rpm: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(600)), 30) }),
    {},
  ),
  run: RunSchema,
});
type Read = v.InferOutput<typeof FileSchema>;
export type ToolFile = Omit<Read, 'input_schema' | 'output_schema'> & {
  input_schema: JsonSchema;
  /** null: whatever its way gives. */
  output_schema: JsonSchema | null;
};

/** Characters of a file. */
const MOST_LENGTH = 100_000;

const yaml = loadOnce(() => import('yaml'));

/** @param from how a person knows the file. Throws AccessionError `invalid`. */
export async function readToolFile(source: string, from: string): Promise<ToolFile> {
  const wrong = (why: string, cause?: unknown): Error =>
    failed('invalid', `The tool in ${from}: ${why}`, { remedy: 'Correct the file, or take it away.', cause });
  if (source.length > MOST_LENGTH) throw wrong(`it is longer than ${MOST_LENGTH} characters.`);
  const { parseDocument } = await yaml();
  let value: unknown;
  try {
    const document = parseDocument(source, { schema: 'core', customTags: [], uniqueKeys: true, logLevel: 'silent' });
    // A tag of its own is a warning there: a file says plain values and nothing else.
    const [fault] = [...document.errors, ...document.warnings];
    if (fault !== undefined) throw fault;
    value = document.toJS({ maxAliasCount: 10 });
  } catch (error) {
    throw wrong(`it is not YAML: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''}`, error);
  }
  const read = v.safeParse(FileSchema, value);
  if (!read.success) {
    const [issue] = read.issues;
    const place = v.getDotPath(issue);
    throw wrong(`${place === null ? '' : `${place}: `}${issue.message}`);
  }
  try {
    return checked(read.output);
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : '', error);
  }
}

function checked(file: Read): ToolFile {
  const input = closedSchema(file.input_schema, 'input_schema');
  const output = file.output_schema === undefined ? null : closedSchema(file.output_schema, 'output_schema');
  if (file.run.use === 'http_json' && !file.sandbox.network)
    throw failed('invalid', 'http_json needs "sandbox: {network: true}".');
  const fields = new Set(Object.keys(input['properties'] as object));
  for (const name of namesIn(file.run))
    if (!fields.has(name)) throw failed('invalid', `run names {${name}}, and input_schema has no such field.`);
  return { ...file, input_schema: input, output_schema: output };
}

/** Fields that a template names. */
function namesIn(value: unknown): string[] {
  if (typeof value === 'string') return [...value.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(namesIn) : [];
}
