/** What every figure answers: the drawing, its description in words, its data as a table. */
import * as v from 'valibot';

export const figureOutput = {
  svg: v.string(),
  /** What a person who does not see it is told. */
  description: v.string(),
  table: v.looseObject({ columns: v.array(v.string()), rows: v.array(v.array(v.unknown())), total: v.number() }),
  warnings: v.array(v.string()),
};

/** Rows of the table beside a figure. */
export const MOST_TABLE = 200;

export function tableOf(rows: readonly Record<string, unknown>[]): {
  columns: string[];
  rows: unknown[][];
  total: number;
} {
  const columns = [...new Set(rows.slice(0, MOST_TABLE).flatMap((row) => Object.keys(row)))];
  const shown = rows.slice(0, MOST_TABLE).map((row) => columns.map((column) => row[column] ?? null));
  return { columns, rows: shown, total: rows.length };
}
