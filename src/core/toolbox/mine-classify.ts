/** `mine_classify`: how well a column can be told from the others, by folds: a tree, a forest, or the nearest neighbours. */
import * as v from 'valibot';
import { fault, firstFault, isNumeric, name, number } from './fields.ts';
import { toolboxTool } from './tool.ts';

const cell = v.union([number, v.string()], 'must be numbers or texts');
const InputSchema = v.strictObject({
  rows: v.pipe(
    v.array(v.record(name, cell)),
    v.minLength(4, 'needs four rows'),
    v.maxLength(20_000, 'has more than 20,000'),
  ),
  label: name,
  method: v.exactOptional(v.picklist(['tree', 'forest', 'knn'], 'must be tree, forest or knn')),
  folds: v.exactOptional(
    v.pipe(number, v.integer(), v.minValue(2, 'must be 2 at least'), v.maxValue(20, 'must be 20 at most')),
  ),
  seed: v.exactOptional(v.pipe(number, v.integer(), v.minValue(0))),
});

export const mineClassify = toolboxTool<v.InferOutput<typeof InputSchema>>({
  name: 'mine_classify',
  description:
    'How well a label can be told from numbers: rows of objects, label (its column), method tree, forest or knn, folds (5), seed. Answers accuracy, confusion, importance.',
  runtime: 'mine',
  bounds: { timeMs: 60_000 },
  input: InputSchema,
  output: v.looseObject({
    accuracy: v.number(),
    classes: v.array(v.string()),
    confusion: v.array(v.array(v.number())),
    importance: v.record(v.string(), v.number()),
  }),
  example: {
    ...{ label: 'kind', folds: 2, seed: 1, method: 'tree' },
    rows: [1, 2, 3, 4, 11, 12, 13, 14].map((x) => ({ x, kind: x < 10 ? 'low' : 'high' })),
  },
  check({ rows, label, folds = 5 }) {
    const features = Object.keys(rows[0] ?? {}).filter((one) => one !== label);
    const counts = new Map<unknown, number>();
    for (const row of rows) counts.set(row[label], (counts.get(row[label]) ?? 0) + 1);
    return firstFault(
      rows.some((row) => row[label] === undefined) && fault('label', `a row has no "${label}"`),
      features.length === 0 && fault('rows', 'there is nothing beside the label'),
      rows.some((row) => Object.keys(row).length !== features.length + 1) &&
        fault('rows', 'not all have the same columns'),
      ...features.map((one) => !isNumeric(rows.map((row) => row[one])) && fault(one, 'must be numbers in every row')),
      counts.size < 2 && fault('label', 'is the same everywhere'),
      Math.min(...counts.values()) < 2 && fault('label', 'a class has one row alone'),
      folds > rows.length && fault('folds', 'are more than rows'),
    );
  },
});
