/** CSV and TSV as RFC 4180 has them: values as text, the header first. */
import { csvOf } from '#core/text/csv.ts';
import { PlaybookFault } from '../faults.ts';
import { isList, isMapping, mappingOf, put, type Mapping, type Value } from '../value.ts';

/** Records of cells. Throws PlaybookFault `input_damaged` where a quote is never closed. */
function cellsOf(text: string, mark: string, path: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      for (at += 1; ;) {
        const quote = text.indexOf('"', at);
        if (quote < 0) throw new PlaybookFault('input_damaged', path, `"${path}": a quote is never closed.`);
        cell += text.slice(at, quote);
        at = quote + 1;
        if (text[at] !== '"') break;
        cell += '"';
        at += 1;
      }
    }
    const start = at;
    while (at < text.length && text[at] !== mark && text[at] !== '\n' && text[at] !== '\r') at++;
    record.push(cell + text.slice(start, at));
    if (text[at] === mark) {
      at += 1;
      if (at === text.length) record.push('');
      else continue;
    }
    if (text[at] === '\r') at += 1;
    if (text[at] === '\n') at += 1;
    records.push(record);
    record = [];
  }
  if (record.length > 0) records.push(record);
  return records.filter((one) => one.length > 1 || one[0] !== '');
}

export function readDelimited(text: string, mark: string, path: string): Mapping[] {
  const [header = [], ...records] = cellsOf(text, mark, path);
  return records.map((cells) => {
    if (cells.length > header.length)
      throw new PlaybookFault('input_damaged', path, `"${path}": a row has more cells than the header.`);
    return mappingOf(header.map((name, at) => [name, cells[at] ?? '']));
  });
}

function cellText(value: Value | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Columns in the order of their first appearance; a record that is no mapping is in the column `output`. A cell that a sheet
 * would run is guarded (PB-31).
 */
export function writeCsv(records: readonly Value[]): string {
  if (records.length === 0) return '';
  const rows = records.map((record): Mapping => {
    if (isMapping(record)) return record;
    const row: Mapping = {};
    put(row, 'output', isList(record) ? record : record);
    return row;
  });
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return csvOf([
    columns,
    ...rows.map((row) => columns.map((name) => cellText(Object.hasOwn(row, name) ? row[name] : null))),
  ]);
}
