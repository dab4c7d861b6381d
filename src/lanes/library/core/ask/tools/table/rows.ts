/** A file of the library as rows: CSV, TSV, JSON (a list of objects) and NDJSON, each row with its place in the text. */
import { isRecord } from '#core/agent/tools/tool.ts';
import { failed } from '#core/errors.ts';
import type { Span } from '../../../text/units.ts';
import { delimitedRecords, delimiterOf } from '#core/text/delimited.ts';

export type Cell = string | number | boolean | null;

export interface TableRow extends Span {
  values: Readonly<Record<string, Cell>>;
}

export interface Table {
  columns: string[];
  rows: TableRow[];
}

/** Characters of a file; rows. */
const MOST_TEXT = 32_000_000;
const MOST_ROWS = 200_000;

/** Throws AccessionError `invalid` where the file holds no rows that are understood. */
export async function tableOf(path: string, text: string): Promise<Table> {
  if (text.length > MOST_TEXT) throw failed('invalid', `${path} is too large for a table.`);
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  switch (ending) {
    case 'csv':
    case 'tsv':
      return delimited(path, text);
    case 'ndjson':
    case 'jsonl':
      return ofRows(linesOf(path, text));
    case 'json':
      return ofRows(await listOf(path, text));
    default:
      throw failed('invalid', `${path} is no table: CSV, TSV, JSON and NDJSON are.`);
  }
}

function delimited(path: string, text: string): Table {
  const rows: TableRow[] = [];
  let columns: string[] | null = null;
  for (const { cells, start, end } of delimitedRecords(text, delimiterOf(text, path))) {
    if (columns === null) {
      columns = named(cells);
      continue;
    }
    const values = Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? '']));
    rows.push({ values, start, end });
    mayHave(path, rows.length);
  }
  return { columns: columns ?? [], rows };
}

/** A column without a name has its number; a name that is there twice is numbered. */
function named(cells: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return cells.map((cell, at) => {
    const name = cell === '' ? `column ${at + 1}` : cell;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

function linesOf(path: string, text: string): TableRow[] {
  const rows: TableRow[] = [];
  let line = 0;
  for (const { 0: said, index } of text.matchAll(/[^\r\n]+/g)) {
    line += 1;
    if (said.trim() === '') continue;
    let value: unknown;
    try {
      value = JSON.parse(said);
    } catch {
      throw failed('invalid', `Row ${line} of ${path} is no JSON.`);
    }
    rows.push({ values: cellsOf(value), start: index, end: index + said.length });
    mayHave(path, rows.length);
  }
  return rows;
}

/** JSON is YAML: its reader knows where each value stands. */
async function listOf(path: string, text: string): Promise<TableRow[]> {
  try {
    JSON.parse(text);
  } catch {
    throw failed('invalid', `${path} is no JSON.`);
  }
  const { isMap, isSeq, parseDocument } = await import('yaml');
  const { contents } = parseDocument(text, { schema: 'json', uniqueKeys: false });
  const list = isSeq(contents)
    ? contents
    : isMap(contents)
      ? contents.items.map(({ value }) => value).find((value) => isSeq(value))
      : undefined;
  if (!isSeq(list)) throw failed('invalid', `${path} holds no list of rows.`);
  return list.items.flatMap((item, at) => {
    mayHave(path, at + 1);
    const range = typeof item === 'object' && item !== null && 'range' in item ? item.range : null;
    if (!isMap(item) || !Array.isArray(range)) return [];
    const [start, end] = range as [number, number, number];
    return [{ values: cellsOf(item.toJSON()), start, end }];
  });
}

function ofRows(rows: TableRow[]): Table {
  return { columns: [...new Set(rows.flatMap(({ values }) => Object.keys(values)))], rows };
}

/** What is a list or an object within a row is its JSON. */
function cellsOf(value: unknown): Record<string, Cell> {
  if (!isRecord(value)) return { value: cellOf(value) };
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cellOf(one)]));
}

function cellOf(value: unknown): Cell {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  return JSON.stringify(value) ?? null;
}

function mayHave(path: string, rows: number): void {
  if (rows > MOST_ROWS) throw failed('invalid', `${path} has more than ${MOST_ROWS} rows.`);
}
