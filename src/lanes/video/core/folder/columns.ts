/**
 * VIDEO-35: names of one folder that are alike up to a number, and differ in it, count their episodes there. So the
 * folder says which of a name's numbers is the episode's, whatever the name alone seems to say.
 */
import { parentOf, stemOf } from '#core/plan/plan-path.ts';

export interface Column {
  /** Of the names that are alike up to there. */
  names: number;
  number: number;
  /** What is before the number, in lower case. */
  before: string;
  /** The numbers of all its names. */
  numbers: ReadonlySet<number>;
}

/** Fewer names than these make no pattern. */
const FEWEST = 3;
/** Of a column's numbers, so many differ from each other: parts and second releases repeat some. */
const DISTINCT = 0.6;
/** Nobody counts that far: a checksum, a resolution. */
const HIGHEST = 1999;

/** The number of each path that has one by its neighbours' names. */
export function numberColumns(paths: readonly string[]): Map<string, Column> {
  const columns = new Map<string, { path: string; number: number }[]>();
  for (const path of paths) {
    for (const { before, number } of numbersOf(stemOf(path))) {
      const key = `${parentOf(path)}\n${before}`;
      const column = columns.get(key) ?? [];
      column.push({ path, number });
      columns.set(key, column);
    }
  }
  const found = new Map<string, Column>();
  // The first column of a name that counts is the one: what comes later is in titles and checksums.
  for (const path of paths) {
    for (const { before } of numbersOf(stemOf(path))) {
      const column = columns.get(`${parentOf(path)}\n${before}`) ?? [];
      const numbers = column.map(({ number }) => number);
      if (!counts(numbers)) continue;
      const number = column.find((one) => one.path === path)?.number;
      if (number !== undefined) found.set(path, { names: column.length, number, before, numbers: new Set(numbers) });
      break;
    }
  }
  return found;
}

function counts(numbers: readonly number[]): boolean {
  if (numbers.length < FEWEST || numbers.some((number) => number > HIGHEST)) return false;
  const distinct = new Set(numbers);
  if (distinct.size < FEWEST || distinct.size < numbers.length * DISTINCT) return false;
  // Resolutions, years and bit rates vary, too, but they do not follow each other.
  const neighbours = [...distinct].filter((number) => distinct.has(number + 1) || distinct.has(number - 1));
  return neighbours.length * 2 >= distinct.size;
}

/** Runs of digits, each with what is before it; digits in that are `#`, so that a title's own number is part of it. */
function numbersOf(stem: string): { before: string; number: number }[] {
  const runs: { before: string; number: number }[] = [];
  for (const found of stem.normalize('NFKC').toLowerCase().matchAll(/\d+/g)) {
    if (found[0].length > 4) continue;
    const before = found.input.slice(0, found.index).replace(/[\s._]+/g, ' ');
    runs.push({ before, number: Number(found[0]) });
  }
  return runs;
}
