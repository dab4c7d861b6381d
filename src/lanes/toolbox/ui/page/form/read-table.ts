/** Tables as a person types or pastes them: a line a row, parted by tabs, semicolons, commas or, without any of these, blanks. */
import { delimitedRecords, delimiterOf } from '#core/text/delimited.ts';

/** Cells of each line that is not empty. */
export function readCells(text: string): string[][] {
  const mark = delimiterOf(text);
  const [head = ''] = text.trim().split('\n', 1);
  if (!head.includes(mark) && !text.includes('"'))
    return text.split('\n').filter((line) => line.trim() !== '').map((line) => line.trim().split(/\s+/)); // prettier-ignore
  return Array.from(delimitedRecords(text, mark), ({ cells }) => cells);
}

/** A cell as a value: what reads as a number is one. */
export const valueOf = (cell: string): string | number =>
  cell !== '' && Number.isFinite(Number(cell)) ? Number(cell) : cell;

/** Rows as objects by the names of the first line; empty cells are left out. */
export function readRows(text: string): Record<string, string | number>[] {
  const [head = [], ...rows] = readCells(text);
  return rows.map((row) =>
    Object.fromEntries(
      head.flatMap((name, at) => (row[at] === undefined || row[at] === '' ? [] : [[name, valueOf(row[at])]])),
    ),
  );
}

/** The same as columns. A column is of numbers where all its cells are. */
export function readColumns(text: string): Record<string, (string | number)[]> {
  const [head = [], ...rows] = readCells(text);
  return Object.fromEntries(
    head.map((name, at) => {
      const cells = rows.map((row) => row[at] ?? '');
      const values = cells.map(valueOf);
      return [name, values.every((one) => typeof one === 'number') ? values : cells];
    }),
  );
}
