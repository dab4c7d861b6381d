/**
 * Rows by any of some values of an index. Dexie's `anyOf` walks a cursor, a task for each row it meets; a query a value
 * is answered at once, however many rows it finds.
 */
import type { Table } from 'dexie';

/** How many rows have one of these values. */
export async function countOfAny<T, K, I>(
  table: Table<T, K, I>,
  index: string,
  values: readonly string[],
): Promise<number> {
  const counts = await Promise.all(different(values).map((value) => table.where(index).equals(value).count()));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Primary keys of the rows that have one of these values, value by value. Not for an index of lists: a row of two comes twice. */
export async function keysOfAny<T, K, I>(
  table: Table<T, K, I>,
  index: string,
  values: readonly string[],
): Promise<K[]> {
  const keys = await Promise.all(different(values).map((value) => table.where(index).equals(value).primaryKeys()));
  return keys.flat();
}

/** The rows themselves, value by value. Not for an index of lists. */
export async function rowsOfAny<T, K, I>(
  table: Table<T, K, I>,
  index: string,
  values: readonly string[],
): Promise<T[]> {
  const rows = await Promise.all(different(values).map((value) => table.where(index).equals(value).toArray()));
  return rows.flat();
}

const different = (values: readonly string[]): string[] => [...new Set(values)];
