/** Tables as tools take and give them. */
import * as v from 'valibot';

const cell = v.union(
  [v.string(), v.pipe(v.number(), v.finite()), v.boolean(), v.null()],
  'must be a text, number, boolean or null',
);

/** Rows of objects, or the text of a CSV file. */
export const table = v.union(
  [
    v.pipe(v.string(), v.nonEmpty('is empty')),
    v.pipe(v.array(v.record(v.string(), cell)), v.maxLength(1_000_000, 'has more than a million rows')),
  ],
  'must be rows, or the text of a CSV file',
);

export const frameOutput = v.looseObject({
  columns: v.array(v.string()),
  types: v.array(v.string()),
  rows: v.array(v.array(cell)),
  /** Of the result, also where not all of them are given. */
  total: v.number(),
  truncated: v.boolean(),
});
