import { db } from '../client/db.ts';

interface Observer<T> {
  next(value: T): void;
  error(thrown: unknown): void;
}

/**
 * A query that is asked again whenever anything in these tables was written, by this page or another context; writes
 * during a run lead to one more. Unlike Dexie's `liveQuery` it keeps no record of each key that was read, which for a
 * query over a thousand rows costs more than reading them.
 */
export function onTableChanges<T>(
  tables: readonly string[],
  query: () => T | Promise<T>,
): { subscribe(observer: Observer<T>): { unsubscribe(): void } } {
  // As Dexie names the parts of its databases: one a table and index, `all` for a database that was deleted.
  const parts = tables.map((table) => `idb://${db.name}/${table}/`);
  return {
    subscribe({ next, error }) {
      let running = false;
      let again = false;
      let stopped = false;
      const run = async (): Promise<void> => {
        again = true;
        if (running) return;
        running = true;
        while (again && !stopped) {
          again = false;
          try {
            const value = await query();
            if (!stopped) next(value);
          } catch (thrown) {
            if (!stopped) error(thrown);
          }
        }
        running = false;
      };
      const heard = (changed: object): void => {
        const names = Object.keys(changed);
        if (names.some((name) => name === 'all' || parts.some((part) => name.startsWith(part)))) void run();
      };
      const deaf = db.onWrites(heard);
      void run();
      return {
        unsubscribe() {
          stopped = true;
          deaf();
        },
      };
    },
  };
}
