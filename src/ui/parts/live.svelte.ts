import { createSubscriber } from 'svelte/reactivity';
import { db, whenOpen } from '../client/db.ts';
import { onTableChanges } from './table-changes.ts';

/** Rest after a query that is asked for at intervals, in times of what it took. */
const REST = 4;
const LONGEST_REST_MS = 2000;

/**
 * A query over IndexedDB that Svelte can read: `current` is kept up to date as long as an effect reads
 * it, whoever wrote (a worker, another tab). `ready` is false until the first answer came.
 *
 * `interval` (milliseconds) bounds how often the query runs under a storm of writes: the first run is
 * at once, later ones wait until the interval since the last has passed, and the last write is never missed. A query
 * that takes long waits longer, so that much to show never takes more than a share of the page's time.
 *
 * `tables`: for a query over many rows, asked again at any write to these tables instead of to what it read.
 */
export class Live<T> {
  #value: T;
  #ready = false;
  #error: unknown = null;
  readonly #subscribe: () => void;

  constructor(query: () => T | Promise<T>, initial: T, interval = 0, tables: readonly string[] = []) {
    this.#value = initial;
    this.#subscribe = createSubscriber((update) => {
      let last = 0;
      let took = 0;
      const timed = async (): Promise<T> => {
        const rest = interval > 0 ? Math.min(took * REST, LONGEST_REST_MS) : 0;
        const wait = last + Math.max(interval, rest) - performance.now();
        if (last > 0 && wait > 0) await db.rest(wait);
        const begun = performance.now();
        const value = await query();
        last = performance.now();
        took = last - begun;
        return value;
      };
      const failed = (thrown: unknown): void => {
        this.#error = thrown;
        update();
      };
      const next = (value: T): void => {
        if (this.#ready && this.#error === null && value === this.#value) return;
        this.#value = value;
        this.#ready = true;
        this.#error = null;
        update();
      };
      let left = false;
      let end = (): void => undefined;
      whenOpen(() => {
        if (left) return;
        const source = tables.length > 0 ? onTableChanges(tables, timed) : db.watch(timed);
        const subscription = source.subscribe({ next, error: failed });
        end = () => subscription.unsubscribe();
      }, failed);
      return () => {
        left = true;
        end();
      };
    });
  }

  /**
   * Of a query that goes by a value: inside `$derived` there is a new one for each value. (What a query of `new Live` reads
   * is read later, when nobody notes it.)
   */
  static of<D, T>(value: D, query: (value: D) => T | Promise<T>, initial: T, interval = 0): Live<T> {
    return new Live(() => query(value), initial, interval);
  }

  get current(): T {
    this.#subscribe();
    return this.#value;
  }

  get ready(): boolean {
    this.#subscribe();
    return this.#ready;
  }

  /** What made the query fail, or null: a database that cannot be opened, most often. */
  get error(): unknown {
    this.#subscribe();
    return this.#error;
  }
}
