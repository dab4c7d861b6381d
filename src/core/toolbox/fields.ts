/** Pieces of the schemas of tools: a number is a finite JSON number, a list has at most a million of them. */
import * as v from 'valibot';
import type { Fault } from './tool.ts';

export const MOST_VALUES = 1_000_000;

export const number = v.pipe(v.number('must be a number'), v.finite('must be finite'));
export const numbers = v.pipe(
  v.array(number, 'must be a list of numbers'),
  v.maxLength(MOST_VALUES, 'has more than a million values'),
);
export const name = v.pipe(v.string('must be a text'), v.nonEmpty('is empty'), v.maxLength(200, 'is too long'));
/** Which side an effect is looked for on. */
export const alternative = v.picklist(['two.sided', 'less', 'greater'], 'must be two.sided, less or greater');
export const confLevel = v.pipe(
  number,
  v.gtValue(0, 'must be between 0 and 1'),
  v.ltValue(1, 'must be between 0 and 1'),
);
export const groups = v.record(name, numbers, 'must be lists of numbers by name');
const column = v.pipe(
  v.array(v.union([number, v.string()], 'must be finite numbers or texts')),
  v.maxLength(MOST_VALUES, 'has more than a million values'),
);
/** Columns by name. */
export const columns = v.record(name, column, 'must be columns by name');

/** What an output may hold where there is nothing to say: null. */
export const value = v.nullable(v.number());

export const fault = (field: string, message: string): Fault => ({ field, message });

/** All the same, so that they vary in nothing. */
export function isConstant(values: readonly unknown[]): boolean {
  return values.every((one) => one === values[0]);
}

/** The first fault of those that are looked for. */
export function firstFault(...faults: (Fault | null | false)[]): Fault | null {
  for (const one of faults) if (one !== null && one !== false) return one;
  return null;
}

/** Columns of one length, all of those that are named. */
export function columnFault(
  data: Readonly<Record<string, readonly unknown[]>>,
  named: readonly { field: string; column: string }[],
): Fault | null {
  const [first] = named;
  if (first === undefined) return null;
  for (const { field, column: asked } of named)
    if (!Object.hasOwn(data, asked)) return fault(field, `the data have no column "${asked}"`);
  const rows = data[first.column]?.length ?? 0;
  for (const { column: asked } of named)
    if (data[asked]?.length !== rows)
      return fault(asked, `has ${data[asked]?.length} values, "${first.column}" ${rows}`);
  return null;
}

/** Whether the column holds numbers alone. */
export const isNumeric = (values: readonly unknown[]): values is number[] =>
  values.every((one) => typeof one === 'number');
