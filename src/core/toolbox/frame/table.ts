/** Tables as tools take and give them. */
import * as v from 'valibot';
import { isBase64 } from '../base64.ts';

const cell = v.union(
  [v.string(), v.pipe(v.number(), v.finite()), v.boolean(), v.null()],
  'must be a text, number, boolean or null',
);

const base64 = v.pipe(v.string(), v.nonEmpty('is empty'), v.check(isBase64, 'is no base64'));

/** Rows of objects; the text of a CSV, TSV, JSON, JSONL, ARFF or Orange .tab file; a Parquet or Excel file in base64. */
export const table = v.union(
  [
    v.pipe(v.string(), v.nonEmpty('is empty')),
    v.pipe(v.array(v.record(v.string(), cell)), v.maxLength(1_000_000, 'has more than a million rows')),
    v.strictObject({ parquet: base64 }),
    v.strictObject({ xlsx: base64, sheet: v.exactOptional(v.string()) }),
  ],
  'must be rows, the text of a file of a table, { parquet: base64 } or { xlsx: base64 }',
);
export type Table = v.InferOutput<typeof table>;

/** There is nothing in it. */
export const isEmptyTable = (given: Table): boolean =>
  (typeof given === 'string' || Array.isArray(given)) && given.length === 0;

export const frameOutput = v.looseObject({
  columns: v.array(v.string()),
  types: v.array(v.string()),
  rows: v.array(v.array(cell)),
  /** Of the result, also where not all of them are given. */
  total: v.number(),
  truncated: v.boolean(),
});
