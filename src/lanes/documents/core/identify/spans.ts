/** Pieces of a text that do not overlap. */

export interface Region {
  start: number;
  end: number;
}

/** The last of `sorted` that is at most `limit`, by its index; -1 where none is. */
export function lastAtMost<T, K extends number | string>(sorted: readonly T[], limit: K, of: (one: T) => K): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const one = sorted[middle];
    if (one !== undefined && of(one) <= limit) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}

/** The region that has it, of those in order that do not overlap. */
export function regionAt<T extends Region>(regions: readonly T[], at: number): T | undefined {
  const region = regions[lastAtMost(regions, at, ({ start }) => start)];
  return region !== undefined && at < region.end ? region : undefined;
}

/** What several passes over a text found: each pass in the order of the text, nothing where something was found before. */
export class Spans<T extends Region> {
  #before: T[] = [];
  readonly #now: T[] = [];

  /** All that was found, in the order of the text. A pass begins. */
  all(): T[] {
    this.#before = [...this.#before, ...this.#now.splice(0)].toSorted((a, b) => a.start - b.start);
    return this.#before;
  }

  overlaps(start: number, end = start + 1): boolean {
    const last = this.#now.at(-1);
    if (last !== undefined && last.start < end && start < last.end) return true;
    const before = this.#before[lastAtMost(this.#before, end - 1, (one) => one.start)];
    return before !== undefined && start < before.end;
  }

  add(one: T): void {
    this.#now.push(one);
  }
}
