import type { StateOf } from '#core/run/ports.ts';
import type { AccessionDb } from './db.ts';

/** One row of `meta` as a record that is changed as a whole; a row that cannot be parsed counts as absent. */
export function metaState<T>(db: AccessionDb, key: string, parse: (value: unknown) => T): StateOf<T> {
  const read = async (): Promise<T> => parse((await db.meta.get(key))?.value);
  const isSame = (a: T, b: T): boolean => JSON.stringify(a) === JSON.stringify(b);
  return {
    read,
    async change(change) {
      const now = await read();
      // A write wakes the pages, and a transaction that may write waits for every other one.
      if (isSame(now, change(now))) return now;
      return db.transaction('rw', db.meta, async () => {
        const before = await read();
        const after = change(before);
        if (!isSame(before, after)) await db.meta.put({ key, value: after });
        return after;
      });
    },
  };
}
