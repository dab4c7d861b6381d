/** Classifiers of ml-cart, ml-random-forest and ml-knn, tried by folds that keep the shares of the classes. */
import { DecisionTreeClassifier } from 'ml-cart';
import KNN from 'ml-knn';
import { RandomForestClassifier } from 'ml-random-forest';
import { mulberry32 } from '#core/mulberry32.ts';
import type { Engine } from '#core/toolbox/engine.ts';

interface Asked {
  rows: Record<string, number | string>[];
  label: string;
  method?: 'tree' | 'forest' | 'knn';
  folds?: number;
  seed?: number;
}

type Model = (train: number[][], labels: number[], test: number[][]) => number[];

const TREE = { gainFunction: 'gini', maxDepth: 10, minNumSamples: 3 } as const;

const models = (seed: number): Record<NonNullable<Asked['method']>, Model> => ({
  tree(train, labels, test) {
    const tree = new DecisionTreeClassifier(TREE);
    tree.train(train, labels);
    return tree.predict(test);
  },
  forest(train, labels, test) {
    const forest = new RandomForestClassifier({ seed, nEstimators: 25, maxFeatures: 0.8, noOOB: true });
    forest.train(train, labels);
    return forest.predict(test);
  },
  knn: (train, labels, test) => new KNN(train, labels, { k: Math.min(5, train.length) }).predict(test),
});

export function openMine(): Promise<Engine> {
  return Promise.resolve({
    versions: ['ml-cart 2.1.1', 'ml-random-forest 2.1.0', 'ml-knn 3.0.0'],
    call: ({ data }) => classified(data as Asked),
  });
}

function classified({ rows, label, method = 'tree', folds = 5, seed = 1 }: Asked): object {
  const classes = [...new Set(rows.map((row) => String(row[label])))].sort();
  const features = Object.keys(rows[0] ?? {}).filter((one) => one !== label);
  const labels = rows.map((row) => classes.indexOf(String(row[label])));
  const points = scaled(
    rows.map((row) => features.map((one) => Number(row[one]))),
    method === 'knn',
  );
  const random = mulberry32(seed);
  const fold = foldsOf(labels, folds, random);
  const model = models(seed)[method];
  const confusion = classes.map(() => classes.map(() => 0));
  const lost = features.map(() => 0);
  let right = 0;
  for (let one = 0; one < folds; one++) {
    const at = (inside: boolean): number[] => fold.flatMap((is, row) => ((is === one) === inside ? [row] : []));
    const [test, train] = [at(true), at(false)];
    const pick = (places: number[]): number[][] => places.map((row) => points[row] ?? []);
    const known = train.map((row) => labels[row] ?? 0);
    const rightOf = (given: number[][], count = false): number =>
      model(pick(train), known, given).reduce((sum, said, index) => {
        const truth = labels[test[index] ?? 0] ?? 0;
        const line = confusion[truth];
        if (count && line !== undefined) line[said] = (line[said] ?? 0) + 1;
        return sum + (said === truth ? 1 : 0);
      }, 0);
    const whole = rightOf(pick(test), true);
    right += whole;
    // What is lost where a column says nothing: its values are shuffled.
    for (const feature of features.keys())
      lost[feature] = (lost[feature] ?? 0) + whole - rightOf(shuffledColumn(pick(test), feature, random));
  }
  const importance = Object.fromEntries(features.map((one, at) => [one, (lost[at] ?? 0) / rows.length]));
  return { accuracy: right / rows.length, classes, confusion, importance };
}

/** The rows of each class go round the folds, in an order of chance. */
function foldsOf(labels: readonly number[], folds: number, random: () => number): number[] {
  const order = labels
    .map((label, row) => ({ label, row, key: random() }))
    .sort((a, b) => a.label - b.label || a.key - b.key);
  const fold = labels.map(() => 0);
  for (const [at, { row }] of order.entries()) fold[row] = at % folds;
  return fold;
}

function shuffledColumn(rows: number[][], column: number, random: () => number): number[][] {
  const values = rows.map((row) => row[column] ?? 0);
  for (let at = values.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [values[at], values[other]] = [values[other] ?? 0, values[at] ?? 0];
  }
  return rows.map((row, at) => row.with(column, values[at] ?? 0));
}

/** Neighbours are near by all columns alike: each is brought to deviation 1. */
function scaled(points: number[][], wanted: boolean): number[][] {
  if (!wanted) return points;
  const width = points[0]?.length ?? 0;
  const stats = Array.from({ length: width }, (_, at) => {
    const mean = points.reduce((sum, row) => sum + (row[at] ?? 0), 0) / points.length;
    const variance = points.reduce((sum, row) => sum + ((row[at] ?? 0) - mean) ** 2, 0) / points.length;
    return { mean, deviation: Math.sqrt(variance) || 1 };
  });
  return points.map((row) => row.map((x, at) => (x - (stats[at]?.mean ?? 0)) / (stats[at]?.deviation ?? 1)));
}
