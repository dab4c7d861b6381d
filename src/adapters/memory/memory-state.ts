import type { StateOf } from '#core/run/ports.ts';

/** A record that lives as long as the process. */
export function memoryState<T>(first: T): StateOf<T> {
  let now = first;
  return {
    read: () => Promise.resolve(now),
    change: (change) => Promise.resolve((now = change(now))),
  };
}
