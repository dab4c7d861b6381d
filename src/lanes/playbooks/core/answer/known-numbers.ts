/** Every number in a value, those in its texts with them, in the order of their size: thousands of answers are looked up in one input. */
import { isList, isMapping, type Value } from '../value.ts';
import { isSaid, numbersIn, type Said } from './said-numbers.ts';

const known = new WeakMap<object, KnownNumbers>();

export class KnownNumbers {
  readonly #sorted: Float64Array;

  private constructor(value: Value) {
    this.#sorted = Float64Array.from(numbersOf(value, '')).sort();
  }

  /** A value that does not change. */
  static of(value: Value): KnownNumbers {
    if (typeof value !== 'object' || value === null) return new KnownNumbers(value);
    let numbers = known.get(value);
    if (numbers === undefined) known.set(value, (numbers = new KnownNumbers(value)));
    return numbers;
  }

  get count(): number {
    return this.#sorted.length;
  }

  has(said: Said): boolean {
    const { value, places, percent } = said;
    const half = (places === null ? 0 : 0.5 * 10 ** -places) + 2e-9 * Math.max(1, Math.abs(value));
    return (
      this.#hasIn(said, value - half, value + half) ||
      (percent && this.#hasIn(said, (value - half) / 100, (value + half) / 100))
    );
  }

  #hasIn(said: Said, least: number, most: number): boolean {
    for (let at = this.#firstFrom(least); at < this.#sorted.length; at++) {
      const source = this.#sorted[at] ?? NaN;
      if (!(source <= most)) return false;
      if (isSaid(said, source)) return true;
    }
    return false;
  }

  #firstFrom(least: number): number {
    let [from, to] = [0, this.#sorted.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#sorted[middle] ?? NaN) < least) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** Numbers that are larger than this many are not walked through for the place of one. */
const MOST_WALKED = 10_000;

/** `rows.0.2` of the first that is what was said; empty where the value itself is it, or where there are too many. */
export function placeOf(said: Said, value: Value): string {
  if (KnownNumbers.of(value).count > MOST_WALKED) return '';
  for (const [place, number] of placesOf(value, '')) if (isSaid(said, number)) return place;
  return '';
}

function* numbersOf(value: Value, place: string): Generator<number> {
  for (const [, number] of placesOf(value, place)) yield number;
}

function* placesOf(value: Value, place: string): Generator<[string, number]> {
  if (typeof value === 'number') yield [place, value];
  else if (typeof value === 'string') for (const { value: said } of numbersIn(value)) yield [place, said];
  else if (isList(value) || isMapping(value))
    for (const [key, one] of Object.entries(value)) yield* placesOf(one, place === '' ? key : `${place}.${key}`);
}
