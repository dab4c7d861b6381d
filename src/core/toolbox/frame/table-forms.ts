/** Tables in the forms in which people have them, told by their content: rows or CSV as DuckDB takes them, or bytes of Parquet. */
import { isRecord } from '../../agent/tools/tool.ts';
import { failed } from '../../errors.ts';
import { isArff, readArff, type Row } from './arff.ts';
import { isOrangeTab, readOrangeTab } from './orange-tab.ts';
import type { Table } from './table.ts';
import { readXlsx } from './xlsx.ts';

/** What the engine is given. */
export type EngineTable = string | readonly Row[] | { parquet: string };

/** Throws AccessionError `tool_input`. */
export function engineTable(given: Table): EngineTable {
  if (typeof given !== 'string') return isXlsx(given) ? readXlsx(given.xlsx, given.sheet) : given;
  if (isArff(given)) return readArff(given);
  if (isOrangeTab(given)) return readOrangeTab(given);
  return readJson(given) ?? given;
}

const isXlsx = (given: Exclude<Table, string>): given is { xlsx: string; sheet?: string } =>
  !Array.isArray(given) && 'xlsx' in given && typeof given.xlsx === 'string';

/** A list of rows, or a row a line (JSONL); null: it is neither. */
function readJson(text: string): Row[] | null {
  const start = text.trimStart();
  if (!start.startsWith('[') && !start.startsWith('{')) return null;
  try {
    const rows: unknown = start.startsWith('[') ? JSON.parse(text) : text.split('\n').filter((line) => line.trim() !== '').map((line): unknown => JSON.parse(line)); // prettier-ignore
    if (Array.isArray(rows) && rows.every(isRecord)) return rows as Row[];
  } catch {
    // A table of CSV may begin so, too.
    return null;
  }
  throw failed('tool_input', 'tables: the JSON has rows that are no objects', { subject: 'tables' });
}
