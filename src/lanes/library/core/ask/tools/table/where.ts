/** Which rows are wanted. */
import * as v from 'valibot';
import type { Cell, TableRow } from './rows.ts';

export const OPERATORS = ['=', '!=', '<', '<=', '>', '>=', 'contains'] as const;
const cell = v.union([v.pipe(v.string(), v.maxLength(400)), v.number(), v.boolean(), v.null()]);

/** All of them hold. */
export const WhereSchema = v.pipe(
  v.array(
    v.strictObject({
      column: v.pipe(v.string(), v.nonEmpty(), v.maxLength(200)),
      is: v.optional(v.picklist(OPERATORS), '='),
      value: cell,
    }),
  ),
  v.maxLength(16),
);
type Where = v.InferOutput<typeof WhereSchema>;

export const meets = ({ values }: TableRow, where: Where): boolean =>
  where.every(({ column, is, value }) => holds(values[column] ?? null, is, value));

function holds(has: Cell, is: (typeof OPERATORS)[number], value: Cell): boolean {
  const [left, right] = [numberIn(has), numberIn(value)];
  const both = left !== null && right !== null;
  switch (is) {
    case '=':
      return both ? left === right : said(has) === said(value);
    case '!=':
      return both ? left !== right : said(has) !== said(value);
    case 'contains':
      return said(has).includes(said(value));
    // What is no number on both sides is compared as words: dates as `2031-03-14` fall into their order.
    case '<':
      return both ? left < right : said(has) < said(value);
    case '<=':
      return both ? left <= right : said(has) <= said(value);
    case '>':
      return both ? left > right : said(has) > said(value);
    case '>=':
      return both ? left >= right : said(has) >= said(value);
  }
}

const said = (value: Cell): string => (value === null ? '' : String(value).trim().toLowerCase());

/** `1,840` and `1 840` are numbers as `1840` is. */
function numberIn(value: Cell): number | null {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return null;
  const plain = value.trim().replaceAll(/(?<=\d)[, \u00a0\u202f](?=\d{3}(?!\d))/g, '');
  return /^-?\d+(?:\.\d+)?$/.test(plain) ? Number(plain) : null;
}
