import type { CompiledQuery } from 'kysely';
import { chunks } from './chunks.ts';
import type { Tx } from './schema.ts';

/** What the query builder gives before it is executed. */
interface Compilable {
  compile(): CompiledQuery;
}

/**
 * Inserts many rows of the same columns. The statement is built once for each length of a part and then only gets
 * other parameters: building it anew costs more than running it.
 * @param values a row's values, in the order in which `insert` names the columns
 * @param between called after each part, so that others get their turn
 */
export async function bulkInsert<T>(
  tx: Tx,
  rows: readonly T[],
  insert: (part: T[]) => Compilable,
  values: (row: T) => readonly unknown[],
  between: () => Promise<void>,
): Promise<void> {
  const first = rows[0];
  if (first === undefined) return;
  const width = values(first).length;
  let built: CompiledQuery | null = null;
  for (const part of chunks(rows, width, 2000)) {
    if (built?.parameters.length !== part.length * width) built = insert(part).compile();
    await tx.executeQuery({ ...built, parameters: part.flatMap(values) });
    await between();
  }
}
