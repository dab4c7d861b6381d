/** Sets and maps that change by being replaced, as raw state wants them. */

export const NOTHING: ReadonlySet<string> = new Set();

/** With these, or without them. */
export function withAll(set: ReadonlySet<string>, items: Iterable<string>, on: boolean): ReadonlySet<string> {
  const next = new Set(set);
  for (const item of items) {
    if (on) next.add(item);
    else next.delete(item);
  }
  return next;
}

export function withEntries<T>(
  map: ReadonlyMap<string, T>,
  entries: Iterable<readonly [string, T]>,
): ReadonlyMap<string, T> {
  return new Map([...map, ...entries]);
}

export function withoutKeys<T>(map: ReadonlyMap<string, T>, keys: Iterable<string>): ReadonlyMap<string, T> {
  const gone = new Set(keys);
  return new Map([...map].filter(([key]) => !gone.has(key)));
}
