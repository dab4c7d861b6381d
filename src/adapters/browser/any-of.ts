/**
 * Rows by any of some values of an index. Dexie's `anyOf` walks a cursor, a task for each row it meets; a query a value
 * is answered at once, however many rows it finds.
 */
import type { Collection, PromiseExtended, Table } from 'dexie';

function ofEach<T, K, I, R>(
  table: Table<T, K, I>,
  index: string,
  values: readonly string[],
  read: (rows: Collection<T, K, I>) => PromiseExtended<R>,
): Promise<R[]> {
  return Promise.all([...new Set(values)].map((value) => read(table.where(index).equals(value))));
}

/** How many rows have one of these values. */
export async function countOfAny<T, K, I>(table: Table<T, K, I>, index: string, values: readonly string[]) {
  return (await ofEach(table, index, values, (rows) => rows.count())).reduce((sum, count) => sum + count, 0);
}

/** Primary keys of the rows that have one of these values, value by value. Not for an index of lists: a row of two comes twice. */
export async function keysOfAny<T, K, I>(table: Table<T, K, I>, index: string, values: readonly string[]) {
  return (await ofEach(table, index, values, (rows) => rows.primaryKeys())).flat();
}

/** The rows themselves, value by value. Not for an index of lists. */
export async function rowsOfAny<T, K, I>(table: Table<T, K, I>, index: string, values: readonly string[]) {
  return (await ofEach(table, index, values, (rows) => rows.toArray())).flat();
}

/**
 * Rows that have a key in this index, in its order. Without a range, WebKit's private sessions also answer those whose
 * key is null, which are in no index.
 */
export function inIndex<Row, Key, Insert>(
  table: Table<Row, Key, Insert>,
  index: keyof Row & string,
): Collection<Row, Key, Insert> {
  return table.where(index).aboveOrEqual(-Infinity);
}
