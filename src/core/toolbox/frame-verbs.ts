/** `frame_verbs`: a table by dplyr's verbs; the SQL that they become is shown. */
import * as v from 'valibot';
import { isRecord } from '../agent/tools/tool.ts';
import { toFailure } from '../errors.ts';
import { fault, firstFault } from './fields.ts';
import { frameOutput, isEmptyTable, table, type Table } from './frame/table.ts';
import { engineTable } from './frame/table-forms.ts';
import { statementFault } from './frame/statement.ts';
import { VERBS, verbsAsSql } from './frame/verbs.ts';
import { toolboxTool, type Fault } from './tool.ts';

const step = v.pipe(
  v.record(v.picklist(VERBS, `must be one of ${VERBS.join(', ')}`), v.unknown()),
  v.check((one) => Object.keys(one).length === 1, 'each step has one verb'),
);
const InputSchema = v.strictObject({
  table,
  steps: v.pipe(v.array(step), v.minLength(1, 'is empty'), v.maxLength(50, 'are more than 50')),
});
type Input = v.InferOutput<typeof InputSchema>;

export const frameVerbs = toolboxTool<Input>({
  name: 'frame_verbs',
  description:
    'A table (rows, text of CSV, TSV, JSON, JSONL, ARFF, Orange .tab, { parquet: base64 } or { xlsx: base64 }) by steps of verbs: { select: [..] }, { filter: "x > 3" }, { mutate: { y: "x * 2" } }, { group_by: [..] }, { summarise: { n: "n()" } }, { arrange: ["-x"] }, { join: { table, by, type } }, { pivot_wider: { names_from, values_from, names } }, { pivot_longer: { cols, names_to, values_to } }, { distinct: true }, { head: 10 }. Answers rows and the SQL.',
  runtime: 'sql',
  input: InputSchema,
  output: v.looseObject({ ...frameOutput.entries, sql: v.string() }),
  example: {
    table: 'k,v\na,1\nb,2\na,5\n',
    steps: [{ group_by: ['k'] }, { summarise: { s: 'sum(v)', n: 'n()' } }, { arrange: ['-s'] }],
  },
  check(input) {
    const joined = input.steps.map((one) => tableOf(one)).filter((one) => one !== undefined);
    return firstFault(
      isEmptyTable(input.table) && fault('table', 'has no rows'),
      joined.some((one) => !v.is(table, one) || isEmptyTable(one)) && fault('steps', 'a join has no table'),
      madeFault(input),
    );
  },
  job: (input) => ({ program: 'query', data: { tables: tablesOf(input), sql: sqlOf(input) } }),
  finish: (value, input) => ({ ...value, sql: sqlOf(input) }),
});

function madeFault(input: Input): Fault | null {
  try {
    return statementFault(sqlOf(input)) === null ? null : fault('steps', 'an expression is no expression');
  } catch (thrown) {
    return fault('steps', toFailure(thrown).message.replace('frame_verbs: steps: ', ''));
  }
}

/** The table of a join; null where a join has none; undefined: it is no join. */
function tableOf(one: Input['steps'][number]): unknown {
  const { join } = one as { join?: unknown };
  if (join === undefined) return undefined;
  return isRecord(join) ? (join['table'] ?? null) : null;
}

const sqlOf = ({ steps }: Input): string =>
  verbsAsSql(
    steps,
    new Map(steps.flatMap((one, at): [number, string][] => (tableOf(one) === undefined ? [] : [[at, `j${at}`]]))),
  );

function tablesOf({ table: rows, steps }: Input): Record<string, unknown> {
  const joined = steps.flatMap((one, at): [string, unknown][] =>
    tableOf(one) === undefined ? [] : [[`j${at}`, engineTable(tableOf(one) as Table)]],
  );
  return { t: engineTable(rows), ...Object.fromEntries(joined) };
}
