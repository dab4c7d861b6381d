/** What is used of packages that bring no types of their own. */
declare module 'ml-cart' {
  export class DecisionTreeClassifier {
    constructor(options: { gainFunction: 'gini'; maxDepth: number; minNumSamples: number });
    train(rows: number[][], labels: number[]): void;
    predict(rows: number[][]): number[];
  }
}
declare module 'ml-random-forest' {
  export class RandomForestClassifier {
    constructor(options: { seed: number; nEstimators: number; maxFeatures: number; noOOB: boolean });
    train(rows: number[][], labels: number[]): void;
    predict(rows: number[][]): number[];
  }
}
declare module 'ml-knn' {
  export default class KNN {
    constructor(rows: number[][], labels: number[], options: { k: number });
    predict(rows: number[][]): number[];
  }
}
declare module 'topojson-client' {
  /** A part of a topology as GeoJSON. */
  export function feature(topology: { objects: Record<string, unknown> }, part: unknown): unknown;
}
