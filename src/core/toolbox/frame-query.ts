/** `frame_query`: one SELECT over tables that are given, by DuckDB; nothing outside of them is reached. */
import * as v from 'valibot';
import { fault, firstFault } from './fields.ts';
import { statementFault } from './frame/statement.ts';
import { toolboxTool } from './tool.ts';

const cell = v.union(
  [v.string(), v.pipe(v.number(), v.finite()), v.boolean(), v.null()],
  'must be a text, number, boolean or null',
);
const tableName = v.pipe(v.string(), v.regex(/^[A-Za-z_]\w{0,62}$/, 'must be a name of letters, digits and _'));
export const table = v.union(
  [
    v.pipe(v.string(), v.nonEmpty('is empty')),
    v.pipe(v.array(v.record(v.string(), cell)), v.maxLength(1_000_000, 'has more than a million rows')),
  ],
  'must be rows, or the text of a CSV file',
);
const InputSchema = v.strictObject({
  tables: v.pipe(
    v.record(tableName, table),
    v.check((tables) => Object.keys(tables).length <= 50, 'are more than 50'),
  ),
  sql: v.pipe(v.string(), v.trim(), v.nonEmpty('is empty'), v.maxLength(50_000, 'is too long')),
});

export const frameOutput = v.looseObject({
  columns: v.array(v.string()),
  types: v.array(v.string()),
  rows: v.array(v.array(cell)),
  /** Of the result, also where not all of them are given. */
  total: v.number(),
  truncated: v.boolean(),
});

export const frameQuery = toolboxTool<v.InferOutput<typeof InputSchema>>({
  name: 'frame_query',
  description:
    'SQL (DuckDB) over tables: { name: rows or CSV text }; one SELECT, nothing outside is reached. Answers columns, types, rows. Whole numbers beyond 2^53 come as text, dates as ISO text.',
  runtime: 'sql',
  input: InputSchema,
  output: frameOutput,
  example: { tables: { t: 'k,v\na,1\nb,2\na,5\n' }, sql: 'select k, sum(v) as s from t group by k order by k' },
  check: ({ tables, sql }) =>
    firstFault(
      ...Object.entries(tables).map(([name, rows]) => rows.length === 0 && fault('tables', `"${name}" has no rows`)),
      statementFault(sql),
    ),
  job: ({ tables, sql }) => ({ program: 'query', data: { tables, sql: sql.replace(/;\s*$/, '') } }),
});
