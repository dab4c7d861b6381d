import { setImmediate } from 'node:timers/promises';

/** So long one request may keep all others waiting at a time, milliseconds. */
const TURN_MS = 5;

/** Items that are sorted in one go. */
const SORTED_AT_ONCE = 2000;

export type Turns = ReturnType<typeof createTurns>;

/**
 * Long work on the event loop in turns, so that others are answered in between: `rest` where a loop of many short steps
 * may pause, `each` for a list.
 */
export function createTurns(ms = TURN_MS) {
  let since = performance.now();

  /** Lets others have their turn when this one is over. */
  async function rest(): Promise<void> {
    if (performance.now() - since < ms) return;
    await setImmediate();
    since = performance.now();
  }

  /** The same for every item, one after the other. */
  async function each<T>(list: Iterable<T>, step: (item: T, at: number) => void): Promise<void> {
    let at = 0;
    for (const item of list) {
      step(item, at);
      at += 1;
      if (performance.now() - since >= ms) await rest();
    }
  }

  /** The items in order, without changing the list. */
  async function sorted<T>(list: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
    let runs: T[][] = [];
    for (let at = 0; at < list.length; at += SORTED_AT_ONCE) {
      runs.push(list.slice(at, at + SORTED_AT_ONCE).sort(compare));
      await rest();
    }
    while (runs.length > 1) {
      const merged: T[][] = [];
      for (let at = 0; at < runs.length; at += 2) merged.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], compare));
      runs = merged;
    }
    return runs[0] ?? [];
  }

  async function merge<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
    if (b.length === 0) return [...a];
    const all: T[] = [];
    for (let i = 0, k = 0; i < a.length || k < b.length;) {
      const [left, right] = [a[i], b[k]];
      const takesLeft = right === undefined || (left !== undefined && compare(left, right) <= 0);
      // One of them is there: a list ends with its length.
      all.push((takesLeft ? left : right) as T);
      if (takesLeft) i += 1;
      else k += 1;
      if (all.length % 1000 === 0) await rest();
    }
    return all;
  }

  return { rest, each, sorted };
}
