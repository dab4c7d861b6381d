/** ARFF, as WEKA and others have it: names and kinds first, then rows. Sparse rows are `{place value, ...}`. */
import { failed } from '../../errors.ts';
import { delimitedRecords } from '../../text/delimited.ts';

export type Cell = string | number | boolean | null;
export type Row = Record<string, Cell>;

const NUMERIC = /^(?:numeric|real|integer)$/i;

interface Attribute {
  name: string;
  numeric: boolean;
}

export const isArff = (text: string): boolean => /^(?:\s|%[^\n]*\n)*@relation\b/i.test(text);

/** Throws AccessionError `tool_input`, with the line. */
export function readArff(text: string): Row[] {
  const attributes: Attribute[] = [];
  const rows: Row[] = [];
  let inData = false;
  for (const [at, whole] of text.split(/\r\n|\n|\r/).entries()) {
    const line = whole.trim();
    if (line === '' || line.startsWith('%')) continue;
    if (inData) rows.push(rowOf(line, attributes, at + 1));
    else if (/^@data\b/i.test(line)) inData = true;
    else if (/^@attribute\b/i.test(line)) attributes.push(attributeOf(line, at + 1));
    else if (!/^@relation\b/i.test(line)) throw wrong(at + 1, 'is no line of ARFF');
  }
  if (!inData) throw failed('tool_input', 'ARFF: there is no @data', { subject: 'tables' });
  return rows;
}

const wrong = (line: number, said: string): Error =>
  failed('tool_input', `ARFF: line ${line} ${said}`, { subject: 'tables' });

function attributeOf(line: string, at: number): Attribute {
  const found = /^@attribute\s+(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(\S+))\s+(.+)$/i.exec(line);
  if (found === null) throw wrong(at, 'is no attribute');
  const [, single, double, bare = '', kind = ''] = found;
  return { name: (single ?? double ?? bare).replace(/\\(.)/g, '$1'), numeric: NUMERIC.test(kind.trim()) };
}

function rowOf(line: string, attributes: readonly Attribute[], at: number): Row {
  const sparse = /^\{(.*)\}(?:\s*,.*)?$/.exec(line)?.[1];
  const cells = sparse === undefined ? cellsOf(line) : spread(cellsOf(sparse), attributes);
  if (cells.length < attributes.length) throw wrong(at, `has ${cells.length} values, not ${attributes.length}`);
  return Object.fromEntries(
    attributes.map(({ name, numeric }, place) => [name, valueOf(cells[place] ?? '?', numeric, at)]),
  );
}

function valueOf(cell: string, numeric: boolean, at: number): Cell {
  if (cell === '?') return null;
  if (!numeric) return cell;
  if (!Number.isFinite(Number(cell))) throw wrong(at, `"${cell.slice(0, 50)}" is no number`);
  return Number(cell);
}

/** Quotes are ' or ". */
function cellsOf(line: string): string[] {
  const doubled = line.replaceAll(
    /'((?:[^'\\]|\\.)*)'/g,
    (_, inner: string) => `"${inner.replace(/\\(.)/g, '$1').replaceAll('"', '""')}"`,
  );
  // A quote opens a cell where it stands first.
  const tight = doubled.replaceAll(/(^|,)\s+(?=")/g, '$1');
  const [record] = delimitedRecords(tight, tight.includes(',') ? ',' : '\t');
  return record?.cells ?? [];
}

/** What a sparse row does not name is 0, or the first of its kinds. */
function spread(given: readonly string[], attributes: readonly Attribute[]): string[] {
  const cells = attributes.map(() => '0');
  for (const one of given) {
    const [, place = '', value = '?'] = /^(\d+)\s+(.*)$/.exec(one.trim()) ?? [];
    if (place !== '') cells[Number(place)] = value;
  }
  return cells;
}

const quoted = (text: string): string => (/^[\w.+-]+$/.test(text) ? text : `'${text.replaceAll(/['\\]/g, '\\$&')}'`);

/** A table in this form: a column of numbers is numeric, any other is a list of its values, or text where there are many. */
export function writeArff(name: string, columns: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const kinds = columns.map((_, at) => kindOf(rows.map((row) => row[at] ?? null)));
  const cell = (value: unknown): string =>
    value === null || value === undefined ? '?' : quoted(String(value as string | number | boolean));
  return [
    ...[`@relation ${quoted(name)}`, ''],
    ...columns.map((column, at) => `@attribute ${quoted(column)} ${kinds[at] ?? 'string'}`),
    ...['', '@data', ...rows.map((row) => columns.map((_, at) => cell(row[at])).join(',')), ''],
  ].join('\n');
}

/** Values that a column may list. */
const MOST_KINDS = 50;

function kindOf(values: readonly unknown[]): string {
  const known = values.filter((one) => one !== null);
  if (known.length > 0 && known.every((one) => typeof one === 'number')) return 'numeric';
  const kinds = [...new Set(known.map(String))];
  return kinds.length === 0 || kinds.length > MOST_KINDS ? 'string' : `{${kinds.map(quoted).join(',')}}`;
}
