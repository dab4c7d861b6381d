import type { Figure } from './bench.types.ts';

/** The median of rounds, and half of what lies between the smallest and the largest. */
export function figureOf(name: string, rounds: readonly number[]): Figure {
  const sorted = rounds.toSorted((a, b) => a - b);
  const value = sorted[Math.floor(sorted.length / 2)] ?? NaN;
  return { name, value, noise: ((sorted.at(-1) ?? NaN) - (sorted[0] ?? NaN)) / 2 };
}
