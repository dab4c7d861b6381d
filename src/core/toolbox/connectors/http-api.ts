/** `http_api`: any API that is declared with the call, as a connector's file declares it. It has no secrets. */
import * as v from 'valibot';
import { AccessionError } from '../../errors.ts';
import { fault } from '../fields.ts';
import type { Fault } from '../tool.ts';
import { connectorTool } from './connector-tool.ts';
import { declaredTool, readDeclared, ROWS, rowsOf, type Declared } from './declared.ts';
import { USUAL_CONNECTOR } from './net.ts';

const InputSchema = v.strictObject({
  api: v.pipe(v.string('must be a text'), v.nonEmpty('is empty'), v.maxLength(64_000, 'is too long')),
  endpoint: v.exactOptional(v.pipe(v.string(), v.maxLength(64, 'is too long'))),
  with: v.exactOptional(v.record(v.string(), v.union([v.string(), v.pipe(v.number(), v.finite()), v.boolean()]))),
  pages: v.exactOptional(v.pipe(v.number('must be a number'), v.integer('must be whole'), v.minValue(1, 'must be 1 or more'), v.maxValue(100, 'must be 100 at most'))), // prettier-ignore
});
type Input = v.InferOutput<typeof InputSchema>;

export const httpApi = connectorTool<Input>({
  connector: {
    ...USUAL_CONNECTOR,
    ...{ name: 'http_api', hosts: null, licence: 'as the source says', attribution: 'the source', everyMs: 500 },
  },
  description:
    'Any API: api (YAML: name, about, base, licence, attribution, endpoints with input, path, query, rows and columns as JSONPath, pages), endpoint, with (its fields), pages. Answers rows.',
  input: InputSchema,
  output: ROWS,
  example: {
    api: 'name: data_usa\nabout: Figures of the United States\nbase: https://api.datausa.io\nlicence: as the source says\nattribution: Data USA\nendpoints:\n  population:\n    about: by year\n    path: /tesseract/data.jsonrecords\n    query: { cube: acs_yg_total_population_5, measures: Population, drilldowns: Year }\n    rows: $.data[*]\n    columns: { year: $.Year, population: $.Population }\n',
  },
  check(input) {
    try {
      return callFault(readDeclared(input.api, 'api'), input);
    } catch (thrown) {
      if (!(thrown instanceof AccessionError)) throw thrown;
      return fault('api', thrown.failure.message.replace(/^api: /, ''));
    }
  },
  read(input, ask) {
    const declared = readDeclared(input.api, 'api');
    return rowsOf(declared, endpointOf(declared, input), { ...input.with, pages: input.pages ?? 1 }, ask);
  },
});

const endpointOf = (declared: Declared, { endpoint }: Input): string =>
  endpoint ?? Object.keys(declared.endpoints)[0] ?? '';

/** A secret in it would be the server's, at an address of a stranger's. */
function callFault(declared: Declared, input: Input): Fault | null {
  if (declared.secret !== undefined) return { ...fault('api', 'may name no secret'), code: 'tool_refused' };
  const name = endpointOf(declared, input);
  if (!Object.hasOwn(declared.endpoints, name))
    return fault('endpoint', `is none of ${Object.keys(declared.endpoints).join(', ')}`);
  const several = Object.keys(declared.endpoints).length > 1;
  const given = { ...(several ? { endpoint: name } : {}), ...input.with };
  const read = v.safeParse(declaredTool(declared).input, given);
  if (!read.success) return fault('with', `${v.getDotPath(read.issues[0]) ?? ''} ${read.issues[0].message}`);
  const absent = Object.entries(declared.endpoints[name]?.input ?? {}).find(([field, { required }]) => required && input.with?.[field] === undefined); // prettier-ignore
  return absent === undefined ? null : fault('with', `${absent[0]} is missing`);
}
