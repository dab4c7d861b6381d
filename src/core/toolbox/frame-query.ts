/** `frame_query`: one SELECT over tables that are given, by DuckDB; nothing outside of them is reached. */
import * as v from 'valibot';
import { failed } from '../errors.ts';
import { fault, firstFault } from './fields.ts';
import { writeArff } from './frame/arff.ts';
import { writeCells } from './frame/csv.ts';
import { statementFault } from './frame/statement.ts';
import { frameOutput, isEmptyTable, table } from './frame/table.ts';
import { engineTable } from './frame/table-forms.ts';
import { toolboxTool, type Output } from './tool.ts';

const tableName = v.pipe(v.string(), v.regex(/^[A-Za-z_]\w{0,62}$/, 'must be a name of letters, digits and _'));
const InputSchema = v.strictObject({
  tables: v.pipe(
    v.record(tableName, table),
    v.check((tables) => Object.keys(tables).length <= 50, 'are more than 50'),
  ),
  sql: v.pipe(v.string(), v.trim(), v.nonEmpty('is empty'), v.maxLength(50_000, 'is too long')),
  /** With columns by their names, too, as the statistics take them. */
  as: v.exactOptional(v.picklist(['rows', 'columns'], 'must be rows or columns')),
  /** The result as a file, too. */
  out: v.exactOptional(v.picklist(['csv', 'arff', 'parquet'], 'must be csv, arff or parquet')),
});

export const frameQuery = toolboxTool<v.InferOutput<typeof InputSchema>>({
  name: 'frame_query',
  description:
    'SQL (DuckDB) over tables: { name: rows, or text of CSV, TSV, JSON, JSONL, ARFF, Orange .tab, { parquet: base64 } or { xlsx: base64, sheet } }; one SELECT, nothing outside is reached. Answers columns, types, rows; as: columns gives data { name: values }, too; out: csv, arff or parquet gives the result as a file. Whole numbers beyond 2^53 come as text, dates as ISO text.',
  runtime: 'sql',
  input: InputSchema,
  output: frameOutput,
  example: { tables: { t: 'k,v\na,1\nb,2\na,5\n' }, sql: 'select k, sum(v) as s from t group by k order by k' },
  check: ({ tables, sql }) =>
    firstFault(
      ...Object.entries(tables).map(([name, rows]) => isEmptyTable(rows) && fault('tables', `"${name}" has no rows`)),
      statementFault(sql),
    ),
  unread: ['file'],
  finish: (value, { as = 'rows', out }) => ({
    ...value,
    ...(as === 'rows' ? {} : { data: byColumn(value) }),
    ...(out === 'csv' || out === 'arff' ? { file: { text: fileOf(out, value) } } : {}),
  }),
  job: ({ tables, sql, out }) => ({
    program: 'query',
    data: { tables: mapped(tables), sql: sql.replace(/;\s*$/, ''), ...(out === 'parquet' ? { out } : {}) },
  }),
});

function fileOf(form: 'csv' | 'arff', { columns, rows, truncated }: Output): string {
  if (truncated === true) throw failed('tool_limit', 'frame_query: a file of a part of the rows is not written.');
  const [names, all] = [columns as string[], rows as unknown[][]];
  return form === 'arff' ? writeArff('result', names, all) : `${writeCells([names, ...all])}\n`;
}

function byColumn({ columns, rows }: Output): Record<string, unknown[]> {
  const [names, all] = [columns as string[], rows as unknown[][]];
  return Object.fromEntries(names.map((name, at) => [name, all.map((row) => row[at])]));
}

const mapped = (tables: v.InferOutput<typeof InputSchema>['tables']): Record<string, unknown> =>
  Object.fromEntries(Object.entries(tables).map(([name, given]) => [name, engineTable(given)]));
