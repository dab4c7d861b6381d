/** Long work in steps: whoever does it may let others have their turn between any two of them. */
export type Steps<Value> = Generator<undefined, Value>;

/** All of it in one go. */
export function atOnce<Value>(steps: Steps<Value>): Value {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** @param rest lets others have their turn */
export async function inTurns<Value>(steps: Steps<Value>, rest: () => Promise<void>): Promise<Value> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await rest();
  }
}

/** Items that are sorted in one go. */
const SORTED_AT_ONCE = 2000;
/** Items that are merged in one go. */
const MERGED_AT_ONCE = 1000;

/** The items in order, without changing the list. */
export function* sorting<Item>(list: readonly Item[], compare: (a: Item, b: Item) => number): Steps<Item[]> {
  let runs: Item[][] = [];
  for (let at = 0; at < list.length; at += SORTED_AT_ONCE) {
    runs.push(list.slice(at, at + SORTED_AT_ONCE).sort(compare));
    yield;
  }
  while (runs.length > 1) {
    const merged: Item[][] = [];
    for (let at = 0; at < runs.length; at += 2)
      merged.push(yield* merging(runs[at] ?? [], runs[at + 1] ?? [], compare));
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merging<Item>(a: readonly Item[], b: readonly Item[], compare: (a: Item, b: Item) => number): Steps<Item[]> {
  if (b.length === 0) return [...a];
  const all: Item[] = [];
  for (let i = 0, k = 0; i < a.length || k < b.length;) {
    const [left, right] = [a[i], b[k]];
    const takesLeft = right === undefined || (left !== undefined && compare(left, right) <= 0);
    // One of them is there: a list ends with its length.
    all.push((takesLeft ? left : right) as Item);
    if (takesLeft) i += 1;
    else k += 1;
    if (all.length % MERGED_AT_ONCE === 0) yield;
  }
  return all;
}
